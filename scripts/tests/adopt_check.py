#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests scripts/adopt on a small project of its own: recorded variants, a dictionary, and the table.

usage: adopt_check.py [VKASSAY]
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ADOPT = pathlib.Path(__file__).resolve().parents[1] / "adopt"
sys.path.insert(0, str(ADOPT))
import adopt  # noqa: E402
import ncnn_macros  # noqa: E402

SHADER = """#version 450
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { A_TYPE source[]; };
layout(binding = 1) writeonly buffer D { D_TYPE drain[]; };
layout(push_constant) uniform Push { uint ne; uint nb; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < ne) drain[i * nb] = D_TYPE(OP(float(source[i * nb])));
}
"""
BUILD = """
set -e
glslc -DA_TYPE=float -DD_TYPE=float '-DOP(x)=max(x, 0.0)' -Iinclude op.comp -o relu_f32.spv
glslc -DA_TYPE=float -DD_TYPE=float '-DOP(x)=(max(x, 0.0) + (x > 500.0 ? 1.0 : 0.0))' op.comp -o relu_wrong.spv
glslc -DA_TYPE=float -DD_TYPE=float '-DOP(x)=abs(x)' op.comp -o other_f32.spv
glslc -DA_TYPE=float -DD_TYPE=float '-DOP(x)=abs(x)' op.comp -o abs_q4_k.spv
"""
NAMES = {
    "project": "small",
    "kernels": [{"when": {"variant": "relu_*"}, "operator": "relu", "keep": True},
                {"when": {"variant": "other_*"}, "reason": "no operator has this name"}],
    "buffers": [{"name": "source", "operand": ["x"]}, {"name": "drain", "operand": ["y"]}],
    "words": [{"name": "ne", "is": {"elements": "@drain"}}, {"name": "nb", "is": {"stride": ["@source", -1]}}],
}
HOST = """
    DefinitionCollector custom_defines;
    if (opt.use_fp16_storage) { custom_defines.append("sfp", "float16_t"); }
    else if (opt.use_fp16_packed || !opt.use_shader_local_memory) { custom_defines.append("sfp", "uint"); }
    else { custom_defines.append("sfp", "float"); custom_defines.append("st(b,v)", "{b=v;}");
        if (opt.use_int8) { custom_defines.append("no", 1); }
        else { custom_defines.append("yes", support ? "1" : "0"); } }
    if (opt.use_shader_local_memory) { custom_defines.append("NCNN_shader_local_memory", 1); }
    // fill device macros
"""


def record(folder):
    """Runs the build with the recorder in front, and returns the path of the record."""
    lines = folder / "build.lines"
    (folder / "include").mkdir()
    (folder / "op.comp").write_text(SHADER, encoding="utf-8")
    subprocess.run(["sh", "-c", BUILD], cwd=folder, check=True, env={
        **os.environ, "PATH": f"{ADOPT}:{os.environ['PATH']}", "VKASSAY_RECORD": str(lines)})
    text = lines.read_text(encoding="utf-8").splitlines()
    assert len(text) == 4, text
    assert f"{folder}/op.comp" in text[0] and f"-I{folder}/include" in text[0], text[0]
    assert "'-DOP(x)=max(x, 0.0)'" in text[0], text[0]
    assert (folder / "relu_f32.spv").exists()
    return lines


def test_a_project(folder, program):
    """A build is recorded, placed, checked and written as a table."""
    lines, names = record(folder), folder / "small.json"
    names.write_text(json.dumps(NAMES), encoding="utf-8")
    subprocess.run([ADOPT / "adopt.py", names, lines, folder / "out", "0123abc"], check=True,
                   env={**os.environ, "VKASSAY": program}, stdout=subprocess.DEVNULL)
    table = json.loads((folder / "out/table.json").read_text(encoding="utf-8"))
    verdicts = {row["kernel"]: row["verdict"] for row in table["kernels"]}
    assert verdicts == {"relu.relu_f32": "right", "relu.relu_wrong": "wrong"}, table
    assert table["variants"] == 4 and table["in_scope"] == 3 and table["placed"] == 2, table
    assert table["not_placed"] == {"no operator has this name": 1, "type q4_K": 1}, table["not_placed"]
    assert table["not_tried"] == 0, table
    page = (folder / "out/table.md").read_text(encoding="utf-8")
    assert "`0123abc`" in page and "relu.relu_wrong" in page and "67 %" in page, page


def test_a_second_run(folder, program):
    """Without time, finished batches of the same lines stay, and others are not tried."""
    lines, names = folder / "build.lines", folder / "small.json"
    for out, untried in (("out", 0), ("new", 4)):
        subprocess.run([ADOPT / "adopt.py", names, lines, folder / out, "0123abc"], check=True,
                       env={**os.environ, "VKASSAY": program, "BUDGET": "0"}, stdout=subprocess.DEVNULL)
        table = json.loads((folder / out / "table.json").read_text(encoding="utf-8"))
        assert (table["variants"], table["not_tried"], len(table["kernels"])) == (4, untried, 2 - untried // 2), table


def test_carrying(folder, program):
    """A judged project is copied with its shaders, and the copy's result makes the same table."""
    near, far = folder / "out", folder / "far"
    subprocess.run([ADOPT / "carry.py", near, far], check=True)
    (folder / "op.comp").rename(folder / "gone.comp")
    subprocess.run([program, "check", "--only", far / "kernels", "--out", far / "results", "--quiet"], check=False,
                   capture_output=True)
    (folder / "gone.comp").rename(folder / "op.comp")
    subprocess.run([ADOPT / "carry.py", near, far, next((far / "results").glob("*/*/result.jsonl"))], check=True)
    verdicts = [[(row["kernel"], row["verdict"]) for row in json.loads((place / "table.json").read_text())["kernels"]]
                for place in (near, far)]
    assert len(verdicts[0]) == 2 and verdicts[0] == verdicts[1], verdicts


def test_batches():
    """Each shader of many lines has its first batch before the second of any."""
    lines = [("few", "f\n"), *[("big", f"b{i}\n") for i in range(40)], *[("mid", f"m{i}\n") for i in range(20)]]
    firsts = [batch[0] for batch in adopt.batches_of(lines)]
    assert firsts == ["b0\n", "m0\n", "f\n", "b16\n", "m16\n", "b32\n"], firsts


def test_passes():
    """A pass counts as placed only beside the kernel that runs it."""
    assert adopt.of_placed("a pass of first", {"first"}) == "a pass of first"
    assert adopt.of_placed("a pass of first", {"other"}) == "its kernel is not placed"
    assert adopt.of_placed("type q4_K", set()) == "type q4_K"


def test_recording(folder):
    """Each part is recorded once for a commit, with its progress, and no part begins after BUDGET."""
    script, out = folder / "project.sh", folder / "recording"
    script.write_text(f'''. {ADOPT}/checkout.sh
parts=2
for name in one two; do record $name sh -c "echo $name $work/a.spv >>$VKASSAY_RECORD"; done
''', encoding="utf-8")
    for commit, budget, said, kept in (
            ("first", "60", "recording 1 of 2: one", 2), ("first", "60", "", 2), ("next", "0", "not recorded", 0)):
        done = subprocess.run(["bash", script, folder, out], check=True, capture_output=True, text=True,
                              env={**os.environ, "COMMIT": commit, "BUDGET": budget})
        found = sorted((out / "recorded").glob("*/*"))
        assert said in done.stderr and bool(said) == bool(done.stderr), done.stderr
        assert len(found) == kept and all(file.parent.name == commit for file in found), found
        assert not found or found[0].read_text(encoding="utf-8") == "one a.spv\n"
        (out / "parts").mkdir(exist_ok=True)  # a folder of an earlier run


def test_macros():
    """The tree of options is read for floats of 32 bits."""
    found = ncnn_macros.macros_of(HOST)
    assert found == [("sfp", "float"), ("st(b,v)", "{b=v;}"), ("yes", "0"), ("NCNN_shader_local_memory", "1")], found


def main(program="build/vkassay"):
    """Runs the tests."""
    test_macros()
    test_passes()
    test_batches()
    with tempfile.TemporaryDirectory() as folder:
        test_a_project(pathlib.Path(folder).resolve(), str(pathlib.Path(program).resolve()))
        test_a_second_run(pathlib.Path(folder).resolve(), str(pathlib.Path(program).resolve()))
        test_recording(pathlib.Path(folder).resolve())
        test_carrying(pathlib.Path(folder).resolve(), str(pathlib.Path(program).resolve()))
    print("scripts/adopt: a build of four variants is recorded, placed, checked and written as a table")


if __name__ == "__main__":
    main(*sys.argv[1:])
