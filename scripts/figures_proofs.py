# SPDX-License-Identifier: Apache-2.0
"""The sections of reports/examples/proofs.md, of what scripts/proof.py left and of where the time of runs went."""
from figures_sources import EXAMPLES, result

FOLDER = EXAMPLES / "nvidia-h200/proofs"
LONG_US = 20  # kernels above and below are told apart


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
    least = {}  # slowdown to the share found, of the size at which fewest were
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
    for path in (EXAMPLES / "nvidia-h200/quick.json", EXAMPLES / "nvidia-h200/results/full.json"):
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


PARTS = {"power": power, "agreement": agreement, "repeatability": repeatability, "efficiency": efficiency,
         "false-alarms": false_alarms}
