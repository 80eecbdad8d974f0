#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Computes a joined table again from its results, in another way.

usage: joined_check.py TABLE RESULT...      results of different devices, newest first
"""
import json
import math
import statistics
import sys


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def shape_of(record):
    return json.dumps(record["shape"], sort_keys=True)


def losses(result):
    """Maps case to shape to loss over the best; inf if the shape is wrong."""
    cases = {}
    for r in result["records"]:
        if r["peak"] or r["status"] == "skip" or "wg" not in r["shape"]:
            continue
        cases.setdefault(r["case"], {})[shape_of(r)] = r["time"]["compute"]["median_ns"] if r["status"] == "pass" else math.inf
    return {case: {s: t / min(times.values()) - 1 for s, t in times.items()}
            for case, times in cases.items() if min(times.values()) < math.inf}


def choice(result, case):
    """Returns the shape to ship: the default if it ties with the fastest, else the first tie with enough samples."""
    timed = [(r, r["time"]["compute"]) for r in result["records"]
             if r["case"] == case and r["status"] == "pass" and not r["peak"]]
    most = max(t["samples"] for _, t in timed)
    enough = 10 if most >= 10 else (most + 1) // 2
    sampled = [(r, t) for r, t in timed if t["samples"] >= enough]
    fastest = min((t for _, t in sampled), key=lambda t: t["median_ns"])
    reach = fastest["hi_ns"] + min(100, 0.04 * fastest["median_ns"])
    return next((shape_of(r) for r, t in [x for x in timed if x[0]["default"]] + sampled if t["lo_ns"] <= reach))


def sources(result):
    """Maps (case, shape) to the measured source."""
    return {(r["case"], shape_of(r)): r["source_hash"] or "" for r in result["records"]
            if not r["peak"] and r["status"] != "skip" and "wg" in r["shape"]}


def check_sources(entry, case, shape, members, measured):
    """Asserts the row's hash: its device's, or the first member's with a measurement. Other sources are listed."""
    of = [where.get((case, shape)) for where in measured]
    assert entry["source_hash"] == next(of[i] for i in members if of[i] is not None), entry
    assert entry["other_source"] == [i for i, hash in enumerate(of) if hash not in (None, entry["source_hash"])], entry


def choose(case, devices):
    """Returns the smallest greatest loss of a shape, among shapes measured and right on all devices."""
    common = set.intersection(*(set(d[case]) for d in devices))
    worst = {s: max(d[case][s] for d in devices) for s in common}
    return min(worst.values(), default=math.inf)


def group(info, scope):
    return {"family": (info["vendor_id"], info["device_id"] >> 8), "vendor": info["vendor_id"], "portable": 0}[scope]


def main(table, *paths):
    table, results = load(table), [load(p) for p in paths]
    devices = [losses(r) for r in results]
    assert [d["name"] for d in table["devices"]] == [r["device"]["name"] for r in results]
    measured = [sources(r) for r in results]
    rows = 0
    for entry in table["tuned"]:
        case = next(c for c in devices[0] if c == f"{entry['kernel']}/{entry['dtype']}/" + ",".join(
            f"{k}={v}" for k, v in entry["dims"].items()))
        shape = json.dumps(entry["shape"], sort_keys=True)
        for loss, device in zip(entry["losses"], devices):
            want = device.get(case, {}).get(shape)
            assert loss == "wrong" if want == math.inf else loss is None if want is None else abs(loss - want) < 1e-9, (entry, want)
        names = [r["device"]["name"] for r in results]
        if entry["scope"] == "device":
            check_sources(entry, case, shape, [names.index(entry["device"]["name"])], measured)
            own = [i for i, r in enumerate(results) if r["device"]["name"] == entry["device"]["name"]]
            assert shape == choice(results[own[0]], case) if len(own) == 1 else 0 in [entry["losses"][i] for i in own]
            continue
        numbers = [i for i, r in enumerate(results)
                   if entry["scope"] == "portable" or r["device"]["vendor_id"] == entry["device"]["vendor_id"] and (
                       entry["scope"] == "vendor" or r["device"]["device_id"] >> 8 == entry["device"]["device_id"] >> 8)]
        members = [devices[i] for i in numbers]
        check_sources(entry, case, shape, numbers, measured)
        assert entry["members"] == len(members) > 1
        assert abs(entry["worst_loss"] - choose(case, members)) < 1e-9, (entry, choose(case, members))
        rows += 1
    assert rows
    for f in table["fallbacks"]:
        info = results[f["device"]]["device"]
        others = [d for i, d in enumerate(devices) if i != f["device"]
                  and group(results[i]["device"], f["scope"]) == group(info, f["scope"])]
        alike = [i for i, d in enumerate(devices) if any(d is o for o in others)]
        here, lost, other = devices[f["device"]], [], 0
        for case in here:
            common = set.intersection(*(set(d[case]) for d in others))
            best = min((max(d[case][s] for d in others), sum(d[case][s] for d in others), s) for s in common)
            lost.append(here[case].get(best[2]))
            first = next(measured[i][case, best[2]] for i in alike if (case, best[2]) in measured[i])
            other += measured[f["device"]].get((case, best[2]), first) != first
        finite = [x for x in lost if x is not None and x < math.inf]
        assert f["other_source"] == other
        assert f["cases"] == len(lost) and f["wrong"] == lost.count(math.inf) and f["unknown"] == lost.count(None)
        assert abs(f["median_loss"] - statistics.median(finite)) < 1e-9 and abs(f["worst_loss"] - max(finite)) < 1e-9
    expected = sum(1 for i, r in enumerate(results) for scope in ("family", "vendor", "portable")
                   if any(group(o["device"], scope) == group(r["device"], scope) for k, o in enumerate(results) if k != i))
    assert len(table["fallbacks"]) == expected


if __name__ == "__main__":
    main(*sys.argv[1:])
