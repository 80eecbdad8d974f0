#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes every figure of README.md and reports/ from results: figures.py [--check] [--pages DIR] [--program FILE]

The results are in reports/examples. The program makes whole files. In other pages, figures_text.py makes the text between <!-- figures: NAME --> and
<!-- figures end -->; in proofs.md, figures_proofs.py does. --check compares the contents of files and writes none of them;
the layout of JSON and the packing of charts do not count. A result of an uncommitted tree is refused. Charts of another
version of gnuplot are not compared. --pages writes the pages that are not committed, and without --check only these.
"""
import argparse
import base64
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

import figures_documents
import figures_operators
import figures_mutants
import figures_numbers
import figures_peers
import figures_proofs
import figures_scale
import figures_text
import figures_sources
import packed
from figures_sources import EXAMPLES, ROOT, Refused, page_with_card, result

H200 = EXAMPLES / "nvidia-h200"


class Program:
    def __init__(self, path, work):
        self.path, self.work = path, work
        # Replaces gnuplot in calls that need no charts.
        (work / "bin").mkdir()
        (work / "bin/gnuplot").symlink_to("/bin/true")

    def __call__(self, *arguments, draw=True):
        env = dict(os.environ, LC_ALL="C.UTF-8", COLUMNS="100", VKASSAY_CACHE=str(self.work / "cache"))
        if not draw:
            env["PATH"] = f"{self.work}/bin:{env['PATH']}"
        words = [str(word) for word in (self.path, *arguments)]
        done = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True)
        if done.returncode not in (0, 3, 4):
            sys.exit(f"{' '.join(words)}: status {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-2000:]}")
        return done.stdout

    def folder(self):
        return pathlib.Path(tempfile.mkdtemp(dir=self.work))


# ---- whole files: each function returns {path: text}

def exhaustive(program):
    result(H200 / "exhaustive.json")
    out = program.folder()
    program("report", H200 / "exhaustive.json", "--out", out, draw=False)
    return {H200 / "exhaustive.md": (out / "exhaustive.md").read_text()}


def claims(program):
    result(H200 / "claims.json.gz")
    out = program.folder()
    program("report", "--claims", "claims", H200 / "claims.json.gz", "--out", out)
    return {H200 / "claims.md": (out / "claims.md").read_text()} | page_with_card(out, "claims.html", H200 / "claims.html")


def shapes_page(program):
    result(H200 / "shapes.json.gz")
    out = program.folder()
    program("report", "--chart", "all", H200 / "shapes.json.gz", "--out", out)
    return page_with_card(out, "report.html", H200 / "shapes.html") | {
            H200 / "shapes-transpose.svg": next(out.glob("shapes-transpose*.svg")).read_text()}


def spaces(program):
    result(H200 / "shapes.json.gz")
    out = program.folder() / "spaces.json"
    program("tune", "--simulate", H200 / "shapes.json.gz", "--out", out)
    return {H200 / "spaces.json.gz": out.read_text()}


FLEET = EXAMPLES / "fleet"


def fleet(program):
    """Returns the joined table of all devices with timed shapes, and its counts."""
    sources = [H200 / "shapes.json.gz", *sorted(FLEET.glob("*-*.json.gz"))]
    for path in sources:
        result(path)
    out = program.folder()
    said = program("tune", "--join", *(path.relative_to(ROOT) for path in sources), "--out", out / "tuned.json")
    lines = [line for line in said.splitlines() if not line.startswith("Table ")]
    return {FLEET / "tuned.json": (out / "tuned.json").read_text(),
            FLEET / "table.txt": "".join(line + "\n" for line in lines)}


def gallery(program):
    """Returns the gallery of all results of the examples, a page to share."""
    out = program.folder()
    program("report", EXAMPLES, "--alike", "--quiet", "--out", out)
    return page_with_card(out, "gallery.html", FLEET / "gallery.html")


CHARTS = ("roofline", "ulp-softmax")


# Draws only these charts: a report has some hundred.
def charts(program):
    result(H200 / "quick.json")
    out = program.folder()
    program("report", "--chart", "all", H200 / "quick.json", "--out", out, draw=False)
    head, *drawn = (out / "charts.gp").read_text().split("\nreset\n")
    wanted = [text for text in drawn if any(f"\nname='{name}'\n" in text for name in CHARTS)]
    (out / "few.gp").write_text("\nreset\n".join([head, *wanted]))
    subprocess.run(["gnuplot", "-e", f"templates='{ROOT}/reports/gnuplot/'", "few.gp"], cwd=out, check=True,
                   stderr=subprocess.DEVNULL)
    return {H200 / f"{name}.svg": (out / f"{name}.svg").read_text() for name in CHARTS}


def mutants(_):
    return {EXAMPLES / "mutants.md": figures_text.mutants()}


# Makes the table of each result of `vkassay mutate`.
def kernel_mutants(program):
    made = {}
    for path in EXAMPLES.glob("kernel-mutants*.json.gz"):
        out = program.folder()
        program("report", "--quiet", path, "--out", out, draw=False)
        made[path.parent / f"{packed.stem(path)}.md"] = (out / "mutants.md").read_text()
    return made


# ---- results of kernels with newer sources

TABLES = {H200 / "tuned.json": H200 / "shapes.json.gz", H200 / "tuned-again.json": H200 / "shapes.json.gz"}


def of_the_same_sources(table, result_of):
    """Returns whether the result measured the source of each entry of a tuned table."""
    measured = {(record["kernel"], record["source_hash"]) for record in result_of["records"]}
    return all((entry["kernel"], entry["source_hash"]) in measured for entry in table["tuned"])


def changed(program):
    """Maps each committed result, and each table made from one, to its kernels with newer sources."""
    paths = [path for pattern in ("*/*.json", "*/*.json.gz", "*/results/*.json.gz") for path in EXAMPLES.glob(pattern)
             if "records" in (value := json.loads(packed.read(path))) and "run" in value]
    listed = json.loads(program("list", "sources", *sorted(paths), "--json"))
    found = {pathlib.Path(one["file"]): one["changed"] for one in listed}
    for table, of in TABLES.items():
        if not of_the_same_sources(json.loads(table.read_text()), json.loads(packed.read(of))):
            raise Refused(f"{table}: its entries are of other sources than {of.name} measured")
        found[table] = found[of]
    return found


def remarked(text, old):
    """Returns the text of a result or a table with the mark `historical` set or removed; all else is the same."""
    mark, head = '"historical": true,', r'"run": ?{' if re.search('"run": ?{', text) else "^{"
    text = text.replace(mark, "", 1)
    return re.sub(head, lambda m: m[0] + mark, text, count=1) if old else text


def marks(program):
    """Marks results of other sources than today's as historical."""
    made = {}
    for path, names in changed(program).items():
        text = packed.read(path)
        if figures_sources.historical(json.loads(text)) != bool(names):
            print(f"{path.relative_to(ROOT)}: sources that differ now: {', '.join(names) or 'none'}")
            made[path] = remarked(text, bool(names))
    return made


WHOLE = (marks, exhaustive, claims, spaces, shapes_page, fleet,
         gallery, figures_peers.page, figures_peers.cases_page, figures_peers.targets_page,
         charts, mutants, figures_mutants.harness, figures_mutants.drawn, kernel_mutants)

# ---- pages that are not committed, because each new operator changes them

ON_DEMAND = {"operators.md": figures_operators.page, "coverage.md": figures_text.coverage_page,
             "documents.md": figures_documents.page}


def moved(text, folder):
    """Rewrites the links `../PATH` of a page so that they lead from the folder to the root."""
    return text.replace("](../", f"]({os.path.relpath(ROOT, folder)}/")


def on_demand(program, folder):
    """Makes these pages, and so finds their faults. Writes them to the folder, if there is one."""
    for name, make in ON_DEMAND.items():
        text = make(program)
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(moved(text, folder.resolve()))


# ---- text between marks

MARKED = re.compile(r"(<!-- figures: (\S+) -->\n)(.*?)(<!-- figures end -->)", re.S)
MARK = re.compile(r"<!-- figures(?:: (\S+)| (end)) -->")


ROOT_PARTS = {**figures_text.PARTS, "peers": figures_peers.peers, "engines": figures_peers.engines} # links start at the root
PAGES = {EXAMPLES / "proofs.md": figures_proofs.PARTS, ROOT / "reports/SCALE.md": figures_scale.PARTS} | {
    ROOT / page: ROOT_PARTS for page in ("README.md", "reports/README.md", "harness/engine/check/README.md",
                                                 "harness/tune/README.md", "suites/README.md")}


# The parts of each page, in order. Missing marks are an error.
MARKS = {"README.md": ["first-table", "verdicts", "pictures", "peers"],
         "reports/README.md": ["softmax", "coverage", "engines"],
         "reports/SCALE.md": ["scale", "together"],
         "reports/examples/proofs.md": ["power", "agreement", "repeatability", "efficiency", "processes", "false-alarms"],
         "harness/engine/check/README.md": ["exhaustive"],
         "harness/tune/README.md": ["strategies", "kernel-tuner", "tuned", "regrets"],
         "suites/README.md": ["claims"]}


def ill_marked(page, text, wanted):
    """Returns the fault in a page's marks, or None. The page must have the wanted parts in order, each with an end."""
    found = [name or end for name, end in MARK.findall(text)]
    expected = [word for name in wanted for word in (name, "end")]
    return None if found == expected else f"{page}: expected the marks {expected}, found {found}"


def check_marks():
    """Returns a line for each page with missing or other marks."""
    wrong = [said for page in figures_numbers.pages()
             if (said := ill_marked(page, (ROOT / page).read_text(), MARKS.get(page, [])))]
    wrong += [f"{page}: is not there" for page in MARKS if not (ROOT / page).exists()]
    return wrong


def relinked(text, page):
    """Rewrites links that start at the root, so that they start at the page."""
    return re.sub(r"\]\(((?:reports|suites|scripts)/[^)]*)\)",
                  lambda m: f"]({os.path.relpath(ROOT / m[1], page.parent)})", text)


def marked(program):
    def made(match, page, parts):
        del figures_sources.READ[:]
        text = parts[match[2]](program).rstrip("\n")
        note = figures_sources.footnote(figures_sources.READ)
        text += f"\n\n{note.rstrip()}" if note else ""
        return match[1] + (relinked(text, page) if parts is ROOT_PARTS else text) + "\n" + match[4]

    return {page: MARKED.sub(lambda match: made(match, page, parts), page.read_text()) for page, parts in PAGES.items()}


# ---- compared, or written


def version(text):
    found = re.search("Produced by GNUPLOT ([0-9.]+) patchlevel ([0-9]+)", text)
    return found and f"gnuplot {found[1]} patchlevel {found[2]}"


PACKED = re.compile(r'(<script type="text/plain" id="pack-[^"]*">)([^<]*)')


def said(path, text):
    """Returns a comparable form of a file's content, without the layout of JSON and the packing of charts.

    Both differ between versions of json-c and zlib."""
    if path.name.endswith((".json", ".json.gz")) and text:
        return json.dumps(json.loads(text))
    return PACKED.sub(lambda m: m[1] + zlib.decompress(base64.b64decode(m[2])).decode(), text)


# Returns whether the charts are of one version of gnuplot. Others cannot be compared.
def comparable(old, new):
    return version(old) in (None, version(new))


def settle_picture(path, picture, check):
    """Writes a picture. A check only tests that it exists, because its pixels depend on fonts."""
    if path.exists() if check else path.exists() and path.read_bytes() == picture:
        return True
    if not check:
        path.write_bytes(picture)
    print(f"{path.relative_to(ROOT)}: {'is not there: make figures' if check else 'written'}")
    return not check


def settle(path, text, check):
    if isinstance(text, bytes):
        return settle_picture(path, text, check)
    old = packed.read(path) if path.exists() else ""
    was, now = said(path, old), said(path, text)
    if was == now:
        return True
    name = path.relative_to(ROOT)
    if check and not comparable(was, now):
        print(f"{name}: not compared: drawn by {version(was)}, and here is {version(now)}")
        return True
    if not check:
        packed.write(path, text)
    print(f"{name}: {'is not what its results give: make figures' if check else 'written'}")
    return not check


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    parser.add_argument("--pages", type=pathlib.Path, help="folder for the pages that are not committed")
    parser.add_argument("--program", default=ROOT / "build/vkassay")
    options = parser.parse_args()
    good, made, refused_any, whole = True, set(), False, options.check or not options.pages
    with tempfile.TemporaryDirectory(prefix="vkassay-figures-") as work:
        program = Program(pathlib.Path(options.program).resolve(), pathlib.Path(work))
        try:
            on_demand(program, options.pages)
        except Refused as refused:
            print(refused)
            good = False
        for make in (*WHOLE, marked) if whole else ():
            try:
                for path, text in make(program).items():
                    made |= {path} if make is not marked else set()
                    good = settle(path, text, options.check) and good
            except Refused as refused:
                print(refused)
                good, refused_any = False, True
    for line in check_marks() + (figures_numbers.wrong(made) if whole and not refused_any else []):
        print(line)
        good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
