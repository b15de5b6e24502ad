#!/usr/bin/env python3
"""Measures how indexing and answering grow with a repository.

    scripts/growth.py BIN TREE [--lines 100000 1000000 5000000] [--work DIR]

Makes trees of so many lines from copies of TREE. In each copy the names that TREE defines, and those of its
files and folders, get an ending of their own wherever they are written, so that copies do not mean each
other. Each tree is indexed once from nothing; then a server answers questions about it. Prints the CPU time
of indexing for each line, the wall time, the peak memory, the size of the index and the median time of an
answer, and each as a multiple of the smallest tree's.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

WORD = re.compile(r"[^\W\d]\w*")
# Files by which languages find their modules keep their names; short names mean too much in comments.
KEPT = {"src", "lib", "main", "mod", "init", "test", "tests", "self", "new", "build", "java", "kotlin"}
SHORTEST = 4
ROUNDS = 15


def run(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def sources(tree):
    """The text files that count, by path."""
    listed = run(["git", "-C", str(tree), "ls-files", "-z"]).decode().split("\0")
    for name in sorted(filter(None, listed)):
        path = tree / name
        if path.suffix in {".rs", ".py", ".pyi", ".kt", ".kts", ".toml", ".md"} and path.is_file():
            try:
                yield name, path.read_text()
            except UnicodeDecodeError:
                continue


def defined(binary, tree, files):
    """The names to change."""
    with tempfile.TemporaryDirectory() as cache:
        dump = run([binary, "index", str(tree), "--dump", "--index-dir", cache])
    rows = (json.loads(line) for line in dump.splitlines())
    names = {re.split(r"[.:]+", row["symbol"])[-1] for row in rows if "symbol" in row}
    for name, _ in files:
        names.update(pathlib.PurePath(part).stem for part in pathlib.PurePath(name).parts)
    plain = (name for name in names if name and WORD.fullmatch(name))
    return {name for name in plain
            if len(name) >= SHORTEST and name not in KEPT and not name.startswith("__")}


def ending(copy):
    """An ending that is part of the name's last word."""
    letters = ""
    while True:
        letters = chr(ord("a") + copy % 26) + letters
        copy //= 26
        if copy == 0:
            return "q" + letters


def make(files, names, lines, target):
    """Writes copies until there are so many lines; gives the number of lines and of files."""
    written, count, copy = 0, 0, 0
    while written < lines:
        end = ending(copy)

        def change(found):
            return found[0] + end if found[0] in names else found[0]

        for name, text in files:
            path = target / f"copy_{copy}" / WORD.sub(change, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            changed = WORD.sub(change, text)
            path.write_text(changed)
            written += changed.count("\n")
            count += 1
            if written >= lines:
                break
        copy += 1
    return written, count


def measured(command):
    """CPU and wall seconds and peak bytes of a command."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command} failed")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - began, usage.ru_maxrss * 1024


def warm(binary, root, cache, questions):
    """The median milliseconds of an answer."""
    command = [binary, "serve", "--root", root, "--index-dir", cache]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    number = 0

    def request(method, params):
        nonlocal number
        number += 1
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        server.stdin.write(json.dumps(message).encode() + b"\n")
        server.stdin.flush()
        for line in server.stdout:
            answer = json.loads(line)
            if answer.get("id") == number:
                return answer
        sys.exit("the server is gone")

    request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                           "clientInfo": {"name": "growth", "version": "1"}})
    times = []
    for turn in range(ROUNDS + 1):
        for question in questions:
            began = time.monotonic()
            answer = request("tools/call", {"name": "ctx_explore", "arguments": {"query": question}})
            while "is still being built" in answer["result"]["content"][0]["text"]:
                answer = request("tools/call", {"name": "ctx_explore", "arguments": {"query": question}})
            if turn:
                times.append((time.monotonic() - began) * 1000)
    server.stdin.close()
    server.wait()
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("--lines", type=int, nargs="+", default=[100_000, 1_000_000, 5_000_000])
    parser.add_argument("--work", type=pathlib.Path, help="a folder for the trees")
    options = parser.parse_args()
    binary, tree = str(options.binary.resolve()), options.tree.resolve()
    work = pathlib.Path(tempfile.mkdtemp(prefix="growth-", dir=options.work))
    files = list(sources(tree))
    names = defined(binary, tree, files)
    some = sorted(names, key=len)[-12::4]
    questions = ["how does a request reach its handler", "where is the configuration read and validated",
                 *(f"what calls {name}{ending(0)} and what does it call" for name in some)]
    first = None
    print("| lines | files | CPU, us/line | wall, s | peak, MB | index, bytes/source byte | warm answer, ms |"
          " CPU per line, ratio | peak, ratio | answer, ratio |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for lines in options.lines:
        root, cache = work / "tree", work / "cache"
        written, count = make(files, names, lines, root)
        size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
        cpu, wall, peak = measured([binary, "index", str(root), "--index-dir", str(cache)])
        stored = sum(path.stat().st_size for path in cache.rglob("*") if path.is_file())
        median = warm(binary, str(root), str(cache), questions)
        row = (cpu / written, peak, median)
        first = first or row
        ratios = " | ".join(f"{now / before:.2f}" for now, before in zip(row, first))
        print(f"| {written} | {count} | {cpu / written * 1e6:.1f} | {wall:.1f} | {peak / 1e6:.0f} |"
              f" {stored / size:.2f} | {median:.1f} | {ratios} |", flush=True)
        shutil.rmtree(root)
        shutil.rmtree(cache)
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
