# SPDX-License-Identifier: Apache-2.0
"""Makes the sections of reports/examples/proofs.md from the output of scripts/proof.py and from the times of runs."""
import json

from figures_sources import EXAMPLES, result

FOLDER = EXAMPLES / "nvidia-h200/proofs"
LONG_US = 20  # the sentence on power is about kernels of at least this time


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def percent(share):
    return f"{100 * share:.0f} %"


def made_by(value):
    return f"{value['device']}, {value['driver']}, vkassay {value['tool']['git']}, `{' '.join(value['command'])}`:\n"


def mean(values):
    return sum(values) / len(values) if values else 0


def power(_):
    value = result(FOLDER / "power.json")
    rows, held = value["rows"], "intervals that hold it"
    least = {}  # slowdown to the smallest share found over all sizes
    for row in rows:
        if row["us"] >= LONG_US:
            least[row["slowed by"]] = min(least.get(row["slowed by"], 1), row["found slower"])
    always = [slowed for slowed, share in least.items() if share == 1]
    text = made_by(value) + "\n" + table(
        ["slowed by", "time", "ratio of the long A/B", "median ratio found", "found slower", "intervals that hold it"],
        [[row["slowed by"], f"{row['us']:.3g} us", f"{row['true ratio (long A/B)']:.3f}", f"{row['median ratio']:.3f}",
          percent(row["found slower"]), percent(row[held])] for row in rows])
    found = f"{always[0]} is found every time" if always else "none of these is found every time"
    return text + (
        f"\nAbove {LONG_US} us {found}, with a least effect of {value['effect']:g} %. The intervals hold the ratio of "
        f"the long A/B in {percent(mean([row[held] for row in rows]))} of all runs.\n")


def agreement(_):
    value = result(FOLDER / "agreement.json")
    rows = value["rows"]
    times = [row["us"] for row in rows]
    ratios = sorted((row["ratio"] for row in rows), key=lambda ratio: abs(ratio - 1))
    doubled = [row["time of 2R over R"] for row in rows]
    return made_by(value) + f"""
* The GPU's median against the host's clock over long batches: {value['within_3_percent_of_the_host']} of {len(rows)}
  points from {min(times):.3g} us to {max(times):.3g} us are within 3 %; the farthest is {ratios[-1]:.3f}.
* Twice the work over once: {value['doubled_work_within_1_percent']} of {len(rows)} within 2 ± 1 %
  ({min(doubled):.3f} to {max(doubled):.3f}).
"""


def repeatability(_):
    value = result(FOLDER / "repeatability.json")
    worst = max(abs(row[3]) for row in value["all"])
    return made_by(value) + f"""
Of {value['points']} points above {value['least_us']:g} us, {percent(value['below_1_percent'] / value['points'])} differ
by less than 1 % and the one that differs most by {worst:.1f} %.
"""


def efficiency(_):
    parts = ("compile", "upload", "compute", "download", "reference", "judge", "idle")
    rows, useful = [], []
    for path in (EXAMPLES / "nvidia-h200/quick.json", EXAMPLES / "nvidia-h200/results/torchless.json.gz"):
        run = result(path)["run"]
        wall = {part: run["wall"][f"{part}_s"] for part in parts}
        total = sum(wall.values())
        words = " ".join(word for word in run["argv"][1:] if word != "--trim")
        rows.append([f"[`{words}`]({path.relative_to(EXAMPLES)})", f"{run['wall_s']:.1f} s",
                     *(percent(wall[part] / total) for part in parts)])
        useful.append(percent((wall["compute"] + wall["reference"]) / total))
    return table(["run", "wall", *parts], rows) + f"""
Compute and reference are {useful[0]} of the first and {useful[1]} of the second.
"""


def false_alarms(_):
    value = result(FOLDER / "false-alarms.json")
    keys = ("way", "comparisons", "points", "slower", "faster", "wrong", "ambiguous", "same")
    rows = [[str(row[key]) for key in keys] for row in value["rows"]]
    return made_by(value) + "\n" + table(["verdicts" if key == "points" else key for key in keys], rows) + """
An ambiguous verdict is neither an alarm nor a proof that there is nothing: only `same` says that.
"""


def shape_times(value):
    """Maps (kernel, dtype, dims) to {shape: record}, for timed records."""
    times = {}
    for record in value["records"]:
        if record["status"] == "pass" and (record.get("time") or {}).get("compute"):
            case = record["kernel"], record["dtype"], tuple(sorted(record["dims"].items()))
            times.setdefault(case, {})[json.dumps(record["shape"], sort_keys=True)] = record
    return times


def tuned_times(path):
    """Maps the cases of a tuned table to {shape: ns}: of the choice, and by their losses of runner-up and default."""
    times = {}
    for entry in result(path)["tuned"]:
        case = entry["kernel"], entry["dtype"], tuple(sorted(entry["dims"].items()))
        ns = entry["median_ns"]
        one = times.setdefault(case, {json.dumps(entry["shape"], sort_keys=True): ns})
        for other in (entry.get("runner_up"), entry.get("default")):
            if other and other["loss"] is not None:
                one[json.dumps(other["shape"], sort_keys=True)] = ns * (1 + other["loss"])
    return times


def spread_row(name, differences, low, high):
    """Returns the row of kernels in this range of times. Each pair has the times of one shape in two processes."""
    here = sorted(abs(a - b) for a, b in differences if low <= a < high)
    share = sorted(abs(a / b - 1) for a, b in differences if low <= a < high)
    length = f"below {high / 1e3:g} us" if not low else f"{low / 1e3:g} us and more" if high > 1e9 else \
             f"{low / 1e3:g} to {high / 1e3:g} us"
    at = lambda values, part: values[min(int(part * len(values)), len(values) - 1)]
    return [name, length, str(len(here)), f"{at(here, 0.5):.0f} ns", f"{at(here, 0.9):.0f} ns",
            f"{100 * at(share, 0.5):.2f} %", f"{100 * share[-1]:.1f} %"]


def processes(_):
    value = result(FOLDER.parent / "shapes.json.gz")
    times = shape_times(value)
    one, other = (tuned_times(FOLDER.parent / name) for name in ("tuned.json", "tuned-again.json"))
    median = {case: {shape: record["time"]["compute"]["median_ns"] for shape, record in shapes.items()}
              for case, shapes in times.items()}
    beside = [(ns, median[case][shape]) for tune in (one, other) for case in tune if case in median
              for shape, ns in tune[case].items() if shape in median[case]]
    tunes = [(ns, other[case][shape]) for case in one if case in other for shape, ns in one[case].items()
             if shape in other[case]]
    rows = [spread_row(name, pairs, low, high)
            for name, pairs in (("a tune and all shapes", beside), ("a tune and a tune", tunes))
            for low, high in ((0, 5e3), (5e3, 2e4), (2e4, 1e12))]
    records = [record for shapes in times.values() for record in shapes.values()]
    clocks = [record["shader_clock_hz"] / 1e6 for record in records if record.get("shader_clock_hz")]
    halves = sorted((record["time"]["compute"]["hi_ns"] - record["time"]["compute"]["lo_ns"]) / 2 for record in records)
    apart = sum(abs(ns - of) > 2 * halves[len(halves) // 2] for ns, of in beside)
    near = [sum(median[case].get(shape, float("inf")) - min(median[case].values()) <= 100
                for case, shape in ((c, next(iter(tune[c]))) for c in tune if c in median)) for tune in (one, other)]
    return (f"{value['device']['name']}, vkassay {value['tool']['git']}, one shape's median in two processes "
            "([all shapes](nvidia-h200/shapes.json.gz), [a tune](nvidia-h200/tuned.json), "
            "[another](nvidia-h200/tuned-again.json)):\n\n" +
            table(["between", "time", "shapes", "median difference", "90 % are below", "as a share, median", "most"],
                  rows) + f"""
* The median difference is one of nanoseconds, not a share: it hardly grows with the time of the kernel. {apart} of
  {len(beside)} are beyond twice the median half interval, {halves[len(halves) // 2]:.0f} ns, so that it is no noise within a run.
* It is not the clock: that was {min(clocks):.0f} to {max(clocks):.0f} MHz while all shapes were timed, and
  {sum(bool(record.get("throttled")) for record in records)} of {len(records)} points were throttled. Caches in another state would cost more the more bytes there are.
* It is another for each shape of a case, and smaller between two tunes, which build and place the same things in the same
  order. What starts a dispatch fits that: an empty one takes about 1 us here.
* So shapes whose times differ by less than 100 ns are ties. By that the first tune's choice is the best of all shapes or a
  tie of it in {near[0]} of {len(one)} cases, the second's in {near[1]}.
""")


PARTS = {"power": power, "agreement": agreement, "repeatability": repeatability, "efficiency": efficiency,
         "false-alarms": false_alarms,
         "processes": processes}
