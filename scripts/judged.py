#!/usr/bin/env python3
"""Judge a graph's call edges against call sites whose targets were found by reading.

    git clone REPOSITORY SRC && git -C SRC checkout COMMIT      # both are in the list's header
    ctx-explore index SRC --dump > DUMP.jsonl
    judged.py fixtures/judged/NAME.jsonl DUMP.jsonl [--show]

The first line of a list is its header: the repository, the commit, and for each stratum how many call
sites there are (`of`). Each other line is one call site: `path`, `line` (from 1), `col` (bytes, from 0),
its `stratum`, and its `truth`: the places that may be named as what is called (`path:line` of a name), or
"external" (nothing in the repository), "local" (a value is called, so that no declaration is), or
"unknowable" (not counted).

The strata are what the graph said when the sample was drawn; they only weigh. A call site is found if
every call edge there leads to a place of its truth, and one does.

    precision = sites found / sites with an edge        recall = sites found / sites with a place

each site weighted by how many of its stratum it stands for.
"""
import argparse
import collections
import json


def rows(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def edges(path, sites):
    """The targets of call edges at the sites, as `path:line`."""
    found = collections.defaultdict(set)
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            if '"calls"' not in line and '"instantiates"' not in line:
                continue
            row = json.loads(line)
            if row.get("kind") not in ("calls", "instantiates"):
                continue
            site = row["site"]
            key = (site["path"], site["line"], site["col"])
            if key in sites:
                found[key].add(f'{row["to"]["path"]}:{row["to"]["line"]}')
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list")
    parser.add_argument("dump")
    parser.add_argument("--show", action="store_true", help="print the sites that are wrong or missing")
    args = parser.parse_args()
    header, *judged = rows(args.list)
    drawn = collections.Counter(row["stratum"] for row in judged)
    weight = {name: header["of"][name] / count for name, count in drawn.items()}
    sites = {(row["path"], row["line"], row["col"]) for row in judged}
    found = edges(args.dump, sites)
    sums = collections.Counter()
    counts = collections.Counter()
    for row in judged:
        truth = row["truth"]
        if truth == "unknowable":
            counts["unknowable"] += 1
            continue
        said = found.get((row["path"], row["line"], row["col"]), set())
        places = set(truth) if isinstance(truth, list) else set()
        right = bool(said) and said <= places
        share = weight[row["stratum"]]
        for name, holds in (("said", said), ("there", places), ("right", right)):
            if holds:
                sums[name] += share
                counts[name] += 1
        if args.show and not right and (said or places):
            kind = "wrong" if said else "missing"
            print(f'{kind} {row["path"]}:{row["line"]}:{row["col"]} said {sorted(said)} is {truth}')
    precision = sums["right"] / max(sums["said"], 1)
    recall = sums["right"] / max(sums["there"], 1)
    print(
        f'sites={len(judged)} with_edge={counts["said"]} with_place={counts["there"]} '
        f'found={counts["right"]} unknowable={counts["unknowable"]} '
        f"precision={precision:.3f} recall={recall:.3f}"
    )


main()
