#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shortens the result of `vkassay mutate` to be kept: scripts/mutants_short.py mutants.json | gzip -n -9 > kernel-mutants.json.gz

Sources are removed. Killed and invalid mutants lose all texts but their names and the checks that killed them. The
output still fits reports/schema/mutants.schema.json, with one mutant per line. `vkassay report` makes the same table
from it."""
import json
import sys

import result_paths

WORDS = ("text", "change", "instruction", "replay")


def short(mutant):
    if mutant["verdict"] in ("killed", "invalid"):
        mutant = {**mutant, **{word: "" for word in WORDS}}
        mutant.pop("reason", None)
        mutant.pop("point", None)
    return {**mutant, "seconds": round(mutant["seconds"], 3)}


def main(path):
    with open(path, encoding="utf-8") as file:
        result = result_paths.without(json.load(file))
    kernels = result.pop("mutated")
    lines = []
    for kernel in kernels:
        mutants = ",\n   ".join(json.dumps(short(m), ensure_ascii=False) for m in kernel.pop("mutants"))
        for words in ("reason", "caveat"):
            if words in kernel:
                kernel[words] = result_paths.of_tree(kernel[words])
        kernel.update(sources={}, seconds=round(kernel["seconds"], 3))
        lines.append(json.dumps(kernel, ensure_ascii=False)[:-1] + ', "mutants": [\n   ' + mutants + "]}")
    print(json.dumps(result, ensure_ascii=False)[:-1] + ', "mutated": [\n  ' + ",\n  ".join(lines) + "]}")


main(sys.argv[1])
