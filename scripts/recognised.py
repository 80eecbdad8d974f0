#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records the program's own kernels and counts how many `vkassay init` recognises by their data.

recognised.py [--least SHARE] [--show] [FAMILY...]; default: every family with kernels of one dispatch.
Each kernel is a labelled example: `capture -- check --tier smoke` records it in f32, and init must find its operator.
Named: the operator, or another that `init` says is the same function there. Manifest: named, and right in its trial at
other sizes. Other dims: named with dims of no point; the check also runs a few sizes of its own. Wrong: another name.
Exit status: 1 if a name is wrong, or fewer than SHARE percent are named.
"""
import argparse
import collections
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

COLUMNS = ("kernels", "manifest", "named", "other dims", "wrong")


def listed(program, what):
    return json.loads(subprocess.run([program, "list", what, "--json"], stdout=subprocess.PIPE, check=True).stdout)


def one_dispatch(path, cache={}):
    """Returns the names of a manifest's kernels without passes."""
    if path not in cache:
        manifest = json.loads(pathlib.Path(path).read_text())
        cache[path] = {k["name"] for k in manifest["kernels"] if "passes" not in {**manifest.get("common", {}), **k}}
    return cache[path]


def record(program, kernels, folder):
    """Records the kernels. Returns the dims of each kernel's points, as init prints them."""
    check = ["check", "--tier", "smoke", "--jobs", "1", "--quiet", "--seed", "1", "--out", folder / "o"]
    run = subprocess.run([program, "capture", "--out", folder / "c", "--", program, *check,
                          *(f"{name}/f32/*" for name in kernels)],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    results = list((folder / "o").glob("*/*/result.jsonl"))
    if not results:
        sys.exit(f"recognised.py: nothing was checked:\n{run.stdout}")
    dims = collections.defaultdict(set)
    for line in results[0].read_text().splitlines():
        point = json.loads(line).get("name", "").split("/")
        if len(point) == 4:
            dims[point[0]].add(point[2])
    return dims


def recognise(program, folder):
    """Returns lines (kernel, operator, dims, other names, whether there is a manifest, why not)."""
    (folder / "m").mkdir()
    run = subprocess.run([program, "init", folder / "c", "--out", folder / "m/manifest.json"], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True)
    names = {}
    for path in (folder / "c").glob("capture-*.jsonl"):
        for line in map(json.loads, path.read_text().splitlines()):
            if "pipeline" in line and "module" in line:
                names[line["module"]] = line["name"]
    for line in run.stdout.splitlines():
        module = re.search(r"modules/([0-9a-f]{32})\.spv", line)
        if not module:
            continue
        kernel, rest = names[module[1]], line[module.end():]
        found = re.match(r"(?: \([^)]*\))?, \w+, ([^ ;:]+)(?:; the same as ([^:]+))?: (\w+)\.", rest)
        if found and "not placed" not in line:
            yield kernel, found[3], found[1], found[2] or "", True, ""
            continue
        why = rest.split(": ", 1)[-1]
        found = re.match(r"(\w+), ([^ ;:]+)(?:; the same as ([^:]+))?: ", why) or \
            re.match(r"as (\w+)()(): a trial differs", why)
        yield (kernel, *found.groups(""), False, why) if found else (kernel, "", "", "", False, why)


def same_dims(found, point):
    """Returns whether the dims are a point's, but for dims that fold into one."""
    found, point = (dict(part.split("=") for part in text.split(",")) for text in (found, point))
    other = [name for name in found if found[name] != point.get(name)]
    return all(name in point for name in other) and \
        math.prod(int(found[name]) for name in other) == math.prod(int(point[name]) for name in other)


def judge(operator, dims, line):
    """Returns which column the line belongs to; None: no name."""
    _, name, found, also, manifest, why = line
    if not name:
        return None
    if name != operator and operator not in re.split(", | and ", also):
        return "wrong"
    if name == operator and found and not any(same_dims(found, d) for d in dims):
        return "other dims"
    return "manifest" if manifest else "named"


def family(program, name, kernels, show, folder):
    counts = collections.Counter(kernels=len(kernels))
    dims = record(program, kernels, folder)
    best, reasons = {}, collections.defaultdict(list)
    for line in recognise(program, folder):
        if line[0] not in kernels:
            continue
        column = judge(kernels[line[0]], dims[line[0]], line)
        reasons[line[0]].append(f"{column}: {line[1]} {line[2]} {line[5]}")
        order = [None, "other dims", "named", "manifest", "wrong"]
        best[line[0]] = max(best.get(line[0]), column, key=order.index)
    for kernel in kernels:
        column = best.get(kernel)
        if column:
            counts[column] += 1
        if show and column != "manifest":
            print(f"  {kernel} ({kernels[kernel]}): " + ("; ".join(sorted(set(reasons[kernel]))) or "not recorded"))
    counts["named"] += counts["manifest"] + counts["other dims"]
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/vkassay")
    parser.add_argument("--least", type=float, default=0)
    parser.add_argument("--show", action="store_true", help="print why other kernels have no manifest")
    parser.add_argument("families", nargs="*")
    given = parser.parse_args()
    kernels = {k["name"]: k for k in listed(given.program, "kernels")}
    total = collections.Counter()
    print(f"{'family':16}" + "".join(f"{c:>11}" for c in COLUMNS))
    for name in given.families or dict.fromkeys(o["family"] for o in listed(given.program, "operators")):
        chosen = {k: o["name"] for o in listed(given.program, "operators") if o["family"] == name for k in o["kernels"]
                  if "f32" in kernels[k]["dtypes"] and k in one_dispatch(kernels[k]["manifest"])}
        if not chosen or name == "peak":
            continue
        with tempfile.TemporaryDirectory() as folder:
            counts = family(given.program, name, chosen, given.show, pathlib.Path(folder))
        total += counts
        print(f"{name:16}" + "".join(f"{counts[c]:11}" for c in COLUMNS), flush=True)
    share = 100 * total["named"] / max(1, total["kernels"])
    print(f"{'all':16}" + "".join(f"{total[c]:11}" for c in COLUMNS) + f"  {share:.1f} % named")
    sys.exit(total["wrong"] > 0 or share < given.least)


if __name__ == "__main__":
    main()
