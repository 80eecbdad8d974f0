#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""torch.py RESULT.json --out peers.json [--program vkassay] [--seconds 0.05] [--only GLOB] [--into FILE]: times PyTorch
at every case of a result on the same GPU. A CUDA graph captures several successive calls, so that launches are not
timed. f32 is not TF32. Without a GPU, calls are timed one by one on the processor, and the file says so."""
import argparse
import fnmatch
import json
import os
import subprocess
import sys
import time

import peers_file
import torch_table

# Without this, `import torch` would find this file, because Python searches its folder first.
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path = [folder for folder in sys.path if os.path.abspath(folder or ".") != HERE]

LEAST_SAMPLES, MOST_SAMPLES, GRAPH_NS = 11, 201, 1e6


def describe(program, operators):
    """Returns the program's description of each operator: operands, parameters."""
    text = subprocess.run([program, "list", "operators", "--json"], check=True, capture_output=True, text=True).stdout
    return {op["name"]: op for op in json.loads(text) if op["name"] in operators}


class Unfit(Exception):
    """The reason for leaving out a case."""


def dtype_of(torch, name):
    names = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i32": torch.int32, "u8": torch.uint8}
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
    low, high = one.get("low", 0.0), one.get("high", 1.0)
    return (torch.rand(shape, device=device) * (high - low) + low).to(kind)


def prepare(torch, op, case, device):
    """Returns a function without arguments that does the case's work, and the call as text."""
    inputs = [one for one in op["operands"] if one["role"] != "out"]
    call = torch_table.call_of(op["name"], [one["name"] for one in inputs])
    if not call:
        raise Unfit("PyTorch has no call of the same work")
    dtype = dtype_of(torch, case["dtype"])
    names = {one["name"]: one.get("default", 0) for one in op["parameters"]}
    names.update(torch_table.derived(case["dims"]))
    names.update(torch=torch, F=torch.nn.functional, case=dtype)
    if op["family"] == "attention" and not case["dims"].get("scale"):
        names["scale"] = case["dims"].get("head_dim", 1) ** -0.5
    try:
        for one in inputs:
            names[one["name"]] = operand(torch, op, one, names, dtype, device)
    except KeyError as missing:
        raise Unfit(f"{missing} is not known") from None
    code = compile(call, op["name"], "eval")
    return (lambda: eval(code, names)), call


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


def time_case(torch, op, case, device, seconds):
    work, call = prepare(torch, op, case, device)
    try:
        with torch.no_grad():
            if not same_size(torch, op, case["dims"], work()):
                raise Unfit(f"{call} gives another number of elements")
            samples = graph_samples(torch, work, seconds) if device == "cuda" else host_samples(work, seconds)
    except (RuntimeError, TypeError, ValueError, NameError, AttributeError) as error:
        raise Unfit(f"{call}: {str(error).splitlines()[0]}") from None
    return peers_file.time_of("PyTorch", case, samples, call)


def exact(torch):
    """Sets full precision for f32, and the search for the fastest convolution."""
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("result")
    parser.add_argument("--out", required=True)
    parser.add_argument("--program", default="build/vkassay")
    parser.add_argument("--seconds", type=float, default=0.05, help="for the samples of a case")
    parser.add_argument("--only", default="*", help="glob over OPERATOR/DTYPE")
    parser.add_argument("--into", help="a peers.json whose other peers stay")
    options = parser.parse_args()
    import torch

    exact(torch)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    cases = [case for case in peers_file.cases_of(options.result)
             if fnmatch.fnmatch(f"{case['operator']}/{case['dtype']}", options.only)]
    operators = describe(options.program, {case["operator"] for case in cases})
    times, left_out = [], []
    for case in cases:
        try:
            if case["operator"] not in operators:
                raise Unfit("the program knows no such operator")
            times.append(time_case(torch, operators[case["operator"]], case, device, options.seconds))
        except Unfit as why:
            left_out.append({"peer": "PyTorch", **case, "reason": str(why)})
        if device == "cuda":
            torch.cuda.empty_cache()
    peer = {"name": "PyTorch", "version": torch.__version__,
            "device": torch.cuda.get_device_name() if device == "cuda" else "the processor",
            "method": "CUDA graphs, medians, no TF32" if device == "cuda" else "calls one by one on the host's clock"}
    peers_file.write(options.out, peer, times, left_out, options.into)
    print(f"{len(times)} cases timed, {len(left_out)} left out: {options.out}")


if __name__ == "__main__":
    main()
