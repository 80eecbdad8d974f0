#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the strategies of Kernel Tuner on recorded spaces, at the cost of vkassay's `race`, and writes JSON.

`exports.py kernel-tuner` exports the spaces, and kernel_tuner.tune_kernel searches them in simulation. An
evaluation is Kernel Tuner's default: the mean of 7 samples, drawn again from the recorded ones. `vkassay tune
--simulate` prints the share of all samples used by `race`; a search may use the same share. As there, the choice of a
search is judged by the medians. scripts/figures.py makes the table of harness/tune/README.md from the JSON. Status 3:
Kernel Tuner is not installed (`pip install kernel_tuner`, or --checkout).
"""
import argparse
import contextlib
import importlib
import importlib.metadata
import io
import json
import math
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import warnings

import packed

HERE = pathlib.Path(__file__).resolve().parents[1]
SPACES = HERE / "reports/examples/nvidia-h200/spaces.json.gz"
SAMPLES = 7  # per evaluation: Kernel Tuner's default of `iterations`
NEAR = 0.02
# Its strategies for a single objective. If a strategy fails or lacks a module, the output names it and the reason.
STRATEGIES = ("random_sample", "genetic_algorithm", "minimize", "pso", "simulated_annealing", "dual_annealing",
              "basinhopping", "diff_evo", "mls", "greedy_mls", "ordered_greedy_mls", "greedy_ils", "firefly_algorithm",
              "bayes_opt", "hybrid_vndx", "adaptive_tabu_greywolf")


def load(checkouts):
    """Imports Kernel Tuner. A checkout is not installed, so its version is read from its pyproject.toml."""
    sys.path[:0] = map(str, checkouts)
    installed = importlib.metadata.version

    def version(name):
        for folder in checkouts:
            project = folder / "pyproject.toml"
            text = project.read_text() if project.exists() else ""
            found = re.search(r'^name = "(.*)"[\s\S]*?^version = "(.*?)"', text, re.M)
            if found and found[1] == name:
                return found[2]
        return installed(name)

    importlib.metadata.version = version
    try:
        return importlib.import_module("kernel_tuner")
    except ImportError as error:
        print(f"kernel_tuner_compare.py: Kernel Tuner is not here ({error}): pip install kernel_tuner, or --checkout "
              "DIR of its repository and of what it needs", file=sys.stderr)
        sys.exit(3)


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def race(program, spaces):
    """Returns vkassay's figures of its own strategies, in percent: near, worst, loss and samples."""
    text = subprocess.run([program, "tune", "--simulate", spaces, "--quiet"], check=True, capture_output=True,
                          text=True).stdout
    line = re.compile(r"^  (\w+) +within 2 % of the true best in +([\d.]+)% of the repeats \((\d+)% on its worst "
                      r"case\), mean loss ([\d.]+)%, ([\d.]+)% of the samples", re.M)
    return {name: dict(zip(("near", "worst", "loss", "samples"), map(float, rest))) for name, *rest in
            line.findall(text)}


def redrawn(cache, draw):
    """Returns the space with the time of each shape replaced by a new evaluation."""
    lines = {}
    for key, line in cache["cache"].items():
        times = line.get("times")
        lines[key] = {**line, "time": sum(draw.choices(times, k=SAMPLES)) / SAMPLES} if times else line
    return {**cache, "cache": lines}


def search(tuner, cache, path, strategy, evaluations, seed):
    """Returns the key of the shape that the search considers best."""
    import numpy  # a dependency of Kernel Tuner
    random.seed(seed)
    numpy.random.seed(seed)
    with contextlib.redirect_stdout(io.StringIO()):
        found, _ = tuner.tune_kernel(cache["kernel_name"], "", cache["problem_size"], [], cache["tune_params"],
                                     restrictions=cache["restrictions"] or None, strategy=strategy, lang="C",
                                     strategy_options={"max_fevals": evaluations}, simulation_mode=True,
                                     cache=str(path), quiet=True)
    timed = [one for one in found if isinstance(one["time"], float)]
    best = min(timed, key=lambda one: one["time"])
    return ",".join(str(best[name]) for name in cache["tune_params_keys"])


def run(tuner, files, share, repeats, folder):
    """Returns each strategy's losses by case, and the failed strategies with their reasons."""
    losses = {name: [[] for _ in files] for name in STRATEGIES}
    failed = {}
    for number, file in enumerate(files):
        cache = json.loads(file.read_text())
        medians = {key: median(line["times"]) for key, line in cache["cache"].items() if line.get("times")}
        samples = sum(len(line["times"]) for line in cache["cache"].values() if line.get("times"))
        evaluations = max(1, math.floor(share * samples / SAMPLES + 0.5))
        for repeat in range(repeats):
            path = folder / "drawn.json"
            path.write_text(json.dumps(redrawn(cache, random.Random(f"{file.name} {repeat}"))))
            for name in STRATEGIES:
                if name in failed:
                    continue
                try:
                    key = search(tuner, cache, path, name, evaluations, repeat)
                    losses[name][number].append(medians[key] / min(medians.values()) - 1)
                except Exception as error:  # another program may raise anything
                    failed[name] = f"{type(error).__name__}: {error}"[:120]
        print(f"[{number + 1}/{len(files)}] {file.stem}: {evaluations} evaluations of {len(medians)} shapes",
              file=sys.stderr)
    return {name: found for name, found in losses.items() if name not in failed}, failed


def scores(cases):
    every = [loss for case in cases for loss in case]
    return {"near": 100 * sum(loss <= NEAR for loss in every) / len(every),
            "worst": min(100 * sum(loss <= NEAR for loss in case) / len(case) for case in cases),
            "loss": 100 * sum(every) / len(every)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=HERE / "build/vkassay")
    parser.add_argument("--spaces", default=SPACES)
    parser.add_argument("--checkout", type=pathlib.Path, action="append", default=[],
                        help="a folder to import from: a checkout of Kernel Tuner, or of a module that it needs")
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--out", type=pathlib.Path, help="default: standard output")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    tuner = load(options.checkout)
    own = race(options.program, options.spaces)
    share = own["race"]["samples"] / 100
    with tempfile.TemporaryDirectory(prefix="vkassay-kernel-tuner-") as name:
        folder = pathlib.Path(name)
        exported = folder / "spaces"
        subprocess.run([sys.executable, HERE / "scripts/exports.py", "kernel-tuner", options.spaces, "--out", exported],
                       check=True, stdout=subprocess.DEVNULL)
        files = sorted(file for file in exported.glob("*.json") if not file.name.endswith(".t1.json"))
        losses, failed = run(tuner, files, share, options.repeats, folder)
    version = subprocess.run([options.program, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    spaces = json.loads(packed.read(options.spaces))
    text = json.dumps({
        "tool": version, "kernel_tuner": tuner.__version__, "device": spaces["device"], "driver": spaces["driver"],
        "cases": len(files), "repeats": options.repeats, "samples_an_evaluation": SAMPLES, "sample_share": share,
        "vkassay": own, "strategies": {name: scores(cases) for name, cases in losses.items()}, "failed": failed,
    }, indent=2) + "\n"
    if options.out:
        options.out.write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
