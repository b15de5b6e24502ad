#!/usr/bin/env python3
"""Judge the call edges of a graph against a SCIP index that a language's own front end wrote.

    rust-analyzer scip . --output index.scip                          (in SOURCE)
    ctx-explore index SOURCE --dump > dump.jsonl
    scripts/judge.py index.scip --source SOURCE --dump dump.jsonl --misses 20 --wrongs 20

Judged are call sites: a name followed by `(`. Recall: of the sites that the index resolves to a
function, method or type inside SOURCE, those at which the graph has an edge to the same definition.
Precision: of the sites with an edge that the index resolves at all, those at which they agree.

The first line counts everything. The second leaves out what is a convention, not a resolution:
  collision  the index gives one symbol to several definitions (two test programs with a helper of
             one name): any of them is right
  pattern    a variant or struct in a pattern: the graph says `references`, and no call
  block      the index names an `impl` block: a call of `Self(...)`
  generated  the index names a definition that only a macro's expansion has
"""
import argparse, collections, json, os, random


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = varint(data, at)
        else:
            if wire == 2:
                size, at = varint(data, at)
            else:
                size = 4 if wire == 5 else 8
            value, at = data[at:at + size], at + size
        yield number, value


def packed(data):
    at, values = 0, []
    while at < len(data):
        value, at = varint(data, at)
        values.append(value)
    return values


def occurrences(path):
    """(file, line from 0, column, end column, symbol, is a definition) of every occurrence."""
    for number, document in fields(open(path, "rb").read()):
        if number != 2:
            continue
        file, found = None, []
        for part, value in fields(document):
            if part == 1:
                file = value.decode()
            elif part == 2:
                place, symbol, roles = [], "", 0
                for name, inner in fields(value):
                    if name == 1:
                        place = packed(inner) if isinstance(inner, bytes) else place + [inner]
                    elif name == 2:
                        symbol = inner.decode()
                    elif name == 3:
                        roles = inner
                found.append((place[0], place[1], place[2] if len(place) == 3 else place[3], symbol, bool(roles & 1)))
        for line, column, end, symbol, defines in found:
            yield file, line, column, end, symbol, defines


def call_sites(rows, source, definitions):
    """{(file, line, column in bytes): symbol} of names followed by `(`."""
    texts, sites = {}, {}
    for file, line, column, end, symbol, defines in rows:
        if file not in texts:
            try:
                texts[file] = open(os.path.join(source, file), "rb").read().split(b"\n")
            except OSError:
                texts[file] = []
        if defines or symbol.startswith("local ") or line >= len(texts[file]):
            continue
        text = texts[file][line].decode("utf8", "replace")
        before = text[:column].rstrip()
        if text[end:].lstrip().startswith("(") and not before.endswith(("def", "class")):
            if symbol not in definitions or symbol.endswith(("().", "#")):
                sites[(file, line + 1, len(text[:column].encode()))] = symbol
    return sites


def graph_edges(dump):
    calls, uses = collections.defaultdict(set), collections.defaultdict(set)
    for row in open(dump):
        edge = json.loads(row)
        if "site" not in edge:
            continue
        site = (edge["site"]["path"], edge["site"]["line"], edge["site"]["col"])
        to = (edge["to"]["path"], edge["to"]["line"])
        (calls if edge["kind"] in ("calls", "instantiates") else uses)[site].add(to)
    return calls, uses


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scip")
    parser.add_argument("--source", required=True)
    parser.add_argument("--dump", required=True)
    parser.add_argument("--misses", type=int, default=0)
    parser.add_argument("--wrongs", type=int, default=0)
    options = parser.parse_args()
    rows = list(occurrences(options.scip))
    definitions = collections.defaultdict(list)
    for file, line, _, _, symbol, defines in rows:
        if defines and not symbol.startswith("local "):
            definitions[symbol].append((file, line + 1))
    sites = call_sites(rows, options.source, definitions)
    calls, uses = graph_edges(options.dump)
    packages = {" ".join(symbol.split(" ")[:3]) for symbol in definitions}

    def agrees(found, symbol, all_of_it):
        wanted = definitions[symbol] if all_of_it else definitions[symbol][:1]
        # A class and its constructor count as the same target.
        room = 60 if symbol.endswith("#") else 0
        return any(path == file and 0 <= at - line <= room for path, at in found for file, line in wanted)

    inside = [site for site, symbol in sites.items() if symbol in definitions]
    judged = [site for site in calls if site in sites]
    hits = {site for site in inside if agrees(calls.get(site, ()), sites[site], False)}
    print(f"sites_in={len(inside)} recall={len(hits) / max(len(inside), 1):.3f}"
          f" judged={len(judged)} precision={len(hits) / max(len(judged), 1):.3f}"
          f" unjudged={len(calls) - len(judged)}")

    apart, misses, wrongs, settled = collections.Counter(), [], [], len(hits)
    for site in inside:
        if site in hits:
            continue
        if agrees(calls.get(site, ()), sites[site], True):
            apart["collision"] += 1
            settled += 1
        elif site not in calls and sites[site].endswith("#") and agrees(uses.get(site, ()), sites[site], True):
            apart["pattern"] += 1
        else:
            misses.append(site)
    for site in judged:
        symbol = sites[site]
        if symbol in definitions:
            if not agrees(calls[site], symbol, True):
                wrongs.append(site)
        elif symbol.endswith("]"):
            apart["block"] += 1
        elif " ".join(symbol.split(" ")[:3]) in packages:
            apart["generated"] += 1
        else:
            wrongs.append(site)
    print(f"settled: recall={settled / max(settled + len(misses), 1):.3f}"
          f" precision={settled / max(settled + len(wrongs), 1):.3f}"
          f" apart: {', '.join(f'{kind} {count}' for kind, count in sorted(apart.items()))}")

    draw = random.Random(1)
    for site in draw.sample(sorted(misses), min(options.misses, len(misses))):
        print("miss", *site, "is", *definitions[sites[site]][0])
    for site in draw.sample(sorted(wrongs), min(options.wrongs, len(wrongs))):
        print("wrong", *site, "said", sorted(calls[site]), "is", sites[site])


if __name__ == "__main__":
    main()
