# SPDX-License-Identifier: Apache-2.0
"""Makes the tables of other programs' times: the best kernel of each problem, beside the times of others."""
import json

from figures_proofs import table
from figures_sources import EXAMPLES, page_with_card, result

H200 = EXAMPLES / "nvidia-h200"


def problem(one):
    return one["operator"], one["dtype"], tuple(sorted(one["dims"].items()))


def sums(record):
    """Returns a suffix for kernels that add in f16. They do other work than other programs, which add in f32."""
    return ", sums f16" if record["kernel"].endswith("_half") else ""


def best_of(records):
    """Returns the fastest correct record of each problem, in the order of the file."""
    best = {}
    for record in records:
        compute = (record.get("time") or {}).get("compute")
        if record["status"] != "pass" or not compute:
            continue
        key = (sums(record), *problem(record))
        if key not in best or compute["median_ns"] < best[key]["time"]["compute"]["median_ns"]:
            best[key] = record
    return best


def microseconds(nanoseconds):
    value = nanoseconds / 1e3
    return f"{value:.0f} us" if value >= 100 else f"{value:.3g} us"


def rows_of(records, others):
    names = [one["name"] for one in others["peers"]]
    theirs = {(one["peer"], *problem(one)): one["median_ns"] for one in others["times"]}
    for key, record in best_of(records).items():
        if record["operator"] == "fma_chain":  # only for the device's peak
            continue
        times = [None if key[0] else theirs.get((name, *key[1:])) for name in names]
        ours = record["time"]["compute"]["median_ns"]
        sizes = " x ".join(f"{value:.15g}" for value in record["dims"].values())
        cells = [f"{microseconds(time)}, {time / ours:.2f}x" if time else "" for time in times]
        yield [f"{record['operator']} {record['dtype']}{key[0]}", sizes, record["kernel"].partition(".")[2],
               microseconds(ours), *cells]


def compared_with(names):
    """Returns a caveat if PyTorch is the only other program, because readers might expect more."""
    if names != ["PyTorch"]:
        return ""
    return ("The comparison is with eager PyTorch only: one call an operation, without `torch.compile`. Other "
            "programs are\nnot in it.\n\n")


def peers(_):
    value = result(H200 / "peers-result.json.gz")
    with open(H200 / "peers.json") as file:
        others = json.load(file)
    heads = [f"{one['name']} {one.get('version', '')}".strip() for one in others["peers"]]
    return (compared_with([one["name"] for one in others["peers"]]) +
            f"Measured one after the other on the same {value['device']['name']}. The factor is the other program's time / time of\n"
            "the best kernel: below 1x the other program is faster ([the whole page](reports/examples/nvidia-h200/peers.html)).\n\n"
            + table(["work", "size", "best kernel", "vkassay", *heads], list(rows_of(value["records"], others))))


# ---- the limits of products on matrix units

WIDTHS = {"f32": 4, "f16": 2, "bf16": 2, "i8": 1, "q8_0": 2, "q4_0": 2}  # bytes of an element as the product reads it
UNITS = ("tensor", "coop", "sliced", "blocked")


def tile_bytes(record):
    """Returns the bytes of a and b that all blocks of outputs read, each its rows and columns; None without blocks."""
    shape, dims = record["shape"], record["dims"]
    if not {"m", "n", "k"} <= set(dims):
        return None
    if "BLOCK_M" in shape:
        high, wide = shape["BLOCK_M"], shape["BLOCK_N"]
    elif "TM" in shape:
        high, wide = shape["wg"][1] * shape["TM"], shape["wg"][0] * shape["TN"]
    else:
        return None
    blocks = -(-dims["m"] // high) * -(-dims["n"] // wide) * dims.get("batch_a", 1)
    return blocks * (high + wide) * dims["k"] * WIDTHS[record["dtype"]]


def spilled(code):
    """Returns the bytes of local memory of an invocation. The driver reports them above a window of 64 GiB."""
    return code.get("Local Memory Size", 0) % 2**36


def engine_rows(records):
    for key, record in best_of(records).items():
        code, kernel = record.get("code") or {}, record["kernel"].partition(".")[2]
        if not kernel.startswith(UNITS + ("flash", "decode", "tiled")):
            continue
        ns, tiles = record["time"]["compute"]["median_ns"], tile_bytes(record)
        sizes = " x ".join(f"{value:.15g}" for value in record["dims"].values())
        yield [f"{record['operator']} {record['dtype']}{key[0]}", sizes, microseconds(ns),
               f"{record['cost']['flops'] / ns / 1e3:.1f}",
               f"{tiles / 1e9:.3g}" if tiles else "", f"{tiles / ns / 1e3:.2f}" if tiles else "",
               f"{code['Register Count']}" if "Register Count" in code else "", f"{spilled(code)}" if code else ""]


def fastest_copy(records):
    return max(record["cost"]["bytes"] / record["time"]["compute"]["median_ns"] for record in records
               if record["operator"] == "copy" and record["status"] == "pass" and (record.get("time") or {}).get("compute"))


def engines(_):
    records, quick = result(H200 / "peers-result.json.gz")["records"], result(H200 / "quick.json")["records"]
    return (table(["work", "size", "time", "TFLOP/s", "GB of tiles", "TB/s of tiles", "registers", "spilled bytes"],
                  list(engine_rows(records)))
            + f"\nThe fastest copy that stays in the caches moves {fastest_copy(quick) / 1e3:.2f} TB/s on the same device.\n")


def page(program):
    """Returns the page of the result, with the times of others."""
    result(H200 / "peers-result.json.gz")
    (H200 / "peers.json").stat()
    out = program.folder()
    program("report", H200 / "peers-result.json.gz", "--peers", H200 / "peers.json", "--out", out)
    return page_with_card(out, "report.html", H200 / "peers.html")
