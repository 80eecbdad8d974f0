#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what defaults lose: the time of a case's best default shape over the time of its best shape.

    scripts/defaults.py RESULT... [--kernels] [--worst N]

A case is an operator, a dtype and dims; with --kernels each kernel has cases of its own. Only cases count that have
right points in a default shape and in others. Results are files of JSON (.gz too), with several shapes a case."""
import argparse
import collections
import gzip
import json
import math


def records(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        return json.load(file)["records"]


def losses(paths, by_kernel):
    cases = collections.defaultdict(list)
    for path in paths:
        for record in records(path):
            time = ((record.get("time") or {}).get("compute") or {}).get("median_ns")
            dims = ",".join(f"{name}={size}" for name, size in record["dims"].items())
            if record["status"] == "pass" and time:
                case = record["kernel" if by_kernel else "operator"], record["dtype"], dims
                cases[case].append((time, record["default"], record["name"]))
    for case, points in cases.items():
        defaults = [point for point in points if point[1]]
        if defaults and len(defaults) < len(points):
            best, default = min(points), min(defaults)
            yield default[0] / best[0], "/".join(case), best[2].rpartition("/")[2], default[2].rpartition("/")[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+")
    parser.add_argument("--kernels", action="store_true")
    parser.add_argument("--worst", type=int, default=10)
    args = parser.parse_args()
    found = sorted(losses(args.results, args.kernels), reverse=True)
    if not found:
        raise SystemExit("defaults: no case has a right point in a default shape and in another")
    rank = [loss for loss, *_ in reversed(found)]
    at90 = rank[math.ceil(len(rank) * 0.9) - 1]
    print(f"{len(rank)} cases: median {rank[(len(rank) - 1) // 2]:.3f}x, 90th percentile {at90:.3f}x, worst {rank[-1]:.2f}x")
    for loss, case, best, default in found[: args.worst]:
        print(f"{loss:5.2f}x  {case}: {best}, default {default}")


if __name__ == "__main__":
    main()
