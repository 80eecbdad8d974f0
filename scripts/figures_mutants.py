# SPDX-License-Identifier: Apache-2.0
"""Makes the page of changes to the harness from the JSON of mutants_harness.py."""
import collections

from figures_sources import EXAMPLES, result


def layer_of(verdict):
    parts = verdict["file"].split("/")
    return parts[0] if parts[0] != "harness" else "/".join(parts[:2])


def revisions_of(mutants):
    """Returns the number of verdicts per revision. --keep reuses a verdict, with its revision, for an equal change."""
    counts = collections.Counter(verdict["git"] for verdict in mutants)
    return ", ".join(f"{count} at revision {git}" for git, count in counts.most_common())


def harness_page(value):
    layers = collections.OrderedDict()
    for verdict in value["mutants"]:
        layers.setdefault(layer_of(verdict), collections.Counter())[verdict["verdict"]] += 1
    lines = ["# Changes to the harness, and the tests that notice them", "",
             "Made by `make mutants-harness`: each change of `scripts/mutants_harness.json` is made alone in a copy of the",
             "tree, and the test that must notice it is run. Killed: the test failed.", "",
             f"{value['killed']} of {value['killed'] + value['survived']} changes are killed "
             f"({100 * value['score']:.1f} %); tried: {revisions_of(value['mutants'])}.", "",
             "| layer | changes | killed | survived |", "|---|---:|---:|---:|"]
    for layer, counts in sorted(layers.items()):
        lines.append(f"| {layer} | {sum(counts.values())} | {counts['killed']} | {counts['survived']} |")
    survivors = [verdict for verdict in value["mutants"] if verdict["verdict"] == "survived"]
    if survivors:
        lines += ["", "## What survives", "", "| change | file | why |", "|---|---|---|"]
        lines += [f"| {v['name']} | {v['file']} | {v.get('why', 'not explained')} |" for v in survivors]
    return "\n".join(lines) + "\n"


def harness(_):
    return {EXAMPLES / "harness-mutants.md": harness_page(result(EXAMPLES / "harness-mutants.json"))}
