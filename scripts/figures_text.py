# SPDX-License-Identifier: Apache-2.0
"""Makes tables and sentences of README.md and other pages, and the table of mutants."""
import functools
import html.parser
import json
import re

from figures_proofs import percent, table
from figures_sources import EXAMPLES, ROOT, result

H200 = EXAMPLES / "nvidia-h200"


def softmax_rows(program, wanted):
    """Returns rows of the terminal's table, by kernel, type and size."""
    result(H200 / "quick.json")
    text = program("report", H200 / "quick.json", "--out", program.folder(), draw=False)
    block = re.search(r"^softmax  size:.*?(?=\n\n)", text, re.M | re.S)[0].splitlines()
    rows, kept = [], False
    for line in block[2:]:
        if line[1:2] != " ":  # no further line of a row
            kept = line.split()[:3] in wanted
        if kept:
            rows.append(line)
    missing = [row for row in wanted if row not in [line.split()[:3] for line in rows]]
    if missing:
        raise SystemExit(f"figures: the table of softmax has no rows {missing}")
    return "```text\n" + "\n".join([*block[:2], *rows]) + "\n```\n"


def softmax(program):
    """Returns two kernels, one at two sizes."""
    return softmax_rows(program, [["cached", "f32", "512x1024"], ["cached", "f32", "4096x4096"],
                                  ["online", "f32", "4096x4096"]])


def first_table(program):
    """Returns kernels of one size, one with the workgroup of a system."""
    kernels = ("cached", "online", "rows", "subgroup", "three_pass")
    return softmax_rows(program, [[kernel, "f32", "4096x4096"] for kernel in kernels])


def strategies(program):
    """Returns how well searches do on recorded spaces."""
    result(H200 / "shapes.json.gz")
    text = program("tune", "--simulate", H200 / "shapes.json.gz")
    head = re.search(r"^(.*): (\d+) cases, (\d+) repeats of each search$", text, re.M)
    line = re.compile(r"^  (\w+) +within 2 % of the true best in +([\d.]+)% of the repeats \((\d+)% on its worst "
                      r"case\), mean loss ([\d.]+)%, ([\d.]+)% of the samples", re.M)
    rows = [[f"`{name}`", f"{near} % of the searches", f"{worst} %", f"{loss} %", f"{samples} %"]
            for name, near, worst, loss, samples in line.findall(text)]
    return f"""On the recorded spaces of an {head[1]}, {head[2]} cases, {head[3]} searches each
(`vkassay tune --simulate reports/examples/nvidia-h200/spaces.json.gz` repeats it):

""" + table(["strategy", "within 2 % of the true best", "in its worst case", "mean loss",
             "samples, of exhaustive search"], rows)


def kernel_tuner(_):
    """Returns how well Kernel Tuner's strategies do at the cost of the race."""
    result(H200 / "shapes.json.gz")
    with open(H200 / "proofs/kernel-tuner.json") as file:
        value = json.load(file)
    if "dirty" in value["tool"]:
        raise ValueError("proofs/kernel-tuner.json: of a tree that was not committed")
    found = sorted(value["strategies"].items(), key=lambda item: -item[1]["near"])
    rows = [[f"`{name}` of {whose}", f"{score['near']:.1f} % of the searches", f"{score['worst']:.0f} %",
             f"{score['loss']:.2f} %"]
            for whose, scores in (("vkassay", [("race", value["vkassay"]["race"])]), ("Kernel Tuner", found))
            for name, score in scores]
    failed = ", ".join(f"`{name}`" for name in value["failed"])
    times = f'{value["cases"]} spaces in simulation, {value["repeats"]} times each'
    return f"""Kernel Tuner {value["kernel_tuner"]} searched the same {times}, at the same cost:
{100 * value["sample_share"]:.1f} % of all samples, {value["samples_an_evaluation"]} of them an evaluation, its default:

""" + table(["strategy", "within 2 % of the true best", "in its worst case", "mean loss"], rows) + (
        f"\nNot run, as modules lacked or they failed on spaces of this size: {failed}.\n" if failed else "")


# ---- tuned tables

def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def shape_key(shape):
    return tuple(sorted((name, tuple(value) if isinstance(value, list) else value) for name, value in shape.items()))


def entries(path):
    """Maps each case to its chosen shape and its ties."""
    found = {}
    for entry in result(path)["tuned"]:
        dims = tuple(sorted(entry["dims"].items()))
        ties = [shape_key(tie.get("shape", tie)) for tie in entry["ties"]]
        found[entry["kernel"], entry["dtype"], dims] = (shape_key(entry["shape"]), ties)
    return found


def agreement(one, other):
    """Counts the common cases, those with the same choice, and those with one's choice among the other's ties."""
    both = [(one[case], other[case]) for case in one if case in other]
    same = sum(a[0] == b[0] for a, b in both)
    tied = sum(a[0] != b[0] and (a[0] in b[1] or b[0] in a[1]) for a, b in both)
    return len(both), same, tied


def tuned(_):
    """Compares the choices of two real searches with each other and with a run of every shape."""
    chosen, again = entries(H200 / "tuned.json"), entries(H200 / "tuned-again.json")
    cases, same, tied = agreement(chosen, again)
    times = {}  # case to {shape: median}
    for record in result(H200 / "shapes.json.gz")["records"]:
        if record["status"] == "pass" and (record.get("time") or {}).get("compute"):
            case = record["kernel"], record["dtype"], tuple(sorted(record["dims"].items()))
            times.setdefault(case, {})[shape_key(record["shape"])] = record["time"]["compute"]["median_ns"]
    both = [(*chosen[case], times[case]) for case in chosen if case in times]
    best = sum(shape == min(of, key=of.get) for shape, _, of in both)
    ties = sum(min(of, key=of.get) in more for shape, more, of in both if shape != min(of, key=of.get))
    near = sum(of.get(shape, float("inf")) <= 1.02 * min(of.values()) for shape, _, of in both)
    return f"""Two tunes of that device ([one](reports/examples/nvidia-h200/tuned.json),
[the other](reports/examples/nvidia-h200/tuned-again.json)) chose the same shape in {same} of {cases} cases, and
in {tied} more one's choice is among the other's ties. Held against a run of every shape in another process, the
first chose that run's best in {best} of {len(both)} cases and has it among its ties in {ties} more; its choice is
within 2 % of that best in {near}. A simulated search meets the very times that it is held against; in another
process one shape's dispatch takes some 50 ns more or less, however long it is
([proofs](reports/examples/proofs.md#shapes-the-same-one-in-another-process)). Shapes nearer than 100 ns are ties
since then; these tables were made before.
"""


# ---- the portable picks of the page

class Cells(html.parser.HTMLParser):
    """Collects the rows of every table as texts."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.inside = [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.inside = True

    def handle_endtag(self, tag):
        self.inside = self.inside and tag not in ("td", "th", "tr")

    def handle_data(self, data):
        if self.inside:
            self.rows[-1][-1] += data


SHIPPED = ("add.vec4", "sub.map", "softmax.cached", "rmsnorm.cached", "transpose.plain", "matmul.tiled",
           "conv2d.direct")
RULES = {"portable pick": "portable pick", "regret": "its regret", "systems": "systems' shapes", "64": "64", "256": "256",
         "largest": "largest"}


def regrets(program):
    result(H200 / "shapes.json.gz")
    out = program.folder()
    program("report", H200 / "shapes.json.gz", "--out", out, draw=False)
    rows = Cells((out / "report.html").read_text()).rows
    start = next(i for i, row in enumerate(rows) if "portable pick" in row and "regret" in row)
    columns = [rows[start].index(name) for name in RULES]
    picks = {}  # from the first table with these columns
    for row in rows[start + 1:]:
        if len(row) == len(rows[start]) and row[1] == "f32":
            picks.setdefault(row[0], row)
    return table(["kernel (f32)", *RULES.values()],
                 [[name, *(picks[name][column].strip() or "-" for column in columns)] for name in SHIPPED])


# ---- sentences

def claims(_):
    result(EXAMPLES / "nvidia-h200/claims.json.gz")
    text = (EXAMPLES / "nvidia-h200/claims.md").read_text()
    count, holds, fails = re.search(r"^(\d+) claims?: (\d+) holds?, (\d+) do", text, re.M).groups()
    return f"""`make claims` measures what five WebGPU tensor systems say of GPUs, {count} claims with their conditions
([suites/claims.json](suites/claims.json)), and says for this device which hold, which do not, and which cannot be
decided here. On an NVIDIA H200 {holds} hold and {fails} do not
([the table](reports/examples/nvidia-h200/claims.md)).
"""


def coverage_results():
    """Returns the results for the page of coverage."""
    return sorted(EXAMPLES.glob("*/quick.json")) + sorted(EXAMPLES.glob("*/results/*.json.gz"))


@functools.cache
def coverage_page(program):
    """Returns the page of coverage."""
    for path in coverage_results():
        result(path)
    return program("list", "coverage", *(path.relative_to(ROOT) for path in coverage_results()))


def coverage(program):
    """Returns the sums of the page of coverage."""
    for path in coverage_results():
        result(path)
    text = coverage_page(program)
    passed, served, held, others, nowhere, kernels = map(int, re.search(
        r"^On every device here, (\d+) of (\d+) operators with an f32 kernel pass in f32, and (\d+) of (\d+) pairs of an "
        r"operator and another type pass. On no device, (\d+) of (\d+) pairs of", text, re.M).groups())
    head = text.split("## elementwise\n", 1)[1].lstrip().split("\n", 1)[0]
    devices = [name.strip() for name in head.strip("|").split("|")][6:]
    missing = nowhere or "none"
    return f"""`make pages` makes build/pages/coverage.md, with a row for every operator and type: its kernels and the outcome on each
device. The results are of
{", ".join(devices[:-1])} and {devices[-1]}.
On all of them, {passed} of {served} operators with an f32 kernel pass in f32. In other types a device may lack features;
{held} of {others} pairs of an operator and a type pass on all. On no device, {missing} of {kernels} pairs of a kernel and
a type passed.
"""


def pictures(_):
    quick, shapes = result(H200 / "quick.json"), result(H200 / "shapes.json.gz")
    return f"""The pictures are of suite {quick["run"]["suite"]} and of every shape of suite {shapes["run"]["suite"]} on an
{quick["device"]["name"]} ([results](reports/examples/README.md)).
"""


def exhaustive(_):
    value = result(H200 / "exhaustive.json")
    operators = {record["operator"] for record in value["records"]}
    passed = sum(record["status"] == "pass" for record in value["records"])
    seconds = value["run"]["wall_s"] / len(operators)
    return f"""* On an NVIDIA H200 [all inputs of {len(operators)} operators](reports/examples/nvidia-h200/exhaustive.md) took
  {seconds:.0f} s an operator; {passed} of {len(value["records"])} kernels and types pass.
"""


def verdicts(_):
    value = result(H200 / "proofs/false-alarms.json")
    row = next(row for row in value["rows"] if row["way"] == "ab")
    seemed = row["slower"] + row["faster"]
    return f"""Measured interleaved on {value["device"]}, {seemed or "none"} of {row["points"]} verdicts on a version against itself said
slower or faster, {row["ambiguous"]} were ambiguous ([proofs](reports/examples/proofs.md)).
"""


PARTS = {"softmax": softmax, "strategies": strategies, "kernel-tuner": kernel_tuner, "tuned": tuned, "regrets": regrets, "claims": claims,
         "first-table": first_table, "coverage": coverage, "exhaustive": exhaustive, "verdicts": verdicts, "pictures": pictures}


# ---- mutants.md

CHECKS = {
    "ulp": "numbers too far from the reference, or wrong integers",
    "class": "a NaN or an infinity in place of something else, or the reverse",
    "unwritten": "an output that still holds the poison of before the run",
    "guard": "changed words around a buffer",
    "input": "an input that did not come back as it was",
    "bits": "other bits in a second run",
    "no such type": "nothing: the driver does not have the element type",
}


def mutants():
    value = result(EXAMPLES / "mutants.json")
    stated = {mutant["name"] for mutant in json.loads((ROOT / "harness/commands/tests/mutants.json").read_text())}
    rows, last = [], None
    for mutant in sorted(value["mutants"], key=lambda mutant: mutant["kind"]):
        rows.append(["" if mutant["kind"] == last else mutant["kind"], mutant["name"], f"`{mutant['kernel']}`",
                     *(mutant["caught"][driver] for driver in value["drivers"])])
        last = mutant["kind"]
    kinds = len({mutant["kind"] for mutant in value["mutants"]})
    if {row[1] for row in rows} != stated:
        print("reports/examples/mutants.json is not of the mutants that there are: make mutants")
    return f"""# Mutants

{len(rows)} ways of breaking the kernels of this repository, of {kinds} kinds, and the checks that catch each, by
vkassay {value["tool"]["git"]}. `make mutants` measures this, `make test` demands that no mutant survives, and that the
kernels they were made of pass the same points.
[mutants.json](../../harness/commands/tests/mutants.json) states each as a replacement in a source.

{table(["check", "found"], [[f"{check}", found] for check, found in CHECKS.items()])}
{table(["kind", "mutant", "kernel", *value["drivers"]], rows)}"""
