#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the files of `vkassay export --format kernel-tuner` as Kernel Tuner reads them.

The T1 input file beside each cache file must have the members required by version 1.0.0 of T1. The combinations allowed
by its conditions must be exactly those in the cache. (In simulation, an allowed combination missing from the cache is an
error, and a cached combination not allowed is lost.)

usage: tuners_check.py FOLDER CASES CONSTRAINED
CASES is the number of cases, CONSTRAINED the number of cases with illegal combinations.
"""

import itertools
import json
import pathlib
import re
import sys

MEMBERS = {"General": dict, "ConfigurationSpace": dict, "Search": dict, "KernelSpecification": dict}
SPECIFICATION = {
    "Language": str, "KernelName": str, "KernelFile": str, "GlobalSize": dict, "LocalSize": dict, "Arguments": list,
}
PARAMETER = {"Name": str, "Type": str, "Values": str}
CONDITION = {"Expression": str, "Parameters": list}


def holds(value, members):
    for name, kind in members.items():
        assert isinstance(value[name], kind), (name, value)


def check(path):
    """Checks a case, and returns whether its space is constrained."""
    t1 = json.loads(path.read_text(encoding="utf-8"))
    holds(t1, MEMBERS)
    holds(t1["KernelSpecification"], SPECIFICATION)
    assert t1["KernelSpecification"]["Language"] in ("OpenCL", "CUDA", "Vulkan")
    cache = json.loads((path.parent / t1["KernelSpecification"]["SimulationInput"]).read_text(encoding="utf-8"))
    space = t1["ConfigurationSpace"]
    for parameter in space["TuningParameters"]:
        holds(parameter, PARAMETER)
        assert parameter["Type"] == "int" and json.loads(parameter["Values"]) == cache["tune_params"][parameter["Name"]]
    names = [parameter["Name"] for parameter in space["TuningParameters"]]
    assert names == cache["tune_params_keys"]
    for condition in space["Conditions"]:
        holds(condition, CONDITION)
        words = set(re.findall(r"[A-Za-z_]\w*", condition["Expression"])) - {"and", "or"}
        assert words == set(condition["Parameters"]) and words <= set(names), condition
    assert cache["restrictions"] == [condition["Expression"] for condition in space["Conditions"]]
    axes = [json.loads(parameter["Values"]) for parameter in space["TuningParameters"]]
    there = {tuple(map(int, key.split(","))) for key, line in cache["cache"].items() if line["time"] != "InvalidConfig"}
    passing = set()
    for values in itertools.product(*axes):
        if all(eval(text, {}, dict(zip(names, values))) for text in cache["restrictions"]):
            passing.add(values)
        for size in t1["KernelSpecification"]["GlobalSize"].values():
            assert eval(size, {}, dict(zip(names, values))) >= 1, size
    assert passing == there, (path.name, sorted(passing ^ there)[:5])
    return len(passing) < len(list(itertools.product(*axes)))


def main(folder, cases, constrained):
    found = [check(path) for path in sorted(pathlib.Path(folder).glob("*.t1.json"))]
    assert (len(found), sum(found)) == (int(cases), int(constrained)), (len(found), sum(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
