#!/usr/bin/env python3
"""Fit the weights of the ranking on dumps of `ctx-explore eval --features`.

    ctx-explore eval --suite SUITE.ndjson --arm explore --features signals.ndjson
    scripts/fit_weights.py [--ranges] [--rounds N] [--pull X] signals.ndjson [more.ndjson ...]

Candidates compete within a case: the weights maximise the likelihood of the gold files (with --ranges:
of the chunks that a gold range touches, inside the gold files) under a softmax, starting from and held
near the weights of the table. Printed: the table's weights and the fitted ones on the same scale, and hit@1, hit@5
and MRR of both over all cases, and of weights fitted without the repository they are judged on. Keep a
change of a weight only if the last line shows it.
"""
import argparse
import collections
import json
import math


def load(paths, ranges):
    """Names, weights and cases; a case is (group, rows of values, gold flags, fixed factors)."""
    cases = []
    for path in paths:
        with open(path, encoding="utf8") as lines:
            head = json.loads(next(lines))["range_signals" if ranges else "signals"]
            for line in lines:
                case = json.loads(line)
                if not ranges:
                    files = case["files"]
                    rows = [file["signals"] for file in files]
                    gold = [file["path"] in case["gold"] for file in files]
                    cases.append((case["group"], rows, gold, [file["prior"] for file in files]))
                    continue
                for file in case["files"]:
                    hunks = case["gold"].get(file["path"])
                    if hunks and file["ranges"]:
                        touched = [
                            any(s <= h[1] and h[0] <= e for s, e in one["segments"] for h in hunks)
                            for one in file["ranges"]
                        ]
                        rows = [one["signals"] for one in file["ranges"]]
                        cases.append((case["group"], rows, touched, [1.0] * len(rows)))
    names = [name for name, _ in head]
    return names, [weight for _, weight in head], cases


def scores(weights, rows, factors):
    return [factor * sum(w * x for w, x in zip(weights, row)) for row, factor in zip(rows, factors)]


def fit(start, cases, scale, rounds, pull, rate=0.01):
    """Adam on the softmax likelihood; `pull` holds the weights near the start."""
    weights = list(start)
    mean, square = [0.0] * len(weights), [0.0] * len(weights)
    usable = [case for case in cases if any(case[2])]
    for step in range(1, rounds + 1):
        gradient = [pull * scale * (s - w) for s, w in zip(start, weights)]
        for _, rows, gold, factors in usable:
            values = [scale * value for value in scores(weights, rows, factors)]
            top = max(values)
            shares = [math.exp(value - top) for value in values]
            total, wanted = sum(shares), sum(gold)
            for row, share, is_gold, factor in zip(rows, shares, gold, factors):
                error = (is_gold / wanted - share / total) * factor / len(usable)
                if abs(error) > 1e-6:
                    for at, value in enumerate(row):
                        gradient[at] += error * value
        for at, slope in enumerate(gradient):
            mean[at] = 0.9 * mean[at] + 0.1 * slope
            square[at] = 0.99 * square[at] + 0.01 * slope * slope
            slow = mean[at] / (1 - 0.9**step)
            weights[at] += rate * slow / (math.sqrt(square[at] / (1 - 0.99**step)) + 1e-8)
    return weights


def figures(cases, weights_of):
    """hit@1, hit@5 and MRR; a case whose gold is not among the candidates counts as a miss."""
    sums = collections.Counter()
    for case in cases:
        values = scores(weights_of(case[0]), case[1], case[3])
        order = sorted(range(len(values)), key=lambda at: (-values[at], at))
        rank = next((nth for nth, at in enumerate(order, 1) if case[2][at]), 0)
        sums["hit@1"] += rank == 1
        sums["hit@5"] += 0 < rank <= 5
        sums["MRR"] += 1 / rank if rank else 0
    return "  ".join(f"{name} {sums[name] / max(len(cases), 1):.3f}" for name in ("hit@1", "hit@5", "MRR"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dumps", nargs="+")
    parser.add_argument("--ranges", action="store_true", help="the weights of ranges inside their files")
    parser.add_argument("--rounds", type=int, default=150)
    parser.add_argument("--scale", type=float, default=5.0, help="how sharply scores become probabilities")
    parser.add_argument("--pull", type=float, default=0.1, help="how strongly weights are held near the table's")
    options = parser.parse_args()
    names, table, cases = load(options.dumps, options.ranges)
    how = (options.scale, options.rounds, options.pull)
    fitted = fit(table, cases, *how)
    size = sum(map(abs, table)) / sum(map(abs, fitted))
    for name, old, new in zip(names, table, fitted):
        print(f"{name:<14}{old:>8.3f}{new * size:>8.3f}")
    groups = sorted({case[0] for case in cases})
    without = {
        group: fit(table, [case for case in cases if case[0] != group], *how)
        for group in groups
    }
    print(f"\n{len(cases)} cases of {len(groups)} repositories")
    print(f"{'table':<28}{figures(cases, lambda _: table)}")
    print(f"{'fitted, on what it saw':<28}{figures(cases, lambda _: fitted)}")
    print(f"{'fitted, repository left out':<28}{figures(cases, lambda group: without[group])}")


if __name__ == "__main__":
    main()
