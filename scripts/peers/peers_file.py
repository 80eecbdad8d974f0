# SPDX-License-Identifier: Apache-2.0
"""Writes peers.json (reports/schema/peers.schema.json): times of other programs for the cases of a result."""
import json
import os
import statistics
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import packed  # noqa: E402


def key_of(case):
    """Returns a key that is equal for records and entries of one case."""
    return case["operator"], case["dtype"], tuple(sorted(case["dims"].items()))


def cases_of(path):
    """Returns each timed case of a result once, in order: operator, dtype, dims."""
    result = packed.result(path)
    seen, out = set(), []
    for record in result["records"]:
        compute = (record.get("time") or {}).get("compute")
        key = key_of(record)
        if record["status"] != "pass" or not compute or key in seen:
            continue
        seen.add(key)
        out.append({"operator": record["operator"], "dtype": record["dtype"], "dims": record["dims"]})
    return out


def time_of(peer, case, samples_ns, call):
    """Returns an entry of peers.json from the samples of one case, with the 95 % interval of the median by ranks."""
    ordered = sorted(samples_ns)
    count = len(ordered)
    reach = int(0.98 * count ** 0.5) + 1
    return {"peer": peer, **case, "median_ns": statistics.median(ordered),
            "lo_ns": ordered[max(0, count // 2 - reach)], "hi_ns": ordered[min(count - 1, (count - 1) // 2 + reach)],
            "samples": count, "call": call}


def write(path, peers, times, left_out, into=None):
    """Writes the file. With `into`, it keeps that file's entries of other programs."""
    out = {"schema_version": 1, "peers": [], "times": [], "left_out": []}
    names = {peer["name"] for peer in peers}
    if into:
        with open(into, encoding="utf-8") as file:
            out = json.load(file)
        for key, name in (("peers", "name"), ("times", "peer"), ("left_out", "peer")):
            out[key] = [item for item in out[key] if item[name] not in names]
    out["peers"] += peers
    out["times"] += times
    out["left_out"] += left_out
    with open(path, "w", encoding="utf-8") as file:
        json.dump(out, file, indent=1)
        file.write("\n")
