#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""torch.py RESULT.json --out peers.json [--program vkassay] [--seconds 0.05] [--only GLOB] [--into FILE] [--jobs N]
[--budget SECONDS]: times PyTorch at every case of a result on the same GPU, in each way that torch_ways.py knows. A CUDA
graph captures several successive calls, so that launches are not timed. f32 is not TF32. Without a GPU, calls are timed
one by one on the processor, and the file says so."""
import argparse
import fnmatch
import json
import os
import statistics
import subprocess
import sys
import time

import peers_file
import torch_table
import torch_ways

# Without this, `import torch` would find this file, because Python searches its folder first.
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path = [folder for folder in sys.path if os.path.abspath(folder or ".") != HERE]

LEAST_SAMPLES, MOST_SAMPLES, GRAPH_NS = 11, 201, 1e6
COMPILE_SECONDS = 150  # at most, for all compiling before the first time is taken; or half of the budget
EAGER, BEST, NHWC = "PyTorch", "PyTorch best", "PyTorch NHWC"


def describe(program, operators):
    """Returns the program's description of each operator: operands, parameters."""
    text = subprocess.run([program, "list", "operators", "--json"], check=True, capture_output=True, text=True).stdout
    return {op["name"]: op for op in json.loads(text) if op["name"] in operators}


class Unfit(Exception):
    """The reason for leaving out a case."""


def dtype_of(torch, name):
    names = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i32": torch.int32, "u8": torch.uint8,
             "i8": torch.int8, "q8_0": torch.float16, "q4_0": torch.float16}
    if name not in names:
        raise Unfit(f"PyTorch has no {name}")
    return names[name]


def operand(torch, op, one, names, dtype, device):
    shape = [names[dim] if isinstance(dim, str) else dim for dim in one["shape"]]
    kind = dtype if one["dtype"] == "case" else dtype_of(torch, one["dtype"])
    if one["name"] in ("index", "target") and one["dtype"] == "i32":
        return torch.randint(0, int(names[torch_table.BELOW[op["name"]]]), shape, device=device)
    if kind in (torch.int32, torch.uint8):
        return torch.randint(0, 2, shape, device=device, dtype=kind)
    if kind == torch.int8:
        return torch.randint(-128, 128, shape, device=device, dtype=kind)
    low, high = one.get("low", 0.0), one.get("high", 1.0)
    return (torch.rand(shape, device=device) * (high - low) + low).to(kind)


def names_of(torch, op, case, inputs, device):
    """Returns the values of all names in the case's calls: operands, dims and parameters."""
    dtype = dtype_of(torch, case["dtype"])
    names = {one["name"]: one.get("default", 0) for one in op["parameters"]}
    names.update(torch_table.derived(case["dims"]))
    names.update(torch=torch, F=torch.nn.functional, case=dtype, device=device)
    if op["family"] == "attention" and not case["dims"].get("scale"):
        names["scale"] = case["dims"].get("head_dim", 1) ** -0.5
    try:
        for one in inputs:
            names[one["name"]] = operand(torch, op, one, names, dtype, device)
    except KeyError as missing:
        raise Unfit(f"{missing} is not known") from None
    return names


def same_size(torch, op, dims, outcome):
    """Returns whether the call yields as many elements as the operator's first output."""
    first = next((one for one in op["operands"] if one["role"] == "out"), None)
    if not first:
        return True
    names = torch_table.derived(dims)
    if any(isinstance(dim, str) and dim not in names for dim in first["shape"]):
        return True
    count = 1
    for dim in first["shape"]:
        count *= names[dim] if isinstance(dim, str) else dim
    outcome = outcome[0] if isinstance(outcome, tuple) else outcome
    return outcome.numel() == count


def graph_samples(torch, work, seconds):
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        for _ in range(3):
            work()
    stream.synchronize()
    calls = 1
    while True:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for _ in range(calls):
                work()
        samples = replay(torch, graph, calls, 3)
        length = min(samples) * calls
        if length >= GRAPH_NS / 2 or calls >= 1000:
            break
        calls = min(1000, max(calls * 2, int(calls * GRAPH_NS / max(length, 1.0))))
    count = int(seconds * 1e9 / max(length, 1.0))
    return replay(torch, graph, calls, min(MOST_SAMPLES, max(LEAST_SAMPLES, count)))


def replay(torch, graph, calls, count):
    samples = []
    for _ in range(count):
        first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        first.record()
        graph.replay()
        last.record()
        last.synchronize()
        samples.append(first.elapsed_time(last) * 1e6 / calls)
    return samples


def host_samples(work, seconds):
    samples, end = [], time.perf_counter() + seconds
    work()
    while len(samples) < LEAST_SAMPLES or (time.perf_counter() < end and len(samples) < MOST_SAMPLES):
        before = time.perf_counter_ns()
        work()
        samples.append(float(time.perf_counter_ns() - before))
    return samples


def samples_of(torch, op, case, way, names, device, seconds):
    work = torch_ways.prepare(torch, way, names)
    if not same_size(torch, op, case["dims"], work()):
        raise Unfit("another number of elements")
    return graph_samples(torch, work, seconds) if device == "cuda" else host_samples(work, seconds)


def ways_of(op, case):
    """Returns the case's ways and inputs."""
    inputs = [one for one in op["operands"] if one["role"] != "out"]
    ways = torch_ways.ways_of(op["name"], case["dtype"], [one["name"] for one in inputs])
    if not ways:
        raise Unfit("PyTorch has no call of the same work")
    return ways, inputs


def time_case(torch, op, case, device, seconds):
    """Returns the samples of each way, and for each other way the reason why it has none."""
    ways, inputs = ways_of(op, case)
    names = names_of(torch, op, case, inputs, device)
    timed, failed = {}, {}
    for way in ways:
        try:
            with torch.no_grad():
                timed[way] = samples_of(torch, op, case, way, names, device, seconds)
        except Exception as error:  # a compiler and dozens of kernels raise errors of their own types
            failed[way] = (str(error).splitlines() or [type(error).__name__])[0][:200]
    forget(torch)
    return timed, failed


def forget(torch):
    """Drops the compiled functions of the last case, which keep its operands alive."""
    if hasattr(torch, "_dynamo"):
        torch._dynamo.reset()


def call_of(way):
    return way.call if way.name == "eager" else f"{way.name}: {way.call}"


def entries_of(case, timed, failed):
    """Returns the entries of all peers for a case, and those left out."""
    medians = {way: statistics.median(samples) for way, samples in timed.items()}
    ways = [{"way": way.name, "median_ns": ns} for way, ns in medians.items()]
    ways += [{"way": way.name, "reason": reason} for way, reason in failed.items()]
    best = min(medians, key=medians.get, default=None)
    chosen = {EAGER: next((way for way in timed if way.name == "eager"), None), BEST: best,
              NHWC: next((way for way in timed if way.name == "channels_last"), None)}
    names = {EAGER: "eager", NHWC: "channels_last"}
    reasons = {way.name: f"{call_of(way)}: {reason}" for way, reason in failed.items()}
    times = [{**peers_file.time_of(peer, case, timed[way], call_of(way)), **({"ways": ways} if peer == BEST else {})}
             for peer, way in chosen.items() if way]
    left_out = [{"peer": peer, **case, "reason": reasons[name]} for peer, name in names.items() if name in reasons]
    if not best:
        left_out.append({"peer": BEST, **case, "reason": "; ".join(reasons.values())})
    if not chosen[EAGER] and "eager" not in reasons:
        left_out.append({"peer": EAGER, **case, "reason": f"PyTorch has no eager call for {case['dtype']}"})
    return times, left_out


def compile_cases(torch, cases, operators, share):
    """Compiles every n-th case without timing it. PyTorch keeps the code on disk for the process that times it."""
    first, step = (int(word) for word in share.split("/"))
    for case in cases[first::step]:
        try:
            ways, inputs = ways_of(operators[case["operator"]], case)
            names = names_of(torch, operators[case["operator"]], case, inputs, "cuda")
            for way in ways:
                if way.compiled:
                    with torch.no_grad():
                        torch_ways.prepare(torch, way, names)()
        except Exception:  # the process that times the case reports the error
            pass
        forget(torch)
        torch.cuda.empty_cache()


def compile_at_once(jobs, seconds):
    """Compiles all cases in several processes. Their work on the GPU ends before the first time is taken."""
    running = [subprocess.Popen([sys.executable, *sys.argv, "--compile", f"{at}/{jobs}"]) for at in range(jobs)]
    end = time.monotonic() + seconds
    for process in running:
        try:
            process.wait(max(0.1, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def exact(torch):
    """Sets full precision for f32, and the search for the fastest convolution."""
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True


def options_of():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("result")
    parser.add_argument("--out", required=True)
    parser.add_argument("--program", default="build/vkassay")
    parser.add_argument("--seconds", type=float, default=0.05, help="for the samples of a case in one way")
    parser.add_argument("--only", default="*", help="glob over OPERATOR/DTYPE")
    parser.add_argument("--into", help="a peers.json whose other peers stay")
    parser.add_argument("--jobs", type=int, default=1, help="processes that compile all cases first")
    parser.add_argument("--budget", type=float, default=float("inf"), help="seconds; later cases are left out")
    parser.add_argument("--compile", help=argparse.SUPPRESS)
    return parser.parse_args()


def time_all(torch, cases, operators, device, options, end):
    times, left_out = [], []
    for case in cases:
        try:
            if case["operator"] not in operators:
                raise Unfit("the program knows no such operator")
            if time.monotonic() > end:
                raise Unfit("the budget was spent")
            found, missing = entries_of(case, *time_case(torch, operators[case["operator"]], case, device,
                                                         options.seconds))
            times += found
            left_out += missing
        except Unfit as why:
            left_out += [{"peer": peer, **case, "reason": str(why)} for peer in (EAGER, BEST)]
        if device == "cuda":
            torch.cuda.empty_cache()
    return times, left_out


def peers_of(torch, device):
    about = {"version": torch.__version__,
             "device": torch.cuda.get_device_name() if device == "cuda" else "the processor"}
    clock = "CUDA graphs, medians, no TF32" if device == "cuda" else "calls one by one on the host's clock"
    methods = {EAGER: f"eager calls; {clock}", NHWC: f"channels_last; {clock}",
               BEST: f"the fastest of eager calls, torch.compile, channels_last and special calls; {clock}"}
    return [{"name": name, **about, "method": methods[name]} for name in (EAGER, BEST, NHWC)]


def main():
    options = options_of()
    end = time.monotonic() + options.budget
    # Processes that compile share the GPU, so each process must choose among code for itself.
    os.environ.update(TORCHINDUCTOR_AUTOTUNE_LOCAL_CACHE="0", TORCHINDUCTOR_COMPILE_THREADS="1")
    import torch

    exact(torch)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    cases = [case for case in peers_file.cases_of(options.result)
             if fnmatch.fnmatch(f"{case['operator']}/{case['dtype']}", options.only)]
    operators = describe(options.program, {case["operator"] for case in cases})
    if options.compile:
        compile_cases(torch, cases, operators, options.compile)
        return
    if device == "cuda" and options.jobs > 1:
        compile_at_once(options.jobs, min(COMPILE_SECONDS, options.budget / 2))
    times, left_out = time_all(torch, cases, operators, device, options, end)
    peers_file.write(options.out, peers_of(torch, device), times, left_out, options.into)
    print(f"{len(cases)} cases, {len(times)} times, {len(left_out)} left out: {options.out}")


if __name__ == "__main__":
    main()
