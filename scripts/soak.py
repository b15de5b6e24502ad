#!/usr/bin/env python3
"""Keep several servers busy on one repository that is being edited, and see that they stay right and small.

    scripts/soak.py BINARY [--requests N] [--servers N] [--root ROOT]

Copies ROOT (default: this repository's fixtures) to a temporary folder and sends N requests (default 10,000) to
the servers in turn: questions, symbols, searches, wrong arguments, lines that are no message, and calls that are
cancelled at once. Between them files are changed, added, renamed and removed. At ten checkpoints each server
answers a list of calls, and so does a new one with an index of its own: every byte must be the same. Prints the
resident memory of each server there, its own and that of mapped files; from the second checkpoint on its own must
not grow by more than a quarter and 24 MB. The choices are drawn with a fixed seed.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORDS = "call request interceptor compiler query dispatch sink event retry cache parse flush node visit build".split()
CHECKPOINTS = 10
BAD_LINES = [b"hello", b"[]", b"{", b'{"jsonrpc":"2.0","id":null,"method":"ping"}', b"\xff\xfe", b"42", b""]


class Server:
    def __init__(self, binary, root, cache):
        env = {"HOME": str(cache), "XDG_CACHE_HOME": str(cache)}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            [binary, "serve", "--root", root], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=env
        )
        self.answers, self.number = {}, 0
        self.changed = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()
        client = {"name": "soak", "version": "1"}
        self.wait(self.send("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}))
        self.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')

    def read(self):
        for line in self.process.stdout:
            message = json.loads(line)
            with self.changed:
                if message.get("id") is not None and "method" not in message:
                    self.answers[message["id"]] = message
                self.changed.notify_all()

    def write(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, method, params):
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.write(json.dumps(message).encode())
        return self.number

    def call(self, tool, arguments):
        return self.send("tools/call", {"name": tool, "arguments": arguments})

    def cancel(self, number):
        note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}}
        self.write(json.dumps(note).encode())

    def wait(self, number):
        with self.changed:
            if not self.changed.wait_for(lambda: number in self.answers, timeout=120):
                sys.exit(f"soak: no answer to request {number}")
            return self.answers.pop(number)

    def text(self, tool, arguments):
        while True:
            result = self.wait(self.call(tool, arguments))["result"]
            text = result["content"][0]["text"]
            if "still being built" not in text:
                return text

    def memory(self):
        """Resident MB: its own, and of mapped files, which are the system's to take back."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return tuple(int(status.split(f"{name}:")[1].split()[0]) / 1024 for name in ["RssAnon", "RssFile"])

    def end(self):
        self.process.stdin.close()
        if self.process.wait(timeout=10) != 0:
            sys.exit("soak: a server ends with an error")


def draw(chance):
    """A call at random."""
    kind = chance.random()
    if kind < 0.45:
        query = " ".join(chance.sample(WORDS, 3))
        return "ctx_explore", {"query": f"how does the {query}", "citation": chance.random() < 0.5}
    if kind < 0.7:
        return "ctx_symbol", {"name": chance.choice(WORDS).capitalize()}
    if kind < 0.9:
        return "ctx_search", {"pattern": chance.choice(WORDS), "ignore_case": True, "max_results": 20}
    if kind < 0.95:
        return "ctx_status", {}
    return "ctx_explore", {"quer": "x"}


def edit(chance, root, files):
    """Changes, adds, renames or removes one file; names and paths are drawn, so they come again."""
    kind, path = chance.random(), chance.choice(files)
    added = root / f"added/part_{chance.randrange(20)}.py"
    if kind < 0.5 and path.exists():
        text = path.read_text()
        path.write_text(text + "\n" if chance.random() < 0.5 else text.rstrip("\n") + "\n")
    elif kind < 0.8:
        added.parent.mkdir(exist_ok=True)
        word = chance.choice(WORDS)
        added.write_text(f"def {word}_{chance.randrange(50)}(value):\n    return {word}(value)\n")
    elif kind < 0.9 and added.exists():
        added.rename(added.with_name(f"moved_{chance.randrange(20)}.py"))
    else:
        added.unlink(missing_ok=True)


CHECKED = [("ctx_explore", {"query": f"how does the {a} reach the {b}"}) for a, b in zip(WORDS, WORDS[3:])] + [
    ("ctx_symbol", {"name": "Interceptor"}),
    ("ctx_search", {"pattern": "return", "max_results": 200}),
    ("ctx_status", {}),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--root", type=pathlib.Path, default=ROOT / "fixtures")
    args = parser.parse_args()
    chance, begun = random.Random(1), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        root, shared = pathlib.Path(folder, "repo"), pathlib.Path(folder, "cache")
        shutil.copytree(args.root, root, ignore=shutil.ignore_patterns(".git", "target"))
        files = sorted(path for path in root.rglob("*") if path.suffix in [".py", ".kt", ".rs"])
        binary = args.binary.resolve()
        servers = [Server(binary, root, shared) for _ in range(args.servers)]
        memories, waiting, answered, cancelled = [], [], 0, 0
        for number in range(1, args.requests + 1):
            server = servers[number % len(servers)]
            if chance.random() < 0.02:
                server.write(chance.choice(BAD_LINES))
            asked = server.call(*draw(chance))
            if chance.random() < 0.05:
                server.cancel(asked)
                server.answers.pop(asked, None)
                cancelled += 1
            else:
                waiting.append((server, asked))
            if len(waiting) >= 12:
                for server, asked in waiting:
                    answer = server.wait(asked)
                    if "result" not in answer:
                        sys.exit(f"soak: {answer}")
                    answered += 1
                waiting.clear()
            if number % 40 == 0:
                edit(chance, root, files)
            if number % (args.requests // CHECKPOINTS) == 0:
                fresh = Server(binary, root, pathlib.Path(folder, f"fresh-{number}"))
                for call in CHECKED:
                    expected = fresh.text(*call)
                    for server in servers:
                        if server.text(*call) != expected:
                            sys.exit(f"soak: after {number} requests {call} is not answered as by a new server")
                fresh.end()
                memories.append([server.memory() for server in servers])
                shown = ", ".join(f"{own:.0f}+{files:.0f}" for own, files in memories[-1])
                print(f"{number} requests, {time.monotonic() - begun:.0f} s: MB {shown}", flush=True)
        for server in servers:
            server.answers.clear()
            server.end()
    print(f"{answered} answered, {cancelled} cancelled; {len(CHECKED) * len(servers) * CHECKPOINTS} answers as by a new server")
    for (first, _), (last, _) in zip(memories[1], memories[-1]):
        if last > first * 1.25 + 24:
            sys.exit(f"soak: memory grows from {first:.0f} to {last:.0f} MB")


if __name__ == "__main__":
    main()
