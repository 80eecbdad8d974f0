#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A result that is small enough to be kept: of each record the compute figure, with its samples, and no other figure.

usage: only_compute.py RESULT OUT
"""
import json
import sys


def main(source, target):
    with open(source) as file:
        value = json.load(file)
    records = value.pop("records")
    for record in records:
        record["time"] = {name: figure for name, figure in (record.get("time") or {}).items() if name == "compute"}
    head = json.dumps(value, indent=1)[:-2]
    lines = ",\n".join("  " + json.dumps(record, separators=(",", ":")) for record in records)
    with open(target, "w") as file:
        file.write(f'{head},\n "records": [\n{lines}\n ]\n}}\n')


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
