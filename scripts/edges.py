#!/usr/bin/env python3
"""Judge the call edges of ctx-explore against SCIP indices made by type checkers.

    scripts/edges.py BINARY JUDGE [--examples N] NAME SCIP SOURCE [NAME SCIP SOURCE ...]

Indexes each SOURCE with BINARY into a folder of its own, writes the graph as JSON lines, and runs the
script JUDGE on it:

    JUDGE SCIP --source SOURCE --dump DUMP --misses N --wrongs N

JUDGE prints a line that begins with `sites_in=`; its figures become a row of a table. Each of its lines
`wrong PATH LINE COL said [...] is ...` is then looked up in the SCIP index, and those that the index
itself causes are counted apart:

    unnamed    the index names a symbol of the project that it defines nowhere
    shared     several definitions have the symbol, and the edge leads to another one of them
    builtin    a member's name, taken for the built-in class of that name

A SCIP index of a Python package is made with

    npm install @sourcegraph/scip-python@0.6.6
    scip-python index --project-name NAME --project-version 1 --cwd SOURCE --output NAME.scip

with the package's dependencies installed in the environment, so that names from outside are known; where
the package lies below a folder like `src`, with a `pyrightconfig.json` that says so (`extraPaths`).
"""
import argparse
import ast
import collections
import os
import re
import subprocess
import sys
import tempfile

FIGURES = ["sites_in", "recall", "judged", "precision", "unjudged"]
CAUSES = ["unnamed", "shared", "builtin"]


def fields(message):
    """The numbered fields of a protobuf message."""
    at = 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        key = number()
        kind = key & 7
        if kind == 0:
            yield key >> 3, number()
            continue
        size = number() if kind == 2 else {1: 8, 5: 4}[kind]
        yield key >> 3, message[at : at + size]
        at += size


def packed(value):
    numbers, shift, current = [], 0, 0
    for byte in value:
        current |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(current)
            current = shift = 0
    return numbers


class Scip:
    """Which symbol stands where, and where each is defined; lines from 1, columns in bytes."""

    def __init__(self, path, source):
        self.symbols = {}
        self.definitions = collections.defaultdict(list)
        self.modules = set()
        with open(path, "rb") as file:
            documents = [value for field, value in fields(file.read()) if field == 2]
        for document in documents:
            parts = list(fields(document))
            name = next(value for field, value in parts if field == 1).decode()
            module = re.sub(r"(/__init__)?\.\w+$", "", name).split("/")
            self.modules.update(".".join(module[start:]) for start in range(len(module)))
            try:
                with open(os.path.join(source, name), "rb") as file:
                    lines = file.read().split(b"\n")
            except OSError:
                continue
            for occurrence in (value for field, value in parts if field == 2):
                said = dict(fields(occurrence))
                place = packed(said[1])
                symbol = said.get(2, b"").decode()
                if symbol.startswith("local ") or place[0] >= len(lines):
                    continue
                text = lines[place[0]].decode("utf8", "replace")
                column = len(text[: place[1]].encode())
                if said.get(3, 0) & 1:
                    self.definitions[symbol].append((name, place[0] + 1))
                else:
                    self.symbols[name, place[0] + 1, column] = (symbol, text[: place[1]])

    def cause(self, site, said):
        symbol, before = self.symbols.get(site, ("", ""))
        if not symbol:
            return None
        if symbol not in self.definitions:
            module = re.search(r"`([\w.]+)`/", symbol)
            if module and module.group(1) in self.modules and "-stdlib " not in symbol:
                return "unnamed"
            if " builtins/" in symbol and symbol.endswith("#") and before.rstrip().endswith("."):
                return "builtin"
        elif len(self.definitions[symbol]) > 1 and any(place in self.definitions[symbol] for place in said):
            return "shared"
        return None


def measure(binary, judge, scip, source):
    with tempfile.TemporaryDirectory() as folder:
        dump = os.path.join(folder, "dump.jsonl")
        with open(dump, "wb") as out:
            command = [binary, "index", source, "--index-dir", os.path.join(folder, "index"), "--dump"]
            subprocess.run(command, stdout=out, stderr=subprocess.DEVNULL, check=True)
        command = [sys.executable, judge, scip, "--source", source, "--dump", dump]
        command += ["--misses", "1000000", "--wrongs", "1000000"]
        return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("judge")
    parser.add_argument("packages", nargs="+", metavar="NAME SCIP SOURCE")
    parser.add_argument("--examples", type=int, default=0)
    args = parser.parse_args()
    if len(args.packages) % 3:
        parser.error("each package is a name, a SCIP index and a source folder")
    rows, rest = [], []
    for at in range(0, len(args.packages), 3):
        name, scip, source = args.packages[at : at + 3]
        printed = measure(args.binary, args.judge, scip, source)
        index = Scip(scip, source)
        causes = collections.Counter()
        shown = collections.Counter()
        for line in printed[1:]:
            kind = line.split(" ", 1)[0]
            wrong = re.match(r"wrong (.+) (\d+) (\d+) said (\[.*?\]) is ", line)
            if wrong:
                path, row, column, said = wrong.groups()
                cause = index.cause((path, int(row), int(column)), ast.literal_eval(said))
                causes[cause] += 1
                kind = cause or kind
            shown[kind] += 1
            if shown[kind] <= args.examples:
                rest.append(f"{name}: {kind}: {line}")
        figures = dict(re.findall(r"(\w+)=([\d.]+)", printed[0]))
        row = [figures.get(figure, "") for figure in FIGURES] + [str(causes[cause]) for cause in CAUSES]
        rows.append([name] + row)
    print("| package | " + " | ".join(FIGURES + CAUSES) + " |")
    print("|---" * (len(FIGURES + CAUSES) + 1) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print("\n".join(rest))


if __name__ == "__main__":
    main()
