# SPDX-License-Identifier: Apache-2.0
"""Writes a captured folder of dispatches of tests/captured/: captured_folder.py [--rebuilt] FOLDER CASE...

Cases: right, partial, in_place, overlap, wrong, race, unset, past, overflow, images, torn (no end). Each is a dispatch
with a name. The first device of `vkassay devices --json`, on standard input, is that of the recording. --rebuilt: the modules have
other bytes, and do the same.
"""
import array
import json
import pathlib
import struct
import sys

MASK = (1 << 64) - 1
HERE = pathlib.Path(__file__).resolve().parents[1] / "harness/commands/tests/captured"


def content_hash(data):
    """Returns the name of a file of these bytes (content_hash of harness/base/hash.h)."""
    a, b = 0xcbf29ce484222325, len(data)
    for word in array.array("Q", data + bytes(-len(data) % 8)):
        a = (a ^ word) * 0x9fb21c651e98df25 & MASK
        b = (b + word) * 0xd6e8feb86659fd93 & MASK
        a ^= a >> 32
        b ^= b >> 29
    a = (a ^ len(data)) * 0x9fb21c651e98df25 & MASK
    b = (b ^ a >> 31) * 0xd6e8feb86659fd93 & MASK
    return f"{a ^ b >> 32:016x}{b ^ b >> 32:016x}"


class Folder:
    def __init__(self, path, device, rebuilt=False):
        self.rebuilt = rebuilt
        self.path = pathlib.Path(path)
        for part in ("modules", "operands"):
            (self.path / part).mkdir(parents=True, exist_ok=True)
        self.lines = [{"capture": 1, "program": ["./model", "--layers", "2"], "pid": 7, "date": "2026-11-30T00:00:00Z",
                       "device": device}]
        self.dispatches, self.pipelines, self.memory, self.lacks = [], 0, 0, []

    def keep(self, part, data, ending):
        name = content_hash(data)
        (self.path / part / f"{name}.{ending}").write_bytes(data)
        return name

    def pipeline(self, name, module, constants=(), push_bytes=4):
        self.pipelines += 1
        code = bytearray((HERE / module).read_bytes())
        if self.rebuilt:
            code[8] ^= 1  # the version of its compiler
        self.lines.append({"pipeline": self.pipelines, "device": 0, "entry": "main", "subgroup_size": None,
                           "module": self.keep("modules", bytes(code), "spv"),
                           "full_subgroups": False, "push_bytes": push_bytes, "name": name,
                           "constants": [{"id": n, "bytes": struct.pack("<I", v).hex()} for n, v in constants]})

    def operand(self, binding, before, after=None, kind="storage", memory=None, offset=0):
        if memory is None:
            self.memory += 1
        return {"set": 0, "binding": binding, "index": 0, "type": kind, "offset": offset, "bytes": len(before),
                "memory": self.memory if memory is None else memory, "before": self.keep("operands", before, "bin"),
                "after": None if after is None else self.keep("operands", after, "bin")}

    def dispatch(self, grid, push, operands, count=1, ns=None):
        number = len(self.dispatches) + 1
        pipeline = {key: value for key, value in self.lines[-1].items() if key != "pipeline"}
        sizes = [[one["binding"], one["bytes"]] for one in operands]
        signature = content_hash(json.dumps([pipeline, grid, push.hex(), sizes]).encode())
        self.lines.append({"dispatch": number, "pipeline": self.pipelines, "grid": grid, "base": [0, 0, 0],
                           "indirect": False, "push": push.hex(), "operands": operands, "signature": signature,
                           "ns": ns})
        self.dispatches.append({"signature": signature, "pipeline": self.pipelines, "count": count, "ns": ns})

    def finish(self, ends):
        if ends:
            self.lines.append({"end": True, "dispatches": sum(d["count"] for d in self.dispatches),
                               "recorded": len(self.dispatches), "signatures": self.dispatches,
                               "not_recorded": self.lacks, "bytes": 0})
        (self.path / "capture-7.jsonl").write_text("".join(json.dumps(line) + "\n" for line in self.lines))


def floats(values):
    return struct.pack(f"<{len(values)}f", *values)


def steps(folder, name, fault=0, n=100, spare=0, sharing=None):
    """Adds a dispatch of steps.comp. `spare` floats of y are bound but not written."""
    x = [float(i % 32) for i in range(n)]
    y = [0.5 * x[i ^ 1] for i in range(n)]
    old = [7.0] * (n + spare)
    if sharing == "in place":
        old = x
    if name == "wrong":
        y[41] += 1
    folder.pipeline(name, "steps.spv", [(0, 64), (1, fault)])
    of_x = {"memory": 1000 + folder.pipelines, "offset": 256} if sharing else {}
    of_y = dict(of_x)
    if sharing == "overlap":  # by half
        of_y["offset"] += 2 * n
        old = x[n // 2:] + old[n // 2:]
    folder.dispatch([(n + 63) // 64, 1, 1], struct.pack("<I", n), [
        folder.operand(0, floats(x), **of_x),
        folder.operand(1, floats(old), floats(y + old[n:]), **of_y),
        folder.operand(2, floats([0.5, 0, 0, 0]), kind="uniform")], count=3, ns=5000)


def half(folder, name):
    x = struct.pack("<64e", *[1.0] * 40, 300.0, *[1.0] * 23)
    folder.pipeline(name, "half.spv")
    folder.dispatch([1, 1, 1], struct.pack("<I", 64), [folder.operand(0, x)])


def images(folder, _):
    folder.lacks.append({"reason": "images", "count": 12})


CASES = {
    "right": steps,
    "partial": lambda folder, name: steps(folder, name, spare=24),
    "in_place": lambda folder, name: steps(folder, name, n=64, sharing="in place"),
    "overlap": lambda folder, name: steps(folder, name, n=64, sharing="overlap"),
    "wrong": steps,
    "race": lambda folder, name: steps(folder, name, fault=1),
    "unset": lambda folder, name: steps(folder, name, fault=2),
    "past": lambda folder, name: steps(folder, name, fault=3),
    "overflow": half,
    "images": images,
    "torn": lambda folder, name: None,
}


def main():
    rebuilt, (path, *cases) = sys.argv[1] == "--rebuilt", sys.argv[1 + (sys.argv[1] == "--rebuilt"):]
    listed = json.load(sys.stdin)[0]  # vkassay devices --json
    device = {key: listed.get(key, "") for key in ("name", "driver_name", "driver_info")}
    folder = Folder(path, device, rebuilt)
    for case in cases:
        CASES[case](folder, case)
    folder.finish("torn" not in cases)


if __name__ == "__main__":
    main()
