# SPDX-License-Identifier: Apache-2.0
"""Makes the page of changes to the harness from the JSON of mutants_harness.py."""
import collections
import math

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


# ---- changes drawn by rule, of mutate_c.py

def interval(killed, decided):
    """Returns the 95 % interval of a share by Wilson's formula."""
    if not decided:
        return 0.0, 1.0
    z, share = 1.959964, killed / decided
    middle, spread = share + z * z / (2 * decided), z * math.sqrt(share * (1 - share) / decided + (z / (2 * decided)) ** 2)
    return (middle - spread) / (1 + z * z / decided), (middle + spread) / (1 + z * z / decided)


def drawn_row(name, verdicts):
    counts = collections.Counter(verdict["verdict"] for verdict in verdicts)
    decided = counts["killed"] + counts["survived"]
    low, high = interval(counts["killed"], decided)
    share = f"{100 * counts['killed'] / decided:.0f} %" if decided else ""
    return (f"| {name} | {len(verdicts)} | {counts['killed']} | {counts['survived']} | {counts['equivalent']} | "
            f"{counts['not built']} | {share} | {100 * low:.0f} to {100 * high:.0f} % |")


def code(text):
    return "`" + text.replace("|", "\\|").replace("`", "'") + "`"


def left_out(mutants):
    """Returns a line for components in which longer tests were left out, so that other tests may notice more."""
    components = collections.defaultdict(list)
    for mutant in mutants:
        if "longest" in mutant:
            components[mutant["room"]].append(mutant["longest"])
    limits = collections.defaultdict(list)
    for component, longest in sorted(components.items()):
        limits[min(longest)].append(component)
    words = "; ".join(f"above {limit:g} s in {', '.join(names)}" for limit, names in sorted(limits.items()))
    return ["", f"Long tests were left out, and may notice more: {words}."] if words else []


def drawn_table(title, verdicts, by):
    """Returns a table with a row for each component or rule, and one for all components."""
    groups = collections.defaultdict(list)
    for verdict in verdicts:
        groups[verdict[by]].append(verdict)
    lines = [f"| {title} | drawn | killed | survived | equivalent | not built | share | interval |",
             "|---|---:|---:|---:|---:|---:|---:|---:|"]
    lines += [drawn_row(name, groups[name]) for name in sorted(groups)]
    return lines + ([drawn_row("all", verdicts)] if by == "room" else [])


def drawn_page(value):
    mutants = value["mutants"]
    first, *others = sorted({verdict["seed"] for verdict in mutants})
    of_first = [verdict for verdict in mutants if verdict["seed"] == first]
    lines = ["# Changes to the harness, drawn by rules", "",
             f"Made by `make mutants-drawn`: `scripts/mutate_c.py` draws up to {value['count']} changes of each component, with seed",
             f"{first}, and runs the component's tests and some tests of higher components. Killed: a test failed. The share is",
             "that of the killed among the killed and the survivors, with its 95 % interval by Wilson.",
             *left_out(mutants), ""]
    lines += drawn_table("component", of_first, "room") + [""] + drawn_table("rule", of_first, "rule")
    for seed in others:
        lines += ["", f"## A sample with seed {seed}", ""]
        lines += drawn_table("component", [verdict for verdict in mutants if verdict["seed"] == seed], "room")
    for verdict, title in (("survived", "What survives"), ("equivalent", "Changes that no input shows")):
        rows = {v["key"]: v for v in mutants if v["verdict"] == verdict}.values()
        if rows:
            lines += ["", f"## {title}", "", "| file | change | why |", "|---|---|---|"]
            lines += [f"| {v['file']}, {v['function']} | {v['rule']}: {code(v['old'])} becomes {code(v['new'])} | "
                      f"{v.get('why', 'not explained')} |" for v in rows]
    return "\n".join(lines) + "\n"


def drawn(_):
    return {EXAMPLES / "drawn-mutants.md": drawn_page(result(EXAMPLES / "drawn-mutants.json"))}
