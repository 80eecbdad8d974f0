#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Copies a judged project with its shaders for another machine, and makes the table of that machine.

usage: carry.py OUT FOLDER           FOLDER/kernels: the manifests, FOLDER/shaders: the folders of their shaders
       carry.py OUT FOLDER RESULT    FOLDER/table.md and table.json from RESULT, a check of FOLDER/kernels elsewhere

OUT is the folder of adopt.py. The program compiles shaders itself, so the other machine needs only the bundle:
`bundle/run check --only FOLDER/kernels --out results`.
"""

import json
import pathlib
import shutil
import sys

import adopt
import packed


ENDINGS = (".comp", ".glsl", ".glslh", ".h", ".hlsl", ".wgsl", ".spv")


class Carrying:
    """Folders of shaders that are copied, each once."""

    def __init__(self, home, folder):
        self.home, self.folder, self.found = home, folder, {}

    def moved(self, way):
        """Copies a folder, and returns its path from a manifest."""
        old = (self.home / way).resolve()
        if old not in self.found:
            self.found[old] = f"{len(self.found)}"
            copy = self.folder / "shaders" / self.found[old]
            copy.mkdir(parents=True)
            for file in old.iterdir():
                if file.suffix in ENDINGS:
                    shutil.copy(file, copy)
        return f"../shaders/{self.found[old]}"

    def move(self, kernel):
        """Gives a kernel, and its passes, the paths of copies."""
        if "shader" in kernel:
            path = pathlib.Path(kernel["shader"])
            kernel["shader"] = f"{self.moved(path.parent)}/{path.name}"
        if "includes" in kernel:
            kernel["includes"] = [self.moved(way) for way in kernel["includes"]]
        for one in kernel.get("passes", []):
            self.move(one)


def carry(out, folder):
    """Writes the manifests and their shaders into the folder."""
    (folder / "kernels").mkdir(parents=True)
    carrying = Carrying((out / "kernels").resolve(), folder)
    for path in sorted((out / "kernels").glob("*.json")):
        whole = json.loads(path.read_text(encoding="utf-8"))
        for kernel in whole["kernels"]:
            carrying.move(kernel)
        (folder / "kernels" / path.name).write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


def judge_again(out, folder, path):
    """Writes the table with the verdicts of another result."""
    result = packed.result(path)
    first = json.loads((out / "table.json").read_text(encoding="utf-8"))
    parts = [json.loads(part.read_text(encoding="utf-8")) for part in sorted((out / "parts").glob("*.json"))]
    for part in parts:
        part["rows"] = adopt.judge([row["kernel"] for row in part["rows"]], result)
        part |= {"device": result["device"]["name"], "driver": result["device"]["driver_info"]}
    adopt.write_table(adopt.summary_of(first["project"], first["commit"], parts, first["not_tried"]), folder)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    if len(sys.argv) == 3:
        carry(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
    else:
        judge_again(*map(pathlib.Path, sys.argv[1:]))
