#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the published results of one device, the most read ones first, into a folder such as reports/examples/NAME.

A result of the same revision is not made again, so a second call goes on where the first was ended. `make figures` then
draws the pages. It needs a committed tree, and the program of this tree; with PyTorch it also times the peers.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import packed
import result_paths

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "scripts/peers"))
import peers_file  # noqa: E402

PROGRAM = ROOT / "build/vkassay"
SYSTEMS = "torchless", "candle", "torsh", "tensor-frame", "libtorch-rust"
ENERGY = "copy.vec4", "fma_chain*", "matmul.*", "softmax.*", "layernorm.*", "sum.*"
INPUTS = "exp.scalar", "sqrt.map", "rsqrt.map", "log.map", "sigmoid.map", "sin.map", "cos.map", "tanh.scalar", "silu.scalar", \
    "gelu_tanh.scalar"

# command: words of vkassay, without output and device; times: the peers to time afterwards; raw: keeps raw samples
Part = collections.namedtuple("Part", "file command times raw", defaults=("", False))
GPU = {
    "quick": Part("quick.json", ("bench", "--suite", "quick")),
    **{name: Part(f"results/{name}.json.gz", ("bench", "--suite", name)) for name in SYSTEMS},
    "claims": Part("claims.json.gz", ("bench", "--suite", "claims")),
    "peers": Part("peers-result.json.gz", ("bench", "--suite", "peers-wide"), "peers.json.gz"),
    "drawn": Part("drawn-result.json.gz", ("bench", "--suite", "{drawn}"), "drawn-peers.json.gz"),
    "full": Part("results/full.json.gz", ("check", "--suite", "full", "--jobs", "8")),
    "energy": Part("results/energy.json.gz", ("bench", "--suite", "quick", "--timing", "energy=on", *ENERGY)),
    "shapes": Part("shapes.json.gz", ("bench", "--suite", "tuning"), raw=True),
    "exhaustive": Part("exhaustive.json", ("check", "--tier", "exhaustive", *INPUTS)),
}
CPU = {"full": Part("results/full.json.gz", ("check", "--suite", "full"))}


def call(options, *words):
    """Runs the program, which may find wrong points (status 1) or stop at its budget (4). Returns what it printed."""
    done = subprocess.run([options.program, *words], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    if done.returncode not in (0, 1, 4):
        sys.exit(f"results: {' '.join(map(str, words))}: exit status {done.returncode}\n{done.stdout[-2000:]}")
    return done.stdout


def revision_of(path):
    return packed.result(path)["tool"]["git"] if path.exists() else None


def write(path, value):
    """Writes a result whole or not at all, so that an ended call leaves no half of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{path.name}")
    packed.write(half, json.dumps(value, indent=1) + "\n")
    os.replace(half, path)


def measure(options, part, work):
    """Measures one part. Returns whether the result has all points."""
    drawn = work / "drawn.json"
    if "{drawn}" in part.command:
        subprocess.run([ROOT / "scripts/peers/draw.py", "--seed", str(options.seed), "--out", drawn], check=True)
    words = [word.format(drawn=drawn) for word in part.command]
    run = work / "run"
    call(options, *words, *([] if part.raw else ["--trim"]), "--quiet", "--device", str(options.device), "--out", run)
    result = next(run.glob("**/result.jsonl"))
    value = result_paths.without(json.loads(call(options, "export", result, "--format", "json")))
    write(options.folder / part.file, value)
    if part.times:
        time_peers(options, result, options.folder / part.times, work)
    return value["run"].get("complete", True)


def time_peers(options, result, target, work):
    """Times the peers in several processes, and keeps the least time of each case."""
    runs = []
    for index in range(options.peer_runs):
        out = work / f"peers-{index}.json"
        subprocess.run([ROOT / "scripts/peers/torch.py", result, "--out", out, "--program", options.program, "--jobs", "8"],
                       check=True)
        runs.append(json.loads(out.read_text()))
    write(target, least(runs))


def least(runs):
    """Returns the first of several files of peers, with the least time of each case among all."""
    best = {}
    for run in runs:
        for entry in run["times"]:
            key = entry["peer"], *peers_file.key_of(entry)
            if key not in best or entry["median_ns"] < best[key]["median_ns"]:
                best[key] = entry
    return runs[0] | {"times": list(best.values())}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("parts", nargs="*", help=f"default: all; for a CPU {', '.join(CPU)}, else {', '.join(GPU)}")
    parser.add_argument("--device", default=0, type=int, help="index in the list of `vkassay devices`")
    parser.add_argument("--program", default=PROGRAM, type=pathlib.Path)
    parser.add_argument("--seed", default=1, type=int, help="of the drawn cases; take one that was not used before")
    parser.add_argument("--peer-runs", default=3, type=int, help="processes of PyTorch, of which the least time counts")
    parser.add_argument("--seconds", default=float("inf"), type=float, help="begin no further part after this time")
    options = parser.parse_intermixed_args()
    options.program = options.program.resolve()
    options.folder = options.folder.resolve()
    started = time.monotonic()
    devices = json.loads(call(options, "devices", "--json"))
    known = CPU if devices[options.device]["kind"] == "cpu" else GPU
    if unknown := set(options.parts) - set(known):
        sys.exit(f"results: no part {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    today = call(options, "--version").partition("(")[2].partition(")")[0]
    for name in options.parts or known:
        part = known[name]
        if revision_of(options.folder / part.file) == today:
            print(f"{name}: is of {today}")
        elif time.monotonic() - started > options.seconds:
            print(f"{name}: not begun, {options.seconds:.0f} s are over")
        else:
            with tempfile.TemporaryDirectory() as work:
                before = time.monotonic()
                complete = measure(options, part, pathlib.Path(work))
                print(f"{name}: {time.monotonic() - before:.0f} s{'' if complete else ', incomplete'}", flush=True)


if __name__ == "__main__":
    main()
