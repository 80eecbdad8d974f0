#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Validates the files of vkassay against reports/schema/ with python3-jsonschema.

usage: schema_check.py FILE...      Exit status 0: all are valid; 1: the faults are on standard error.

The schemas themselves must be strict, as for strict validators. No keyword is unknown, and each required member is
among the properties beside it, so a misspelt name does not make a rule empty.

A file's kind follows from its members: `records` make a result, `entries` a suite, `kernels` a manifest. `spaces` make
recorded search spaces, `tuned` a tuned table (with `fallbacks` one of many devices), `compared` a comparison.
`expectations` make known failures, `mutated` mutants, `allows` a profile, `peers` times of other
programs, `shader` a verdict. A list is a list of operators.
"""

import json
import pathlib
import sys

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts"))
import packed

SCHEMAS = pathlib.Path(__file__).resolve().parents[3] / "reports" / "schema"
KINDS = {
    "records": "result",
    "entries": "suite",
    "kernels": "manifest",
    "spaces": "spaces",
    "fallbacks": "table",
    "tuned": "tuned",
    "compared": "comparison",
    "expectations": "expectations",
    "mutated": "mutants",
    "allows": "profile",
    "peers": "peers",
    "shader": "verdict",
}
KEYWORDS = set(
    "$schema $ref title description type enum const properties patternProperties additionalProperties propertyNames required"
    " items minItems maxItems uniqueItems minProperties maxProperties minimum maximum exclusiveMinimum exclusiveMaximum"
    " pattern minLength maxLength dependencies allOf anyOf oneOf not if then else definitions".split()
)
IN_ITSELF = ("items", "additionalProperties", "propertyNames", "not", "if", "then", "else")


def refuse_constant(text):
    raise ValueError(f"{text} is not JSON")


def load(path):
    """Reads JSON without NaN and Infinity, which Python accepts but JSON does not."""
    return packed.result(path, parse_constant=refuse_constant)


def mistakes(schema, path):
    """Yields the places where a schema is not strict. Members of `properties` and the like are names, not keywords."""
    if not isinstance(schema, dict):
        return
    for keyword in schema.keys() - KEYWORDS:
        yield f"{path}: unknown keyword {keyword}"
    for name in set(schema.get("required", [])) - schema.get("properties", {}).keys():
        yield f"{path}: {name} is required and no property"
    for keyword, value in schema.items():
        if keyword in ("properties", "patternProperties", "definitions"):
            inner = value.items()
        elif keyword in ("allOf", "anyOf", "oneOf"):
            inner = enumerate(value)
        else:
            inner = [("", value)] if keyword in IN_ITSELF else []
        for name, part in inner:
            yield from mistakes(part, f"{path}/{keyword}/{name}")


def schema_faults(path):
    schema = load(path)
    jsonschema.Draft7Validator.check_schema(schema)
    return list(mistakes(schema, "#"))


def validator(kind):
    return jsonschema.Draft7Validator(load(SCHEMAS / f"{kind}.schema.json"))


def faults(path):
    try:
        value = load(path)
    except (OSError, ValueError) as fault:
        return [str(fault)]
    kinds = [KINDS[member] for member in KINDS if isinstance(value, dict) and member in value]
    if kinds == ["table", "tuned"]:  # of many devices
        kinds = ["table"]
    if len(kinds) != 1 and not isinstance(value, list):
        return ["expected one of the members " + ", ".join(KINDS)]
    found = validator("operators" if isinstance(value, list) else kinds[0]).iter_errors(value)
    return [f"{fault.json_path}: {fault.message[:300]}" for fault in found]


def main(paths):
    if not paths:
        sys.exit(__doc__)
    found = [(path, fault) for path in sorted(SCHEMAS.glob("*.json")) for fault in schema_faults(path)]
    found += [(path, fault) for path in paths for fault in faults(pathlib.Path(path))]
    for path, fault in found:
        print(f"{path}: {fault}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
