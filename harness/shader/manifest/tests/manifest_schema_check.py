#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks manifests against reports/schema/manifest.schema.json, and compares with the verdict of the program's reader.

usage: manifest_schema_check.py CASES.json      a list of {"accepted", "manifest", "what"}
"""

import json
import pathlib
import sys

import jsonschema

SCHEMA = pathlib.Path("reports/schema/manifest.schema.json")


def main(path):
    schema = jsonschema.Draft7Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    cases = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    wrong = 0
    for case in cases:
        faults = [f"{fault.json_path}: {fault.message[:200]}" for fault in schema.iter_errors(case["manifest"])]
        if case["accepted"] != (not faults):
            wrong += 1
            print(f"{case['what']}: the reader {'takes' if case['accepted'] else 'refuses'} it; the schema: {faults}")
    assert len(cases) > 1 and {case["accepted"] for case in cases} == {True, False}
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
