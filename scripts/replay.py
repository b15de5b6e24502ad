#!/usr/bin/env python3
"""Replays consecutive commits of a repository and compares refreshed indexes with fresh ones.

    scripts/replay.py BIN REPOSITORY N [--skip K] [--keep-going]

Checks out the last N+1 commits along first parents, oldest first, in a clone of its own. After each, one
index is refreshed, by a server that runs all the while or by another process in turns, and another is built
from nothing; the symbol graph (`index --dump`) and the answers to some questions must be the same bytes.
Prints each difference, and a summary with the time that both took. Exits with 1 where something differed.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SHOWN = 6


def run(command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, **options).stdout


class Server:
    """A server over pipes, asked one thing at a time."""

    def __init__(self, binary, root, cache):
        command = [binary, "serve", "--root", root, "--index-dir", cache]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.id = 0
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                    "clientInfo": {"name": "replay", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method, params):
        self.id += 1
        self.send({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == self.id:
                return message
        sys.exit("the server is gone")

    def call(self, tool, arguments):
        while True:
            answer = self.request("tools/call", {"name": tool, "arguments": arguments})
            text = answer["result"]["content"][0]["text"]
            if "is still being built" not in text and not text.startswith("Index: being built"):
                return text

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def asked(repository, commit, dump):
    """Questions about a commit: its subject, and names from the graph chosen by its hash."""
    subject = run(["git", "-C", repository, "log", "-1", "--format=%s", commit]).decode(errors="replace")
    calls = [("ctx_explore", "explore", "query", subject.strip() or "nothing")]
    symbols = [json.loads(line)["symbol"] for line in dump.splitlines() if line.startswith(b'{"container"')]
    symbols = [name for name in symbols if name]
    for part in (commit[:8], commit[8:16]):
        if symbols:
            calls.append(("ctx_symbol", "symbol", "name", symbols[int(part, 16) % len(symbols)]))
    return calls


def differing(one, other):
    """The first lines of which one side has more, by side."""
    one, other = one.splitlines(), other.splitlines()
    only_one, only_other = sorted(set(one) - set(other)), sorted(set(other) - set(one))
    shown = [f"  refreshed: {line[:300]!r}" for line in only_one[:SHOWN]]
    shown += [f"  fresh:     {line[:300]!r}" for line in only_other[:SHOWN]]
    return f"{len(only_one)} and {len(only_other)} lines of their own\n" + "\n".join(shown)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("repository", type=pathlib.Path)
    parser.add_argument("commits", type=int)
    parser.add_argument("--skip", type=int, default=0, help="leave out so many of the newest commits")
    parser.add_argument("--keep-going", action="store_true", help="go on after a difference")
    options = parser.parse_args()
    binary = str(options.binary.resolve())
    work = pathlib.Path(tempfile.mkdtemp(prefix="replay-"))
    root, kept, fresh = (str(work / name) for name in ("tree", "kept", "fresh"))
    os.environ["XDG_CACHE_HOME"] = str(work / "cache")
    run(["git", "clone", "-q", "--shared", "--no-checkout", str(options.repository.resolve()), root])
    commits = run(["git", "-C", root, "rev-list", "--first-parent", f"--skip={options.skip}",
                   f"--max-count={options.commits + 1}", "HEAD"]).decode().split()[::-1]
    server, differences, compared = None, 0, 0
    spent = {"refreshed": 0.0, "fresh": 0.0}
    for at, commit in enumerate(commits):
        run(["git", "-C", root, "checkout", "-q", "-f", "--detach", commit], stderr=subprocess.DEVNULL)
        index = [binary, "index", root, "--dump", "--index-dir"]
        if server is None:
            server = Server(binary, root, kept)
        began = time.monotonic()
        if at % 3 < 2:
            server.call("ctx_status", {})
        spent["refreshed"] += time.monotonic() - began
        refreshed = run([*index, kept])
        spent["refreshed"] += 0 if at % 3 < 2 else time.monotonic() - began
        shutil.rmtree(fresh, ignore_errors=True)
        began = time.monotonic()
        expected = run([*index, fresh])
        spent["fresh"] += time.monotonic() - began
        pairs = [("the graph", refreshed, expected)]
        for tool, command, name, value in asked(root, commit, expected):
            answer = server.call(tool, {name: value})
            words = [binary, command, "--root", root, "--index-dir", fresh, "--", value]
            told = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            if told.returncode == 2:
                # What a caller must correct is worded by each side for its own callers.
                continue
            pairs.append((f"{command} {value!r}", answer.encode(), told.stdout))
        for what, one, other in pairs:
            compared += 1
            if one != other:
                differences += 1
                print(f"{commit[:10]} (commit {at} of {len(commits) - 1}): {what} differs: {differing(one, other)}",
                      flush=True)
                if not options.keep_going:
                    sys.exit(f"stopped; the trees and indexes are in {work}")
        if at % 20 == 0:
            print(f"... {at} of {len(commits) - 1}", file=sys.stderr, flush=True)
    if server:
        server.end()
    shutil.rmtree(work)
    print(f"{options.repository.name}: {len(commits) - 1} commits, {compared} comparisons, {differences} "
          f"differences; refreshing took {spent['refreshed']:.0f} s, building anew {spent['fresh']:.0f} s")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
