#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints lines of variants for ncnn's shaders, with the macros of its host.

usage: ncnn_macros.py GPU_CPP SHADER...

ncnn defines macros at run time, in compile_spirv_module of src/gpu.cpp: custom_defines.append(NAME, VALUE) in a tree of
`if (opt.use_...)`. This reads the tree for floats of 32 bits: every option but local memory is off.
"""

import pathlib
import re
import shlex
import sys

ON = {"opt.use_shader_local_memory"}
TOKEN = re.compile(
    r"(?P<else>\belse\b)|\bif\s*\((?P<if>[^{};]*)\)\s*(?={)|(?P<open>{)|(?P<close>})"
    r"|custom_defines\.append\((?P<define>(?:\"(?:\\.|[^\"\\])*\"|[^;\"])*)\);|\"(?:\\.|[^\"\\])*\"")


def holds(condition):
    """Returns whether a condition of options holds. A name that is not ON is off."""
    words = re.sub(r"[A-Za-z_][\w.]*(\(\))?", lambda m: str(m[0] in ON), condition)
    return eval(words.replace("||", " or ").replace("&&", " and ").replace("!", " not "), {"__builtins__": {}})


def text_of(argument):
    """Returns the value of a macro: a text, a number, or one of two by a condition."""
    choice = re.match(r"(?P<condition>\w+) \? (?P<then>.*) : (?P<other>.*)$", argument)
    if choice and not argument.startswith('"'):
        argument = choice["then"] if holds(choice["condition"]) else choice["other"]
    return argument[1:-1] if argument.startswith('"') else argument


def macros_of(source):
    """Returns the macros as pairs, in their order."""
    start = source.index("DefinitionCollector custom_defines;")
    body = re.sub(r"#if __APPLE__.*?#endif", "", source[start:], flags=re.DOTALL)
    body = body[:body.index("fill device macros")]
    macros, blocks, taken, pending, after_else = [], [], {}, True, False
    for token in TOKEN.finditer(body):
        depth = len(blocks)
        if token["else"]:
            after_else, pending = True, not taken.get(depth, False)
        elif token["if"] is not None:
            held = holds(token["if"])
            pending = held and (not after_else or not taken.get(depth, False))
            taken[depth] = held or (after_else and taken.get(depth, False))
            after_else = False
        elif token["open"]:
            blocks.append(pending)
            pending, after_else = True, False
        elif token["close"] and blocks:
            blocks.pop()
        elif token["define"] and all(blocks):
            name, value = re.match(r"\"([^\"]*)\", (.*)$", token["define"], re.DOTALL).groups()
            macros.append((name, text_of(value)))
    return macros


def main(gpu, *shaders):
    """Prints a line for each shader."""
    macros = macros_of(pathlib.Path(gpu).read_text(encoding="utf-8"))
    words = [shlex.quote(f"-D{name}={value}") for name, value in macros]
    for shader in shaders:
        path = pathlib.Path(shader).resolve()
        print(path.stem, shlex.quote(str(path)), *words)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
