#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what the times are worth: false alarms, power, agreement, repeatability, efficiency, devices together.

Each subcommand prints a markdown table and writes a JSON file. It needs the program, in build/ or in a bundle, and
Python's standard library. `proof.py COMMAND --help` lists the options. A smaller --count shortens false-alarms and
power.
"""
import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import packed

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = HERE if os.path.exists(os.path.join(HERE, "run")) else os.path.dirname(HERE)
PROGRAMS = [os.path.join(ROOT, "run"), os.path.join(ROOT, "vkassay"), os.path.join(ROOT, "build", "vkassay")]


def program(options):
    return [options.program or next(p for p in PROGRAMS if os.path.exists(p))]


def call(options, *arguments, statuses=(0,)):
    command = program(options) + list(arguments)
    if options.device and arguments[0] != "compare":
        command += ["--device", options.device]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in statuses:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def bench(options, *arguments):
    """Returns the path of a run's result."""
    out = tempfile.mkdtemp(dir=options.work)
    call(options, "bench", *arguments, "--quiet", "--out", out, statuses=(0, 1))
    return glob.glob(os.path.join(out, "*", "*", "result.jsonl"))[0]


def medians(path):
    """Maps each point to its compute median in nanoseconds."""
    records = packed.result(path)["records"]
    return {r["name"]: r["time"]["compute"]["median_ns"] for r in records
            if r["status"] == "pass" and "compute" in (r.get("time") or {})}


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def report(options, title, columns, rows, more):
    print(f"\n### {title}\n\n| " + " | ".join(columns) + " |\n|" + "---|" * len(columns))
    for row in rows:
        print("| " + " | ".join(f"{x:.4g}" if isinstance(x, float) else str(x) for x in row) + " |")
    device = json.loads(subprocess.run(program(options) + ["devices", "--json"], capture_output=True, text=True).stdout)[0]
    version = subprocess.run(program(options) + ["--version"], capture_output=True, text=True).stdout
    whole = {"proof": title, "tool": {"name": "vkassay", "git": version.partition("(")[2].rstrip(")\n")},
             "command": ["proof.py", *sys.argv[1:]], "device": device["name"], "driver": device["driver_info"],
             "rows": [dict(zip(columns, row)) for row in rows], **more}
    with open(options.json, "w") as file:
        json.dump(whole, file, indent=1)
    print(f"\n{device['name']}; all figures are in {options.json}")


# ---- false alarms

def verdicts(text):
    whole = json.loads(text)
    return whole["counts"], whole["compared"]


def false_alarms(options):
    head = os.path.join(options.work, "kernels")
    shutil.copytree(os.path.join(ROOT, "kernels"), head)
    rows, alarms = [], []
    for way in options.ways.split(","):
        sums, points = {}, 0
        last = bench(options, "--suite", options.suite, *options.select) if way == "compare" else None
        for _ in range(options.count):
            if way == "ab":
                text = call(options, "ab", "--base", os.path.join(ROOT, "kernels"), "--head", head, "--suite", options.suite,
                            "--effect", str(options.effect), "--format", "json", "--quiet", *options.select, statuses=(0, 1, 2))
            else:
                new = bench(options, "--suite", options.suite, *options.select)
                text = call(options, "compare", last, new, "--effect", str(options.effect), "--format", "json", statuses=(0, 1, 2))
                last = new
            counts, compared = verdicts(text)
            points += len(compared)
            for verdict, count in counts.items():
                sums[verdict] = sums.get(verdict, 0) + count
            alarms += [{"way": way, **p} for p in compared if p["verdict"] in ("slower", "faster", "wrong")]
        rows.append([way, options.count, points] + [sums.get(v, 0) for v in ("slower", "faster", "wrong", "ambiguous", "same")])
    report(options, f"False alarms: a version against itself, least effect {options.effect:g} %",
           ["way", "comparisons", "points", "slower", "faster", "wrong", "ambiguous", "same"], rows, {"alarms": alarms})


# ---- power

MANIFEST = """{"kernels": [{"name": "relu.delayed", "operator": "relu", "summary": "relu with a delay", "shader": "relu.comp",
"dtypes": ["f32"], "bindings": ["x", "y"], "push": ["n"], "tunables": {"WG_X": {"values": [64], "default": 64}},
"grid": [{"over": ["n"], "by": ["WG_X"]}], "fold": true}]}"""
SHADER = """#version 450
#extension GL_GOOGLE_include_directive : require
#include "grid.glsl"
#define DELAY %d
layout(binding = 0) readonly buffer X { float x[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint n; };
void main() {
    uint i = linear_invocation(), v = i + 1;
    for (uint k = 0; k < DELAY; k++) { v ^= v << 13; v ^= v >> 17; v ^= v << 5; }
    if (i < n) y[i] = v == 0 ? 7.0 : max(x[i], 0.0); // it never is
}
"""


def delayed(options, turns):
    folder = os.path.join(options.work, f"delay-{turns}")
    if not os.path.exists(folder):
        os.mkdir(folder)
        for name, text in (("relu.json", MANIFEST), ("relu.comp", SHADER % turns)):
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)
    return folder


def pair(options, suite, turns, seed):
    text = call(options, "ab", "--base", delayed(options, options.turns), "--head", delayed(options, turns), "--suite", suite,
                "--seed", str(seed), "--effect", str(options.effect), "--format", "json", "--quiet", statuses=(0, 1, 2))
    return {p["name"]: p for p in verdicts(text)[1]}


def suite_of(options, name, sizes, seconds):
    path = os.path.join(options.work, name + ".json")
    with open(path, "w") as file:
        json.dump({"schema_version": 1, "name": name, "summary": "a proof",
                   "settings": {"point_seconds": seconds, "reference_seconds": 1e-3, "check_operations": 1e6},
                   "entries": [{"kernel": "relu.delayed", "dims": {"n": sizes}, "shapes": "default"}]}, file)
    return path


def calibrate(options, suite):
    """Returns the turns of delay for each slowdown. Half as many turns more show the share of the time of one turn."""
    more = options.turns + options.turns // 2
    found = pair(options, suite, more, 1)
    share = median([p["ratio"] - 1 for p in found.values()]) / (more - options.turns)
    return {s: options.turns + round(s / 100 / share) for s in options.slowdowns}


def power(options):
    suite = suite_of(options, "power", options.sizes, options.seconds)
    long_suite = suite_of(options, "truth", options.sizes, options.seconds * 4)
    turns = calibrate(options, long_suite)
    rows = []
    for slowdown in options.slowdowns:
        truth = pair(options, long_suite, turns[slowdown], 99)
        runs = [pair(options, suite, turns[slowdown], seed + 1) for seed in range(options.count)]
        for name in truth:
            found = [run[name] for run in runs]
            held = [p for p in found if p["lo"] is not None]
            covered = sum(p["lo"] <= truth[name]["ratio"] <= p["hi"] for p in held)
            rows.append([f"{slowdown} %", name.split("/")[2], found[0]["base_ns"] / 1e3, truth[name]["ratio"],
                         median([p["ratio"] for p in found]), sum(p["verdict"] == "slower" for p in found) / len(found),
                         covered / max(len(held), 1), sum(p["verdict"] == "faster" for p in found)])
    report(options, f"Power: a kernel slowed on purpose, through ab, least effect {options.effect:g} %",
           ["slowed by", "dims", "us", "true ratio (long A/B)", "median ratio", "found slower", "intervals that hold it", "faster"],
           rows, {"turns": turns, "base_turns": options.turns, "count": options.count, "effect": options.effect})


# ---- agreement

def agreement(options):
    select = options.select or ["copy.*", "add.*", "softmax.*", "matmul.*"]
    common = ["--suite", options.suite, *select]
    ours = medians(bench(options, *common))
    host = medians(bench(options, *common, "--timing", f"clock=host,interval={options.host_ms}"))
    single = medians(bench(options, *common, "--timing", f"interval={options.interval_ms}"))
    double = medians(bench(options, *common, "--timing", f"interval={2 * options.interval_ms}"))
    rows = []
    for name, ns in ours.items():
        if ns < options.least_us * 1e3 or name not in host or name not in single or name not in double:
            continue
        rows.append([name, ns / 1e3, host[name] / 1e3, ns / host[name], 2 * double[name] / single[name]])
    rows.sort(key=lambda row: -abs(row[3] - 1))
    near = sum(abs(row[3] - 1) <= 0.03 for row in rows)
    linear = sum(abs(row[4] - 2) <= 0.02 for row in rows)
    summary = {"points": len(rows), "within_3_percent_of_the_host": near, "doubled_work_within_1_percent": linear}
    report(options, "Agreement: the GPU's clock against the host's over long batches, and doubled work",
           ["point", "us", "us by the host", "ratio", "time of 2R over R"], rows, summary)
    print(f"{near} of {len(rows)} within 3 % of the host's clock; {linear} within 2 ± 1 % for doubled work")


# ---- repeatability and efficiency

def repeatability(options):
    first, second = (medians(bench(options, "--suite", options.suite, *options.select)) for _ in range(2))
    both = [n for n in first if n in second and first[n] >= options.least_us * 1e3]
    rows = sorted(([n, first[n] / 1e3, second[n] / 1e3, 100 * (second[n] / first[n] - 1)] for n in both),
                  key=lambda row: -abs(row[3]))
    close = sum(abs(row[3]) < 1 for row in rows)
    report(options, "Repeatability: a suite twice, in two processes", ["point", "us", "us again", "difference %"],
           rows[:options.show], {"points": len(rows), "below_1_percent": close, "least_us": options.least_us, "all": rows})
    print(f"{close} of {len(rows)} points above {options.least_us:g} us differ by less than 1 %")


def efficiency(options):
    path = options.result or bench(options, "--suite", options.suite, *options.select)
    run = packed.result(path)["run"]
    total = sum(run["wall"].values())
    rows = [[part[:-2], seconds, 100 * seconds / total] for part, seconds in run["wall"].items()]
    useful = run["wall"]["compute_s"] + run["wall"]["reference_s"]
    report(options, f"Efficiency: where {total:.0f} s of suite {run['suite']} went", ["part", "seconds", "%"], rows,
           {"compute_and_reference_share": useful / total})
    print(f"{100 * useful / total:.0f} % is the device at work or the scalar reference")


# ---- several devices at the same time

def timed_bench(options, devices, name):
    """Returns the seconds of a run and its results by device. Each run has its own cache, so none reuses a build."""
    out = os.path.join(options.work, name)
    started = time.monotonic()
    done = subprocess.run(program(options) + ["bench", "--suite", options.suite, "--device", devices, "--quiet",
                                              "--trim", "--out", out, *options.select], capture_output=True, text=True,
                          env={**os.environ, "VKASSAY_CACHE": os.path.join(options.work, "cache-" + name)})
    seconds = time.monotonic() - started
    if done.returncode not in (0, 1):
        sys.exit(f"bench --device {devices}: exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    results = {}
    for path in glob.glob(os.path.join(out, "*", "*", "result.jsonl")):
        result = packed.result(path)
        results[result["device"]["device_uuid"]] = path, result
    return seconds, results


def together(options):
    devices = options.device.split(",") if options.device else []
    if len(devices) < 2:
        sys.exit("together: expected --device A,B")
    alone, walls, inner = {}, [], []
    for index, device in enumerate(devices):
        seconds, results = timed_bench(options, device, f"alone-{index}")
        walls.append(seconds)
        alone.update(results)
    whole, both = timed_bench(options, options.device, "together")
    rows, points = [], []
    for uuid, (path, result) in both.items():
        first, second = medians(alone[uuid][0]), medians(path)
        named = [[n, first[n] / 1e3, second[n] / 1e3, 100 * (second[n] / first[n] - 1)] for n in first
                 if n in second and first[n] >= options.least_us * 1e3]
        near = sum(abs(row[3]) < 1 for row in named)
        where = result["device"].get("pci") or uuid
        rows.append([f"{result['device']['name']} {where}", len(named), near, result["run"].get("cores"),
                     alone[uuid][1]["run"]["wall_s"], result["run"]["wall_s"]])
        points += [[where, *row] for row in named]
        inner.append(alone[uuid][1]["run"]["wall_s"])
    ratio = max(row[5] for row in rows) / max(inner)
    points.sort(key=lambda row: -abs(row[4]))
    report(options, "Devices together: a suite on each alone, then on all at the same time",
           ["device", "points", "within 1 %", "cores together", "alone s", "together s"], rows,
           {"wall_alone_s": walls, "wall_together_s": whole, "measuring_ratio": ratio, "least_us": options.least_us,
            "all": points})
    print(f"all at once took {ratio:.3f} times the slowest alone (measuring; whole calls {whole:.1f} s and "
          f"{', '.join(f'{w:.1f}' for w in walls)} s); {sum(r[2] for r in rows)} of {len(points)} points above "
          f"{options.least_us:g} us are within 1 % of alone")


def numbers(text):
    return [int(n) for n in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for function, suite in ((false_alarms, "gate"), (power, None), (agreement, "gate"), (repeatability, "quick"),
                            (efficiency, "full"), (together, "quick")):
        one = commands.add_parser(function.__name__.replace("_", "-"))
        one.set_defaults(function=function)
        one.add_argument("--program", help="default: the bundle's, or build/vkassay")
        one.add_argument("--device", help="as for vkassay")
        one.add_argument("--json", default=f"proof-{one.prog.split()[-1]}.json", help="where the figures go")
        if suite:
            one.add_argument("--suite", default=suite)
            one.add_argument("select", nargs="*", help="points, as for vkassay bench")
        if function in (false_alarms, power):
            one.add_argument("--count", type=int, default=20, help="times each is done")
            one.add_argument("--effect", type=float, default=3 if suite else 1, help="least effect in per cent; a slowdown is found "
                             "only where the whole interval lies beyond it")
        if function is false_alarms:
            one.add_argument("--ways", default="ab,compare")
        if function is power:
            one.add_argument("--sizes", type=numbers, default=[65537, 1048573], help="elements; on a CPU: 4099,16411")
            one.add_argument("--seconds", type=float, default=0.25, help="for the samples of one side, each of two times")
            one.add_argument("--turns", type=int, default=400, help="of the delay loop in the version that is not slowed")
            one.add_argument("--slowdowns", type=numbers, default=[1, 2, 3, 5, 10], help="per cent")
        if function is agreement:
            one.add_argument("--host-ms", type=float, default=20, help="batches timed by the host's clock")
            one.add_argument("--interval-ms", type=float, default=2, help="R of the doubled-work check")
        if function in (agreement, repeatability, together):
            one.add_argument("--least-us", type=float, default=20, help="shorter points are left out")
        if function is repeatability:
            one.add_argument("--show", type=int, default=20, help="rows of the table")
        if function is efficiency:
            one.add_argument("--result", help="a result that is there; nothing is run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="vkassay-proof-") as options.work:
        options.function(options)


if __name__ == "__main__":
    main()
