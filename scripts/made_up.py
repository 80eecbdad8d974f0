#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes up results of any size, to measure merge, table and report at the scale of a fleet.

made_up.py shards RESULT --out DIR --records N --shards K
    repeats the records of RESULT under other dims, cut into shards
made_up.py devices RESULT --out DIR --count N
    makes results of N devices of three vendors, each with its own times
made_up.py runs RESULT --out DIR --count N
    makes N successive runs; now and then the time of a point jumps
made_up.py units RESULT --out DIR --count N
    makes results of N equal devices of one host, begun in one second; number i takes 2 i + 1 times as long

Times are drawn from --seed. Everything else is from RESULT; a trimmed one is best. The host of made-up results is
"made up".
"""
import argparse
import copy
import datetime
import json
import os
import random

import packed


def read(path):
    result = packed.result(path)
    result["host"] = {**result["host"], "cpu": "made up"}
    records = [r for r in result["records"] if r["status"] == "pass" and not r.get("peak")]
    return result, records


def write(path, result, texts):
    """Writes a result with its records given as texts, one per line, so that a big one is never whole in memory."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    head = json.dumps({k: v for k, v in result.items() if k != "records"})
    with open(path, "w") as file:
        file.write(head[:-1] + ',"records":[')
        for i, text in enumerate(texts):
            file.write(",\n" if i else "\n")
            file.write(text)
        file.write("]}\n")


def scaled(record, factor):
    """Returns the record with the times of all figures multiplied by one factor."""
    record = copy.deepcopy(record)
    for figure in record["time"].values():
        for key in figure:
            if key.endswith("_ns") and not isinstance(figure[key], list):
                figure[key] = figure[key] * factor
        figure.pop("raw_ns", None)
    return record


def other_dims(record, k):
    """Returns the record with its first dim larger by k: another point."""
    dim = next(iter(record["dims"]))
    value = record["dims"][dim]
    here = f"{dim}={value}"
    made = {**record, "dims": {**record["dims"], dim: value + k}}
    for key in ("name", "case", "replay"):
        head, _, tail = record[key].partition(here)
        made[key] = f"{head}{dim}={value + k}{tail}"
    return made


def shards(options):
    result, records = read(options.result)
    # Each record becomes a text with holes for its first dim, so that a million records take seconds.
    holes = []
    for record in records:
        made = other_dims(record, 0)
        dim = next(iter(record["dims"]))
        value = record["dims"][dim]
        text = json.dumps(made, separators=(",", ":"))
        text = text.replace(f"{dim}={value}", f"{dim}=@").replace(f'"{dim}":{value}', f'"{dim}":@')
        holes.append((text.split("@"), value))
    step = 1 + max(int(value) for _, value in holes)  # no raised size is another record's
    for shard in range(1, options.shards + 1):
        result["run"] = {**result["run"], "shard": {"index": shard, "count": options.shards}, "complete": True,
                         "left": 0}
        each = range(shard - 1, options.records, options.shards)
        texts = (str(holes[i % len(holes)][1] + i // len(holes) * step).join(holes[i % len(holes)][0]) for i in each)
        write(os.path.join(options.out, f"shard{shard}.json"), result, texts)


def devices(options):
    result, records = read(options.result)
    draw = random.Random(options.seed)
    vendors = [(0x10de, "Made A"), (0x1002, "Made B"), (0x8086, "Made C")]
    for index in range(options.count):
        vendor, maker = vendors[index % 3]
        family = index // 3 % 8
        device = {**result["device"], "name": f"{maker}{family}-{index}", "vendor_id": vendor,
                  "device_id": family << 8 | index // 24 % 256, "device_uuid": f"{index:032x}", "pci": "",
                  "driver_version": 1}
        # The quality of a shape depends on vendor and family first, and then on the device.
        def liking(*key):
            return random.Random(repr((options.seed, *key))).lognormvariate(0, 0.1)
        texts = []
        for record in records:
            shape = json.dumps(record["shape"])
            factor = liking(vendor, shape) * liking(vendor, family, shape) ** 0.5 * draw.lognormvariate(0, 0.01)
            texts.append(json.dumps(scaled(record, factor), separators=(",", ":")))
        write(os.path.join(options.out, f"device{index:04d}.json"), {**result, "device": device}, texts)


def some(records, count):
    """Returns `count` records, spread over the result."""
    return records[:: max(1, len(records) // count)][:count]


def started(index):
    """Returns the start time of a run: one every ten minutes."""
    began = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
    return (began + datetime.timedelta(minutes=10 * index)).strftime("%Y-%m-%dT%H:%M:%SZ")


def jump(level, index, draw):
    """Changes the level of a random point at every 997th run."""
    if index and index % 997 == 0:
        level[draw.randrange(len(level))] *= draw.choice([0.8, 1.25])


def runs(options):
    result, records = read(options.result)
    records = some(records, options.points)
    for record in records:  # as in a baseline
        record["time"] = {"compute": record["time"]["compute"]}
    draw = random.Random(options.seed)
    level = [1.0] * len(records)
    for index in range(options.count):
        jump(level, index, draw)
        texts = [json.dumps(scaled(r, level[i] * draw.lognormvariate(0, 0.005)), separators=(",", ":"))
                 for i, r in enumerate(records)]
        made = {**result, "tool": {**result["tool"], "git": f"{index:07x}"},
                "run": {**result["run"], "started": started(index)}}
        write(os.path.join(options.out, f"run{index:05d}.json"), made, texts)


def units(options):
    result, records = read(options.result)
    for index in range(options.count):
        device = {**result["device"], "device_uuid": f"{index + 1:032x}", "pci": f"0000:{index + 1:02x}:00.0"}
        texts = [json.dumps(scaled(record, 2 * index + 1), separators=(",", ":")) for record in records]
        whole = {**result["run"], "complete": True, "why": None, "left": 0}
        write(os.path.join(options.out, f"unit{index}.json"), {**result, "device": device, "run": whole}, texts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for function in (shards, devices, runs, units):
        one = commands.add_parser(function.__name__)
        one.set_defaults(function=function)
        one.add_argument("result")
        one.add_argument("--out", required=True)
        one.add_argument("--seed", type=int, default=1)
        if function is shards:
            one.add_argument("--records", type=int, default=1000000)
            one.add_argument("--shards", type=int, default=8)
        else:
            one.add_argument("--count", type=int, default=1000)
        if function is runs:
            one.add_argument("--points", type=int, default=96,
                             help="of each run: as many as the gate suite has on lavapipe")
    options = parser.parse_args()
    options.function(options)


if __name__ == "__main__":
    main()
