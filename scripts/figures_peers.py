# SPDX-License-Identifier: Apache-2.0
"""Makes the tables of other programs' times: the best kernel of each problem, beside the times of others."""
import itertools
import json
import math

import packed
from figures_proofs import table
from figures_sources import EXAMPLES, ROOT, page_with_card, result

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


def times_of(others):
    """Maps each other program and each problem to its time there."""
    return {(one["peer"], *problem(one)): one for one in others["times"]}


def sizes(record):
    return " x ".join(f"{value:.15g}" for value in record["dims"].values())


def work(key, record):
    return f"{record['operator']} {record['dtype']}{key[0]}"


def rows_of(records, others):
    names = [one["name"] for one in others["peers"]]
    theirs = times_of(others)
    for key, record in best_of(records).items():
        times = [None if key[0] else theirs.get((name, *key[1:])) for name in names]
        if not any(times) and record["operator"] in PEAKS:  # only for the device's peaks
            continue
        ours = record["time"]["compute"]["median_ns"]
        cells = [f"{microseconds(time['median_ns'])}, {time['median_ns'] / ours:.2f}x" if time else "" for time in times]
        yield [work(key, record), sizes(record), record["kernel"].partition(".")[2], microseconds(ours), *cells]


PEAKS = ("fma_chain", "mad_chain", "dot_chain", "matrix_chain", "turning_sum", "nothing")
EAGER, BEST = "PyTorch", "PyTorch best"
LONG_NS = 1e4


def ratios(records, others, peer):
    """Maps each problem that the peer solves too to the peer's time / our time."""
    theirs = times_of(others)
    return {key: theirs[peer, *key[1:]]["median_ns"] / record["time"]["compute"]["median_ns"]
            for key, record in best_of(records).items() if not key[0] and (peer, *key[1:]) in theirs}


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(math.log(value) for value in values) / len(values)) if values else math.nan


def factor(value):
    return "" if math.isnan(value) else f"{value:.2f}x"


def family_row(name, eager, best):
    level = sum(value >= 1 for value in best.values())
    return [name, f"{len(best)}", factor(geometric_mean(eager.values())), factor(geometric_mean(best.values())),
            f"{level}"]


def family_rows(eager, best, family_of):
    """Yields the means of each family in the order of its first problem, and of all."""
    for family in dict.fromkeys(family_of[key[1]] for key in best):
        yield family_row(family, *({key: value for key, value in of.items() if family_of[key[1]] == family}
                                   for of in (eager, best)))
    yield family_row("**all**", eager, best)


def worst_rows(records, others, best, count=10):
    """Yields the problems with the least times of the best of PyTorch over ours."""
    ours, theirs = best_of(records), times_of(others)
    for key in sorted(best, key=best.get)[:count]:
        record, its = ours[key], theirs[BEST, *key[1:]]
        way = min((one for one in its["ways"] if "median_ns" in one), key=lambda one: one["median_ns"])["way"]
        yield [work(key, record), sizes(record), record["kernel"].partition(".")[2],
               microseconds(record["time"]["compute"]["median_ns"]), microseconds(its["median_ns"]), way,
               factor(best[key])]


def drawn():
    """Returns the result of a drawn suite (draw.py) and the times of others for its cases."""
    return result(H200 / "drawn-result.json.gz"), json.loads(packed.read(H200 / "drawn-peers.json.gz"))


def drawn_text():
    """Returns the sentence on cases that no suite names."""
    value, others = drawn()
    eager, best = ratios(value["records"], others, EAGER), ratios(value["records"], others, BEST)
    theirs = times_of(others)
    longer = [ratio for key, ratio in best.items() if theirs[BEST, *key[1:]]["median_ns"] >= LONG_NS]
    return (f"\n**Where nobody looked**: {len(best)} cases drawn with seed {value['run']['suite'].rpartition('-')[2]} "
            "([draw.py](scripts/peers/README.md)) have a mean of\n"
            f"{factor(geometric_mean(eager.values()))} against eager PyTorch and {factor(geometric_mean(best.values()))} "
            f"against its best; the {len(longer)} of them that take PyTorch {LONG_NS / 1e3:g} us and more,\n"
            f"{factor(geometric_mean(longer))}. In shorter ones Vulkan's barrier between two dispatches takes much of the time.\n")


def wide():
    """Returns the result of suite peers-wide and the times of others for its cases."""
    return result(H200 / "peers-result.json.gz"), json.loads(packed.read(H200 / "peers.json.gz"))


def peers(program):
    value, others = wide()
    records = value["records"]
    eager, best = ratios(records, others, EAGER), ratios(records, others, BEST)
    family_of = {one["name"]: one["family"] for one in json.loads(program("list", "operators", "--json"))}
    version = next(one["version"] for one in others["peers"] if one["name"] == BEST)
    return (
        f"Measured one after the other on the same {value['device']['name']}, with PyTorch {version}. The factor is PyTorch's time / time of the\n"
        "best kernel: below 1x PyTorch is faster. Means are geometric. The best of PyTorch is the fastest of eager calls,\n"
        "`torch.compile`, NHWC and special calls ([how](scripts/peers/README.md#how-to-read-the-times)). The suite `peers-wide` has cases in\n"
        "which vkassay is slow too ([all cases](reports/examples/nvidia-h200/peers.md),\n"
        "[the page of some](reports/examples/nvidia-h200/peers.html)).\n\n"
        + table(["family", "cases", "eager PyTorch", "best of PyTorch", "at least level with the best"],
                list(family_rows(eager, best, family_of)))
        + drawn_text())


def cases_page(_):
    """Returns the page with all cases."""
    value, others = wide()
    heads = [f"{one['name']} {one.get('version', '')}".strip() for one in others["peers"]]
    text = (f"# Against other programs\n\nSuite {value['run']['suite']} on {value['device']['name']}, vkassay {value['tool']['git']}. "
            "The factor is the other program's time / time of the best kernel:\nbelow 1x the other program is faster. "
            f"`{BEST}` is the fastest way of PyTorch; [how](../../../scripts/peers/README.md#how-to-read-the-times).\n\n"
            "The ten lowest factors:\n\n"
            + table(["work", "size", "best kernel", "vkassay", "best of PyTorch", "its way", "factor"],
                    list(worst_rows(value["records"], others, ratios(value["records"], others, BEST))))
            + "\nAll cases:\n\n"
            + table(["work", "size", "best kernel", "vkassay", *heads], list(rows_of(value["records"], others))))
    return {H200 / "peers.md": text}


def target_rows(targets, best):
    """Yields the row of each target: our time beside it, and what bounds it if it is not met."""
    for one in targets:
        record = best[one["work"], one["size"]]
        ns = record["time"]["compute"]["median_ns"]
        met = ns <= one["us"] * 1e3
        yield [one["work"], one["size"], record["kernel"].partition(".")[2], f"{one['us']:g} us", microseconds(ns),
               "yes" if met else f"{ns / one['us'] / 1e3:.2f}x", "" if met else one.get("bound", "")]


def targets_page(_):
    """Returns the page of the times that kernels are meant to reach on this device."""
    value, _ = wide()
    best = {(work(key, record), sizes(record)): record for key, record in best_of(value["records"]).items()}
    rows = list(target_rows(json.loads((ROOT / "scripts/targets.json").read_text())["targets"], best))
    met = sum(row[5] == "yes" for row in rows)
    text = (f"# Targets\n\nTimes that kernels are meant to reach on {value['device']['name']}, and the best shape in suite "
            f"{value['run']['suite']}, vkassay {value['tool']['git']}.\n{met} of {len(rows)} are reached.\n\n"
            + table(["work", "size", "best kernel", "target", "time", "reached", "what bounds it"], rows))
    return {H200 / "targets.md": text}


def expanded(dims):
    """Yields each size of a suite's dims. A list of values is crossed with the other lists."""
    for one in dims if isinstance(dims, list) else [dims]:
        lists = [value if isinstance(value, list) else [value] for value in one.values()]
        yield from (frozenset(zip(one, values)) for values in itertools.product(*lists))


def of_suite(records, name):
    """Returns the records at the operators and sizes of a suite, peaks apart."""
    with open(ROOT / f"suites/{name}.json") as file:
        entries = [one for one in json.load(file)["entries"] if "peak" not in one]
    wanted = {(kernel.partition(".")[0], dims) for one in entries for dims in expanded(one["dims"])
              for kernel in one.get("kernels", [one.get("kernel")])}
    return [record for record in records if (record["operator"], frozenset(record["dims"].items())) in wanted]


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
    value = result(H200 / "peers-result.json.gz")
    records, reads = of_suite(value["records"], "peers"), value["peaks"]["cache_bytes_per_s"]
    quick = result(H200 / "quick.json")["records"]
    return (table(["work", "size", "time", "TFLOP/s", "GB of tiles", "TB/s of tiles", "registers", "spilled bytes"],
                  list(engine_rows(records)))
            + f"\nThe fastest copy that stays in the caches moves {fastest_copy(quick) / 1e3:.2f} TB/s on the same device.\n"
            f"Reads from the caches reach {reads / 1e12:.2f} TB/s.\n")


def page(program):
    """Returns the page of the cases that suite peers has too, with the times of others."""
    value, _ = wide()
    out = program.folder()
    peaks = [record for record in value["records"] if record["peak"]]
    some = out / "peers.json"
    some.write_text(json.dumps({**value, "records": peaks + of_suite(value["records"], "peers")}))
    program("report", some, "--peers", H200 / "peers.json.gz", "--out", out)
    return page_with_card(out, "report.html", H200 / "peers.html")
