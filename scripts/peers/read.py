#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""read.py LOG... --out peers.json [--into FILE]: converts logs of other programs to peers.json. A LOG is the output of
ggml's `test-backend-ops perf` or of vk_cooperative_matrix_perf, recognised by its lines. If a case has several times,
the least counts."""
import argparse
import re
import sys

import peers_file

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
GGML_LINE = re.compile(r"^\s*(?P<op>[A-Z_0-9]+)\((?P<what>.*)\):\s+\d+ runs -\s+(?P<us>[0-9.]+) us/run")
MATRIX_KIND = re.compile(r"^cooperativeMatrixProps = .*A = (?P<a>\S+) B = (?P<b>\S+) C = (?P<c>\S+) D = (?P<d>\S+)")
MATRIX_LINE = re.compile(r"^TILE_M=(?P<m>\d+) TILE_N=(?P<n>\d+), TILE_K=(?P<k>\d+) .*?(?P<tflops>[0-9.]+) TFlops")
GGML_TYPES = {"f32": "f32", "f16": "f16", "bf16": "bf16", "q8_0": "q8_0", "q4_0": "q4_0"}
MATRIX_TYPES = {("float16_t", "float32_t"): "f16", ("bfloat16_t", "float32_t"): "bf16"}
MATRIX_SIDE = 4096  # the size in vk_cooperative_matrix_perf unless it checks, rounded up to whole tiles


def members(text):
    """Parses 'a=1,b=[2,3]' into a dict of texts."""
    out, depth, start = {}, 0, 0
    for at, letter in enumerate(text + ","):
        depth += (letter == "[") - (letter == "]")
        if letter == "," and not depth:
            name, _, value = text[start:at].partition("=")
            out[name.strip()] = value
            start = at + 1
    return out


def numbers(text):
    return [int(word) for word in text.strip("[]").split(",")]


def has(what, name):
    return what.get(name, "0") != "0"


def matrix_cases(what):
    """Returns the cases of MUL_MAT: c[n, m] from the weights a[m, k] and b[n, k]."""
    dtype = GGML_TYPES.get(what.get("type_a"))
    m, n, k = int(what["m"]), int(what["n"]), int(what["k"])
    if not dtype or numbers(what.get("bs", "[1,1]")) != [1, 1] or numbers(what.get("nr", "[1,1]")) != [1, 1]:
        return []
    if n == 1:
        return [{"operator": "matvec", "dtype": dtype, "dims": {"rows": m, "cols": k}}]
    return [{"operator": "matmul_nt", "dtype": dtype, "dims": {"m": n, "n": m, "k": k}}]


def attention_cases(what):
    """Returns the cases of FLASH_ATTN_EXT: nb queries, kv keys, and nh key heads, each shared by nr query heads."""
    dtype = GGML_TYPES.get(what.get("type_KV", what.get("type_K")))
    sharing = numbers(what.get("nr23", what.get("nr", "[1,1]")))
    if not dtype or what["hsk"] != what.get("hsv", what["hsk"]) or sharing[-1] != 1 or has(what, "mask"):
        return []
    kv_heads = int(what["nh"])
    dims = {"batch": 1, "heads": kv_heads * sharing[0], "kv_heads": kv_heads, "queries": int(what["nb"]),
            "keys": int(what["kv"]), "head_dim": int(what["hsk"]), "causal": 0}
    return [{"operator": "attention", "dtype": dtype, "dims": dims}]


def row_cases(operator):
    def cases(what):
        cols, *others = numbers(what["ne"])
        rows = 1
        for other in others:
            rows *= other
        if what.get("type") not in GGML_TYPES or has(what, "mask") or has(what, "v"):
            return []
        return [{"operator": operator, "dtype": what["type"], "dims": {"rows": rows, "cols": cols}}]
    return cases


GGML_CASES = {"MUL_MAT": matrix_cases, "FLASH_ATTN_EXT": attention_cases, "SOFT_MAX": row_cases("softmax"),
              "CUMSUM": row_cases("cumsum")}


def read_ggml(lines):
    """Yields (case, nanoseconds, words) for each line that it understands."""
    for line in lines:
        found = GGML_LINE.match(line)
        cases = GGML_CASES.get(found["op"]) if found else None
        for case in cases(members(found["what"])) if cases else []:
            yield case, float(found["us"]) * 1e3, f"{found['op']}({found['what']})"


def read_matrix(lines):
    kind = None
    for line in lines:
        heading, found = MATRIX_KIND.match(line), MATRIX_LINE.match(line)
        if heading:
            kind = MATRIX_TYPES.get((heading["a"], heading["d"]))
        if not found or not kind:
            continue
        side = {dim: -(-MATRIX_SIDE // int(found[dim])) * int(found[dim]) for dim in "mnk"}
        if set(side.values()) != {MATRIX_SIDE}:
            continue  # the tiles do not divide the size, so the rounded product is larger
        nanoseconds = 2 * MATRIX_SIDE ** 3 / (float(found["tflops"]) * 1e3)
        yield {"operator": "matmul", "dtype": kind, "dims": side}, nanoseconds, line.split("  ")[0].strip()


def read(path):
    """Returns the program that printed a log, and its times."""
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = [ESCAPES.sub("", line.rstrip("\n")) for line in file]
    times = list(read_ggml(lines))
    if times:
        return {"name": "ggml", "method": "test-backend-ops perf, means by the host's clock"}, times
    times = list(read_matrix(lines))
    if times:
        return {"name": "vk_cooperative_matrix_perf", "method": "its best tile, by the host's clock"}, times
    sys.exit(f"{path}: expected lines of `test-backend-ops perf` or of vk_cooperative_matrix_perf, found none")


def fastest(peer, times):
    best = {}
    for case, nanoseconds, call in times:
        key = peers_file.key_of(case)
        if key not in best or nanoseconds < best[key]["median_ns"]:
            best[key] = peers_file.time_of(peer["name"], case, [nanoseconds], call)
    return list(best.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--into", help="a peers.json whose other peers stay")
    options = parser.parse_args()
    into, found = options.into, {}
    for path in options.logs:
        peer, times = read(path)
        found.setdefault(peer["name"], (peer, []))[1].extend(times)
    for peer, times in found.values():
        peers_file.write(options.out, [peer], fastest(peer, times), [], into)
        into = options.out
    print(f"{', '.join(found)}: {options.out}")


if __name__ == "__main__":
    main()
