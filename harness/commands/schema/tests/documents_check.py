#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the schemas of reports/schema accept good documents, and refuse each of them with one change.

usage: documents_check.py      Exit status 0: as expected; 1: the differences are on standard error.
"""

import copy
import json
import pathlib
import sys

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[4] / "reports"
GONE = object()


def validator(name):
    return jsonschema.Draft7Validator(json.loads((ROOT / "schema" / f"{name}.schema.json").read_text(encoding="utf-8")))


def result():
    value = json.loads((ROOT / "examples/nvidia-h200/exhaustive.json").read_text(encoding="utf-8"))
    value["records"] = value["records"][:2]
    refused, failed = value["records"]
    failed.update(status="fail", reason="it is wrong", failed=["ulp", "guard"])
    refused.update(status="skip", reason="no", refusal={"kind": "push_bytes", "words": [], "figures": [256, 128]})
    refused.update(energy={"joules": 1.5, "watts": None, "source": "nvml"}, stop="time", cache="hot", clock="host")
    return value


def mutants():
    source = result()
    run = {key: source["run"][key] for key in ("suite", "suite_file", "seed", "argv", "started", "cold", "shard")}
    counts = dict.fromkeys(("killed", "survived", "unseen", "equivalent", "invalid", "not-run"), 0)
    mutant = {"name": "a.b@c:1#1", "operation": "a.b", "file": "c", "line": 1, "text": "", "change": "", "instruction": "",
              "verdict": "killed", "points": 1, "seconds": 0, "replay": ""}
    kernel = {"name": "k", "operator": "o", "family": "f", "counts": counts, "score": None, "seconds": 1,
              "mutants": [mutant], "sources": {}}
    return {"schema_version": 1, "tool": source["tool"], "host": source["host"], "device": source["device"], "run": run,
            "mutated": [kernel], "rules": [], "wall_s": 1, "complete": True, "jobs": 1}


SHAPE = {"wg": [64, 1, 1], "ITEMS": 4}
IDENTITY = {"name": "d", "kind": "cpu", "vendor_id": 1, "device_id": 2, "driver_name": "", "driver_info": "",
            "driver_version": 3}
ROW = {"kernel": "k", "operator": "o", "source_hash": "", "dtype": "f32", "bucket": 3, "dims": {"n": 8}, "shape": SHAPE}
TUNED = {"schema_version": 1, "tool": None, "device": IDENTITY,
         "tuned": [{**ROW, "median_ns": 2, "lo_ns": 1, "hi_ns": 3, "ties": [], "runner_up": None,
                    "default": {"shape": SHAPE, "loss": None}, "shapes": 1, "wrong": 0, "samples": 9}]}
TABLE = {"schema_version": 2, "tool": None, "conflicts": [],
         "devices": [{**IDENTITY, "file": "a.json", "started": "now", "cases": 1}],
         "fallbacks": [{"device": 0, "scope": "family", "cases": 1, "wrong": 0, "unknown": 0, "other_source": 0,
                        "median_loss": None, "worst_loss": 0.5, "worst_case": None}],
         "tuned": [{**ROW, "scope": "portable", "device": {"name": "2 devices"}, "members": 2,
                    "losses": [0.1, "wrong", None]}]}
PROFILE = {"schema_version": 1, "name": "kiosk", "allows": {"max_invocations": 128, "max_size": [128, 128, 64]},
           "without": ["float16"]}
SPACES = {"schema_version": 1, "device": "d", "driver": "v",
          "spaces": [{"case": "a", "shapes": [{"shape": "wg=1", "samples_ns": [1]}, {"shape": "wg=2", "samples_ns": []}]}]}
PEERS = {"schema_version": 1, "peers": [{"name": "A"}],
         "times": [{"peer": "A", "operator": "o", "dtype": "f32", "dims": {"n": 4, "eps": "inf"}, "median_ns": 3}],
         "left_out": [{"peer": "A", "operator": "o", "dtype": "f32", "dims": {}, "reason": "no"}]}
SOURCE = {"file": "a", "suite": None, "seed": "1", "started": None, "git": None, "device": "d", "driver": "v", "profile": None}
VERDICTS = ("wrong", "flaky", "slower", "ambiguous", "removed", "fixed", "faster", "new", "same")
COMPARISON = {"schema_version": 1, "verdict": "held", "exit_status": 0, "base": SOURCE, "new": SOURCE, "differences": [],
              "rules": {"effect": 0.02, "ulp_factor": None, "strict": False}, "without_samples": 0, "undecided": 0,
              "counts": dict.fromkeys(VERDICTS, 0),
              "families": [{"name": "all", "points": 0, "ratio": None, "least": None, "most": None}],
              "compared": [{"name": "a", "family": "b", "verdict": "same", "undecided": False, "base_ns": 1, "new_ns": 1, "ratio": 1, "lo": 1,
                            "hi": 1, "cycles_ratio": None, "detects": None, "p": 1, "note": None}]}
VERDICT = {"schema_version": 1, "operator": "relu", "shader": "a.comp", "exit_status": 1, "verdict": "wrong", "points": 2,
           "judged": 2, "failed": 1, "skipped": 0, "errors": 0, "remarks": [], "seed": "1", "device": "d", "result": "r",
           "failure": {"name": "a", "status": "fail", "checks": ["ulp"], "reason": "why", "replay": "how"}, "error": None,
           "times": [{"name": "b", "median_ns": 2, "lo_ns": 1, "hi_ns": 3, "roof": None, "share": None}]}
EXPECTATIONS = {"schema_version": 1, "expectations": [{"points": "relu.*", "status": "flake", "reason": "why"}]}
DICTIONARY = {"project": "p", "kernels": [{"when": {"file": ["a*", "b"]}, "operator": "relu", "members": {}, "keep": True}],
              "buffers": [{"name": "x", "operand": ["a", "x"]}], "words": [{"name": "n", "is": {"length": "@in"}}],
              "constants": [{"name": "N", "is": None}, {"id": 3, "is": 4}]}
OPERATORS = [{"name": "scale", "family": "f", "summary": "s", "formula": "y = a x", "conventions": None, "source": "s",
              "seeds": "", "dims": [{"name": "n", "meaning": None, "least": 1}], "derived": [],
              "operands": [{"name": "x", "role": "in", "dtype": "case", "weights": False, "shape": ["n"], "meaning": "input",
                            "fill": "uniform", "low": -1, "high": 1, "specials": True}],
              "parameters": [{"name": "a", "type": "float", "default": 1, "low": None, "high": None, "telling": [0],
                              "meaning": None}],
              "along": None, "bound": "exact", "dtypes": ["f32"], "kernels": []}]

# A schema, a good document, and changes: a path and its new value.
CASES = (
    ("result", result(), (
        ("schema_version", 1), ("tool/name", "other"), ("host/cores", 0), ("device/kind", "gpu"),
        ("device/limits/push_bytes", GONE), ("device/limits/more", 1), ("device/features/sugar", True),
        ("device/heaps/0/bytes", -1), ("device/cooperative_matrices/0/a", "f17"), ("device/api_version", "1.3"),
        ("run/seed", 1), ("run/sugar", 1), ("run/wall/start_s", GONE), ("counts/pass", GONE), ("counts/sugar", 1),
        ("peaks/speed", 1), ("records/0/cost", GONE), ("records/0/more", 1), ("records/0/case", GONE),
        ("records/0/status", "sick"), ("records/0/status", "pass"), ("records/0/refusal/kind", "weather"),
        ("records/0/refusal/words", ["a"] * 4), ("records/0/refusal/pass", 0), ("records/0/stop", "budget"),
        ("records/0/cache", "warm"), ("records/0/clock", "host: asked for"), ("records/0/energy/source", "guess"),
        ("records/0/shape/wg", [1, 1]), ("records/0/dims/n", "many"), ("records/0/check/headroom", 2),
        ("records/0/check/histogram", [0] * 15), ("records/0/check/output_hash", "12"), ("records/0/exhaustive/bits", 8),
        ("records/0/source_hash", "x"), ("records/1/failed", []), ("records/1/failed", ["sugar"]),
        ("records/1/failed", ["ulp", "ulp"]), ("records/1/reason", None))),
    ("mutants", mutants(), (
        ("device/features/sugar", True), ("run/shard", GONE), ("mutated/0/counts/killed", GONE), ("mutated/0/score", 2),
        ("mutated/0/mutants/0/verdict", "dead"), ("mutated/0/mutants/0/name", "a"), ("jobs", 0))),
    ("tuned", TUNED, (
        ("device/kind", "gpu"), ("tuned/0/shape/wg", [0, 1, 1]), ("tuned/0/default/loss", GONE), ("tuned/0/median_ns", 0),
        ("tuned/0/legal", 0), ("tuned/0/runner_up", GONE), ("tuned/0/dims/n", 1.5), ("tool", 3))),
    ("table", TABLE, (
        ("devices/0/file", GONE), ("devices/0/kind", "gpu"), ("fallbacks/0/scope", "device"), ("fallbacks/0/cases", 0),
        ("tuned/0/scope", "all"), ("tuned/0/members", 0), ("tuned/0/losses", ["bad"]), ("schema_version", 1))),
    ("profile", PROFILE, (
        ("name", ""), ("name", "x" * 64), ("allows/sugar", 1), ("allows/max_invocations", 0), ("allows/max_size", [1, 1, 0]),
        ("without", ["sugar"]), ("more", 1))),
    ("spaces", SPACES, (
        ("spaces/0/shapes", [{"shape": "wg=1", "samples_ns": [1]}]), ("spaces/0/shapes/0/shape", "1"),
        ("spaces/0/shapes/0/samples_ns", [0]), ("spaces/0/shapes/0/start", False), ("limits", {}))),
    ("peers", PEERS, (
        ("peers/0/name", ""), ("times/0/median_ns", 0), ("times/0/dims/n", "four"), ("times/0/samples", 0), ("left_out", GONE))),
    ("comparison", COMPARISON, (
        ("exit_status", 5), ("base/profile", GONE), ("rules/ulp_factor", 0.5), ("counts/same", GONE), ("counts/sugar", 1),
        ("families", []), ("families/0/ratio", 0), ("compared/0/verdict", "better"), ("compared/0/p", 2))),
    ("verdict", VERDICT, (
        ("verdict", "fine"), ("exit_status", 71), ("failure/checks", ["sugar"]), ("failure/reason", GONE),
        ("times/0/median_ns", 0), ("error", GONE), ("more", 1))),
    ("operators", OPERATORS, (
        ("0/name", "Scale"), ("0/bound", ""), ("0/dims", []), ("0/dims/0/least", 2), ("0/dims/0/meaning", GONE),
        ("0/operands/0/role", "input"), ("0/operands/0/shape", ["n"] * 7), ("0/operands/0/fill", "drawn"),
        ("0/operands/0/specials", False), ("0/parameters/0/type", "int"), ("0/parameters/0/low", GONE), ("0/more", 1))),
    ("expectations", EXPECTATIONS, (
        ("expectations/0/status", "pass"), ("expectations/0/points", ""), ("expectations/0/reason", GONE),
        ("expectations/0/more", 1))),
    ("dictionary", DICTIONARY, (
        ("kernels/0/when/file", []), ("kernels/0/when/files", "a"), ("kernels/0/members", 1), ("buffers/0/operand", GONE),
        ("words/0/is", None), ("constants/0/is", GONE), ("constants/0/name", GONE), ("more", 1))),
)


def changed(document, path, value):
    """Returns a copy with another value at a path; GONE removes the member."""
    document = copy.deepcopy(document)
    *parts, last = path.split("/")
    at = document
    for part in parts:
        at = at[int(part)] if isinstance(at, list) else at[part]
    if value is GONE:
        del at[last]
    else:
        at[last] = value
    return document


def main():
    wrong = []
    for name, good, changes in CASES:
        check = validator(name)
        wrong += [f"{name}: {fault.json_path}: {fault.message[:200]}" for fault in check.iter_errors(good)]
        wrong += [f"{name}: {path} may be {value}" for path, value in changes if check.is_valid(changed(good, path, value))]
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
