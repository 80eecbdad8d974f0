#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shrinks a result to be kept: of its times, each record keeps only the compute figure, with samples.

usage: only_compute.py [--bare] RESULT OUT.json.gz      --bare: also without samples, check, reference and facts
"""
import json
import sys

import packed
import result_paths


# These fields describe times; in a record without times they mean nothing.
BESIDE_TIMES = ("build_ns", "host_load", "host_steal", "shader_clock_hz", "remeasured", "looks")
UNTIMED = ("code", *BESIDE_TIMES)
BARE = ("check", "reference", "facts", *BESIDE_TIMES)


def main(source, target, bare=False):
    value = packed.result(source)
    records = value.pop("records")
    for record in records:
        record["time"] = {name: figure for name, figure in (record.get("time") or {}).items() if name == "compute"}
        if not record["time"]:
            for member in UNTIMED:
                record.pop(member, None)
        if bare:
            record["time"].get("compute", {}).pop("raw_ns", None)
            for member in BARE:
                record.pop(member, None)
    result_paths.without(value)
    head = json.dumps(value, indent=1)[:-2]
    lines = ",\n".join("  " + json.dumps(record, separators=(",", ":")) for record in records)
    packed.write(target, f'{head},\n "records": [\n{lines}\n ]\n}}\n')


if __name__ == "__main__":
    words = [w for w in sys.argv[1:] if w != "--bare"]
    if len(words) != 2:
        sys.exit(__doc__)
    main(*words, bare="--bare" in sys.argv)
