#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks a captured folder without the program: capture_check.py FOLDER [KERNEL...]

Every name of a file is the hash of its content, compared up to 1 MiB. Lines name files of the right size, and the last line counts them. Each
KERNEL, the name of a pipeline of relu in f32, has a dispatch whose output is the relu of its input.
"""
import array
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts"))
from captured_folder import content_hash  # noqa: E402


def check_files(folder):
    for file in [*folder.glob("modules/*"), *folder.glob("operands/*")]:
        assert file.suffix in (".spv", ".bin"), file
        assert file.stat().st_size > 1 << 20 or content_hash(file.read_bytes()) == file.stem, file


def check_relu(folder, operands):
    """Returns whether the second of two operands becomes the relu of the first, as far as it is written."""
    if len(operands) != 2:
        return False
    before, after = ([array.array("f", (folder / "operands" / f"{operand[key]}.bin").read_bytes()) for operand in operands]
                     for key in ("before", "after"))
    (source, target), (same, result) = before, after
    assert source == same or any(x != x for x in source), "the input was changed"
    written = [i for i in range(len(result)) if result[i] != target[i] and result[i] == result[i]]
    return len(written) > 1000 and all(result[i] == (source[i] if source[i] > 0 else 0) for i in written)


def check_lines(folder, file):
    """Checks the lines of a process. Returns the names of its pipelines with a right relu."""
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert lines[0]["capture"] == 1 and lines[0]["program"] and lines[0]["device"]["name"], lines[0]
    pipelines = {line["pipeline"]: line for line in lines if "module" in line}
    dispatches = [line for line in lines if "dispatch" in line and "grid" in line]
    for pipeline in pipelines.values():
        assert (folder / "modules" / f"{pipeline['module']}.spv").exists(), pipeline
    right = set()
    for dispatch in dispatches:
        name = pipelines[dispatch["pipeline"]].get("name")
        for operand in dispatch["operands"]:
            for key in ("before", "after"):
                if operand[key] is not None:
                    size = (folder / "operands" / f"{operand[key]}.bin").stat().st_size
                    assert size == operand["bytes"], (dispatch, operand)
        if name and name.startswith("relu.") and check_relu(folder, dispatch["operands"]):
            right.add(name)
    assert len({dispatch["signature"] for dispatch in dispatches}) == len(dispatches)
    end = lines[-1]
    assert end["end"] and end["recorded"] == len(dispatches), end
    counts = {one["signature"]: one["count"] for one in end["signatures"]}
    assert all(dispatch["signature"] in counts for dispatch in dispatches)
    assert sum(counts.values()) == end["dispatches"] and not end["not_recorded"], end
    return right


def main(folder, *kernels):
    folder = pathlib.Path(folder)
    check_files(folder)
    files = list(folder.glob("capture-*.jsonl"))
    assert files
    right = set().union(*(check_lines(folder, file) for file in files))
    assert right >= set(kernels), (right, kernels)


if __name__ == "__main__":
    main(*sys.argv[1:])
