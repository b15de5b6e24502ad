#!/usr/bin/env python3
"""Runs ctx-explore on repositories of extreme size, and says what it took.

    scripts/extremes.py BIN [--work DIR] [--tree TREE] [CASE ...]

Cases: cold (10,000 files, the server from its start), files (200,000 small files), folders (50,000 folders),
memory (500,000 lines copied from TREE, within 2 GB of address space). Prints a line of figures for each, and
ends with 1 where a bound does not hold: `initialize` within 100 ms on an idle machine, the first answer
within 25 s, the end within 2 s of the end of stdin or of the parent, no more than 200 descriptors.
"""

import argparse
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time

failed = []


def bound(holds, what):
    if not holds:
        failed.append(what)
        print(f"  NOT: {what}")


def measured(command, limit=None):
    """Output, CPU and wall seconds and peak bytes of a command."""
    def limited():
        if limit:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limited)
    errors = []
    reader = threading.Thread(target=lambda: errors.append(process.stderr.read()))
    reader.start()
    out = process.stdout.read()
    reader.join()
    _, status, usage = os.wait4(process.pid, 0)
    took = time.monotonic() - began
    return out, errors[0], status, usage.ru_utime + usage.ru_stime, took, usage.ru_maxrss * 1024


class Server:
    def __init__(self, binary, root, cache):
        command = [binary, "serve", "--root", str(root), "--index-dir", str(cache)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.most = 0
        self.watching = True
        self.watcher = threading.Thread(target=self.watch)
        self.watcher.start()
        self.number = 0

    def watch(self):
        """The most descriptors at any time."""
        while self.watching:
            try:
                self.most = max(self.most, len(os.listdir(f"/proc/{self.process.pid}/fd")))
            except OSError:
                return
            time.sleep(0.01)

    def request(self, method, params):
        self.number += 1
        began = time.monotonic()
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.number:
                return answer, time.monotonic() - began
        sys.exit("the server is gone")

    def greet(self):
        _, took = self.request("initialize", GREETING)
        note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        self.process.stdin.write(json.dumps(note).encode() + b"\n")
        self.process.stdin.flush()
        return took

    def ask(self, question):
        answer, took = self.request("tools/call", {"name": "ctx_explore", "arguments": {"query": question}})
        return answer["result"]["content"][0]["text"], took

    def end(self):
        """Seconds from the end of stdin to the end of the process."""
        began = time.monotonic()
        self.process.stdin.close()
        self.process.wait()
        took = time.monotonic() - began
        self.watching = False
        self.watcher.join()
        return took


GREETING = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}


def module(at):
    return f"def helper_{at}(value):\n    return value\n\ndef step_{at}(value):\n    return helper_{at}(value) + {at}\n"


def tree(root, files, folders, text=module):
    for at in range(files):
        folder = root / f"d{at % folders % 250}" / f"e{at % folders}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"m{at}.py").write_text(text(at))


def cold(binary, work, _):
    root = work / "cold"
    tree(root, 10_000, 400, lambda at: module(at) * 12)
    server = Server(binary, root, work / "cache")
    greeted = server.greet()
    text, first = server.ask("how does step_7 reach helper_7")
    partial = "still being built" in text
    early = server.end()
    again = Server(binary, root, work / "cache")
    again.greet()
    while "still being built" in text:
        text, _ = again.ask("how does step_7 reach helper_7")
    warm = min(again.ask("how does step_7 reach helper_7")[1] for _ in range(5))
    middle = subprocess.Popen(
        [sys.executable, "-c",
         "import subprocess, sys, time\n"
         "server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)\n"
         "print(server.pid, flush=True)\ntime.sleep(600)",
         binary, "serve", "--root", str(root), "--index-dir", str(work / "orphan")], stdout=subprocess.PIPE)
    orphan = int(middle.stdout.readline())
    time.sleep(0.5)
    middle.kill()
    middle.wait()
    began = time.monotonic()
    while alive(orphan) and time.monotonic() - began < 20:
        time.sleep(0.01)
    left = time.monotonic() - began
    print(f"cold: initialize {greeted * 1000:.0f} ms; first answer {first:.1f} s ({'partial' if partial else 'whole'});"
          f" end of stdin to end {early:.2f} s; parent killed to end {left:.2f} s; unchanged call {warm * 1000:.0f} ms;"
          f" descriptors {max(server.most, again.most)}")
    bound(greeted < 0.1, "initialize within 100 ms")
    bound(first < 25, "the first answer within 25 s")
    bound(early < 2 and left < 2, "the end within 2 s")
    bound("step_7" in text, "an answer in the end")
    again.end()


def alive(process):
    try:
        state = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
        return state != "Z"
    except OSError:
        return False


def large(name, files, folders):
    def case(binary, work, _):
        root = work / name
        tree(root, files, folders)
        out, err, status, cpu, wall, peak = measured([binary, "index", str(root), "--index-dir", str(work / "cache")])
        bound(status == 0 and not err, f"an index: {err[:200]}")
        server = Server(binary, root, work / "cache")
        server.greet()
        text, _ = server.ask("how does step_7 reach helper_7")
        while "still being built" in text:
            text, _ = server.ask("how does step_7 reach helper_7")
        warm = min(server.ask("how does step_7 reach helper_7")[1] for _ in range(5))
        resident = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
        resident = next(line.split()[1] for line in resident.splitlines() if line.startswith("VmRSS"))
        (root / "new.py").write_text("def brand_new():\n    return step_7(1)\n")
        changed, edit = server.ask("what does brand_new call")
        while "still being built" in changed:
            changed, _ = server.ask("what does brand_new call")
        bound("brand_new" in changed and "step_7" in text, "right answers")
        bound(server.most <= 200, f"{server.most} descriptors")
        end = server.end()
        stored = sum(path.stat().st_size for path in (work / "cache").rglob("*") if path.is_file())
        print(f"{name}: {files} files in {folders} folders; index {cpu:.1f} s CPU, {wall:.1f} s, peak {peak / 1e6:.0f} MB,"
              f" {stored / 1e6:.0f} MB kept; server {int(resident) / 1e3:.0f} MB, {server.most} descriptors; unchanged call"
              f" {warm * 1000:.0f} ms; call after one new file {edit * 1000:.0f} ms; end {end:.2f} s")
        bound(end < 2, "the end within 2 s")
    return case


def memory(binary, work, source):
    if source is None:
        sys.exit("memory needs --tree")
    root, lines, copy = work / "memory", 0, 0
    listed = subprocess.run(["git", "-C", str(source), "ls-files", "-z"], check=True, stdout=subprocess.PIPE).stdout
    names = [name for name in listed.decode().split("\0") if name.endswith((".rs", ".py", ".kt"))]
    while lines < 500_000:
        for name in names:
            text = (source / name).read_bytes()
            path = root / f"copy_{copy}" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
            lines += text.count(b"\n")
        copy += 1
    results = {}
    for limit in (None, 2 << 30):
        command = [binary, "index", str(root), "--dump", "--index-dir", str(work / f"cache-{limit}")]
        results[limit] = measured(command, limit)
    (out, *_), (limited, err, status, cpu, wall, peak) = results[None], results[2 << 30]
    print(f"memory: {lines} lines in {copy} copies within 2 GB of address space: {cpu:.1f} s CPU, {wall:.1f} s,"
          f" peak {peak / 1e6:.0f} MB")
    bound(status == 0 and limited == out and not err, f"the same index in 2 GB: {status} {err[:300]}")


CASES = {"cold": cold, "files": large("files", 200_000, 2_000), "folders": large("folders", 60_000, 50_000),
         "memory": memory}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("cases", nargs="*", choices=[*CASES, []], default=[])
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--tree", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    for name in options.cases or CASES:
        work = pathlib.Path(tempfile.mkdtemp(prefix="extremes-", dir=options.work))
        try:
            CASES[name](str(options.binary.resolve()), work, options.tree and options.tree.resolve())
        finally:
            shutil.rmtree(work)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
