# SPDX-License-Identifier: Apache-2.0
"""Makes the page of the five systems' documents from reports/documents.json. Each row names the place here that
measures or checks it, or the reason why it is not this tool's. A row with a missing target is refused."""
import json
import re

from figures_proofs import table
from figures_sources import ROOT, Refused

LIST = ROOT / "reports/documents.json"
HEAD = """# What the documents of five systems name

Each thing that the documents of torchless, ToRSh, candle, tensor_frame and libtorch-rust name, ship or plan, \
and where it is measured
or checked here: an operator, a kernel, a probe, a suite, a claim, a command, an option or a page; \
or why it is not this tool's. Made by
`make pages` of [documents.json](../reports/documents.json); a target that is no longer there fails `make test`.
"""


class Targets:
    """The targets that a row may name, each with its link."""

    def __init__(self, program, root=ROOT):
        self.root = root
        self.operators = {operator["name"] for operator in json.loads(program("list", "operators", "--json"))}
        kernels = json.loads(program("list", "kernels", "--json"))
        self.kernels = {kernel["name"]: kernel["manifest"] for kernel in kernels}
        self.claims = {claim["id"] for claim in json.loads((root / "suites/claims.json").read_text())["claims"]}
        probes = (root / "harness/engine/plan/probes.c").read_text()
        self.probes = {f"{of}.{name}" for of, name in re.findall(r"PROBE\((\w+), (\w+),", probes)}
        usual, _, more = program("--help").partition("\nMore: ")
        self.commands = set(re.findall(r"^  (\w+) ", usual, re.M)) | set(re.findall(r"\w+", more.partition("\n\n")[0]))
        self.options = set()
        for command in self.commands:
            self.options |= set(re.findall(r"^  --([\w-]+)", program(command, "--help"), re.M))

    def page(self, name):
        path, _, anchor = name.partition("#")
        if not (self.root / path).exists():
            return None
        heads = re.findall(r"^#+ (.*)$", (self.root / path).read_text(), re.M) if anchor else []
        anchors = {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}
        return f"[{path}](../{name})" if not anchor or anchor in anchors else None

    def link(self, target):
        """Returns the markdown of a target such as `operator:add`; None if it does not exist."""
        kind, _, name = target.partition(":")
        known = {
            "operator": (self.operators, f"operator [{name}](operators.md#{name})"),
            "probe": (self.probes, f"probe [{name}](../suites/README.md#probes)"),
            "claim": (self.claims, f"claim [{name}](../suites/claims.json)"),
            "command": (self.commands, f"[`vkassay {name}`](../harness/commands/README.md#command-line)"),
            "option": (self.options, f"[`--{name}`](../harness/commands/README.md#command-line)"),
        }
        if kind == "page":
            return self.page(name)
        if kind == "suite":
            there = (self.root / f"suites/{name}.json").exists()
            return f"suite [{name}](../suites/{name}.json)" if there else None
        if kind == "kernel":
            manifest = self.kernels.get(name)
            return manifest and f"kernel [{name}](../kernels/{manifest.split('kernels/')[-1]})"
        names, text = known.get(kind, ((), ""))
        return text if name in names else None


SENTENCES = ROOT / "scripts/tests/sentences.json"  # for each system: from a row's names to the sentences it covers


def uncovered(documents, sentences):
    """Returns a line for each fault between the rows and the sentences they must cover."""
    rows = {document["system"]: [row["names"] for row in document["rows"]] for document in documents}
    wrong = []
    for system in sorted(rows.keys() | sentences.keys()):
        named, wanted = rows.get(system, []), sentences.get(system, {})
        wrong += [f'{system}: no row "{row}" covers {json.dumps(said, ensure_ascii=False)}'
                  for row, said in wanted.items() if row not in named]
        wrong += [f'{system}: no sentence is kept for the row "{row}"' for row in named if row not in wanted]
        wrong += [f'{system}: the row "{row}" is there twice' for row in set(named) if named.count(row) > 1]
    return wrong


MEMBERS = {"names", "by", "reason"}  # no member may declare a gap: a row has a target or a reason


def cell(row, targets):
    if set(row) - MEMBERS:
        raise Refused(f"{LIST.name}: \"{row['names']}\" has {', '.join(sorted(set(row) - MEMBERS))}; "
                      f"a row has {', '.join(sorted(MEMBERS))}")
    links = [targets.link(target) for target in row.get("by", [])]
    for target, link in zip(row.get("by", []), links):
        if not link:
            raise Refused(f"{LIST.name}: \"{row['names']}\" names {target}, which is not there")
    words = [", ".join(links)] if links else []
    if "reason" in row:
        words.append(("rest not this tool's: " if links else "not this tool's: ") + row["reason"])
    if not words:
        raise Refused(f"{LIST.name}: \"{row['names']}\" says neither where it is nor why not")
    return "; ".join(words)


def text(documents, targets):
    parts = [HEAD]
    for document in documents:
        rows = [[row["names"].replace("|", "\\|").replace("*", "\\*").replace("_", "\\_"), cell(row, targets)]
                for row in document["rows"]]
        parts.append(f"## {document['system']}: {document['title']}\n\n" + table(["it names", "here"], rows))
    rows = [row for document in documents for row in document["rows"]]
    parts.insert(1, f"{len(rows)} rows: {sum('reason' not in row for row in rows)} are here, "
                    f"{sum('by' in row and 'reason' in row for row in rows)} in part, and say what is not, "
                    f"{sum('by' not in row for row in rows)} are not this tool's.\n")
    return "\n".join(parts)


def page(program):
    """Returns the page, with links from a folder beside reports/."""
    documents = json.loads(LIST.read_text())["documents"]
    wrong = uncovered(documents, json.loads(SENTENCES.read_text()))
    if wrong:
        raise Refused("\n".join(f"{LIST.name}, {SENTENCES.name}: {line}" for line in wrong))
    return text(documents, Targets(program))
