# SPDX-License-Identifier: Apache-2.0
"""Makes the tables of reports/SCALE.md from reports/examples/scale.json and together.json."""
import json

from figures_proofs import table
from figures_sources import EXAMPLES


def load_words(load, steps):
    """Returns a sentence on the load: is the wall time the program's own?"""
    busy = f"The machine was busy with other work (load {load:.0f})"
    first = [f"`{name}`" for name, step in steps.items() if step.get("first")]
    if len(first) == len(steps):
        return f"{busy}, before all of which these ran (`chrt -f`)."
    return f"{busy}: the wall time is an upper bound{', but of ' if first else ''}{', '.join(first)}."


def revisions(value):
    """Returns the revision of the program, and the steps measured by other revisions."""
    own = {name: step.get("git", value["tool"]["git"]) for name, step in value["steps"].items()}
    most = max(own.values(), key=list(own.values()).count)
    others = [f"`{name}` of {git}" for name, git in own.items() if git != most]
    return f"vkassay {most}{', ' if others else ''}{', '.join(others)}"


def measured(program):
    """Returns the table of the figures of scripts/scale.py."""
    with open(EXAMPLES / "scale.json") as file:
        value = json.load(file)
    rows = [[f"`{name}`", step["over"], f"{step['cpu_s']:.2g} s", f"{step['wall_s']:.2g} s", f"{step['most_mib']} MiB"]
            for name, step in value["steps"].items()]
    return (table(["", "over", "processor", "wall", "memory"], rows) +
            f"\n{value['host']['cores']} cores of {value['host']['cpu']}, {revisions(value)}. "
            f"{load_words(value['load'], value['steps'])}\n")


def together(program):
    """Returns the tables of two GPUs of one host measured at the same time."""
    with open(EXAMPLES / "nvidia-h200/proofs/together.json") as file:
        value = json.load(file)
    rows = [[run["name"], str(run["cores"]), f"{run['wall_s']:.1f} s"] for run in value["runs"]]
    agree = [[pair["name"], str(pair["points"]), str(pair["within_1_percent"])] for pair in value["pairs"]]
    return (table(["suite quick", "cores a GPU", "time"], rows) + "\n" +
            table([f"points of {value['least_us']:g} us and more", "points", "within 1 %"], agree))


PARTS = {"scale": measured, "together": together}
