#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts how plain the prose of comments, pages and texts for users is: scripts/prose.py [--list] [--check] [PATH...]

A sentence counts from four words on. Texts for users are literals in C, summaries in JSON and texts of help. For each folder: relative pronouns a sentence, sentences that begin with What, Of,
Those, Whether, One, That or Where, mean length, and the longest. --list names the sentences that break a rule. --check
fails if a folder is above a limit of MOST.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PRONOUNS = re.compile(r"\b(?:what|which|that|whose|those)\b", re.I)
BEGINNINGS = ("What", "Of", "Those", "Whether", "One", "That", "Where")
WORDS = 25  # at most in a sentence
SHORTEST = 4
MOST = {"pronouns": 0.15, "beginnings": 2, "words": 18, "longest": 45}


def comments_of_c(text):
    """Yields each block of // or /* */ comments as one text."""
    block = []
    for line in text.split("\n"):
        code = re.sub(r'"(?:\\.|[^"\\])*"', '""', line)
        found = re.search(r"//(.*)|/\*(.*?)(?:\*/|$)", code)
        said = found and (found.group(1) or found.group(2) or "").strip()
        alone = found and not code[: found.start()].strip()
        if said and not said.startswith(("SPDX", "----")) and alone:
            block.append(said)
            continue
        if block:
            yield " ".join(block)
            block = []
        if said and not said.startswith("SPDX"):
            yield said
    if block:
        yield " ".join(block)


def comments_of_script(text):
    block = []
    for line in text.split("\n"):
        found = re.match(r"\s*#(?!!)\s?(.*)", line)
        said = found and found.group(1).strip()
        if said and not said.startswith(("SPDX", "shellcheck")):
            block.append(said)
        elif block:
            yield " ".join(block)
            block = []
    if block:
        yield " ".join(block)


CODE = r"[{};]\s*(?:[{}]|$)|==|\w\(\w+ |[a-z]_[a-z]+_|=[\"']|\$\(|\[\w+, "  # in a literal that is no sentence


def texts_of_c(text):
    """Yields the texts for users among literals: neighbours joined, a format as one word, each line of a list apart."""
    skipped = r"//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])'"
    literals = r'"(?:\\.|[^"\\\n])*"(?:[\s\\]*"(?:\\.|[^"\\\n])*")*'
    for found in re.finditer(f"{skipped}|({literals})", text, re.S):
        literal = "".join(re.findall(r'"((?:\\.|[^"\\\n])*)"', found.group(1) or ""))
        literal = re.sub(r"%[-+#0-9.*]*(?:ll|z|h)?[a-zA-Z]", "X", literal.replace("%%", "percent"))
        for part in re.split(r";\s|\\n\\n|\\n[ .]+|<[^>]*>", literal):
            if not re.search(CODE, part):
                yield part.replace("\\n", " ").replace('\\"', '"')


def items_of_help(text):
    """Yields the paragraphs and items of a help text, without commands."""
    text = re.sub(r"^  vkassay .*\n", "", text, flags=re.M)
    for part in re.split(r";\s|\n(?= {0,4}\S+ {2,})", text):
        yield " ".join(part.split())


def summaries(text):
    """Yields the summaries, descriptions, titles and reasons of a JSON file."""
    for name, value in re.findall(r'"(summary|description|title|why|claim|what)":\s*("(?:\\.|[^"\\])*")', text):
        yield from json.loads(value).split("; ")


def paragraphs(text):
    """Yields the paragraphs, items and cells of a page, without code, made figures and addresses of links."""
    text = re.sub(r"<!-- figures: .*?<!-- figures end -->", "", text, flags=re.S)
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    for part in re.split(r"\n\s*\n|\n\s*[*-] |\n\|", text):
        for cell in re.split(r"(?<!\\)\|", part):
            cell = " ".join(cell.split())
            if cell and not cell.startswith("#"):
                yield cell


def sentences(block):
    block = re.sub(r"`[^`]*`", "CODE", block)
    for sentence in re.split(r"(?<=[.!?;])\s+(?=[A-Z(\"'])", block):
        if len(re.findall(r"[A-Za-z][A-Za-z'-]*", sentence)) >= SHORTEST:
            yield sentence.strip()


def faults(sentence):
    words = len(re.findall(r"[\w'-]+", sentence))
    pronouns = len(PRONOUNS.findall(sentence))
    begins = sentence.lstrip("\"'(*").split(" ", 1)[0] in BEGINNINGS and not sentence.endswith("?")
    return words, pronouns, begins


def texts(path):
    """Returns the reader of the texts for users in a file, or None."""
    if path.parent.name == "help":
        return items_of_help
    if "tests" in path.parts or path.suffix not in (".c", ".h", ".json"):
        return None
    folders = ("suites", "kernels") if path.suffix == ".json" else ("harness", "reference")
    return (summaries if path.suffix == ".json" else texts_of_c) if path.relative_to(ROOT).parts[0] in folders else None


def kinds(path):
    if path.suffix in (".c", ".h", ".comp", ".glsl", ".hlsl", ".wgsl"):
        return comments_of_c
    if path.suffix in (".sh", ".py") or path.name == "Makefile":
        return comments_of_script
    return paragraphs if path.suffix == ".md" and path.name != "CHANGELOG.md" else None


def folder(path):
    parts = path.relative_to(ROOT).parts
    if path.suffix == ".md":
        return "pages"
    named = [part for part in parts[:-1] if part != "tests"]
    return "/".join(named[:2] if named[:1] == ["harness"] else named[:1]) or "top"


def files(paths):
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", *paths], cwd=ROOT, check=True, text=True, capture_output=True).stdout
    for name in listed.split():
        path = ROOT / name
        if not name.startswith("reports/examples/") and path.is_file():
            if kinds(path):
                yield path, kinds(path), folder(path)
            if texts(path):
                yield path, texts(path), "texts"


def measure(paths, show):
    folders = {}
    for path, blocks, name in files(paths):
        sums = folders.setdefault(name, {"sentences": 0, "pronouns": 0, "beginnings": 0, "words": 0, "longest": 0})
        for block in blocks(path.read_text(errors="replace")):
            for sentence in sentences(block):
                words, pronouns, begins = faults(sentence)
                sums["sentences"] += 1
                sums["pronouns"] += pronouns
                sums["beginnings"] += begins
                sums["words"] += words
                sums["longest"] = max(sums["longest"], words)
                if show and (words > WORDS or pronouns > 1 or begins):
                    print(f"{path.relative_to(ROOT)}: {words} words, {pronouns} pronouns{', beginning' if begins else ''}: {sentence}")
    return folders


def figures(sums):
    count = max(1, sums["sentences"])
    return {"pronouns": round(sums["pronouns"] / count, 3), "beginnings": round(100 * sums["beginnings"] / count, 1),
            "words": round(sums["words"] / count, 1), "longest": sums["longest"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("paths", nargs="*")
    options = parser.parse_args()
    folders = measure(options.paths, options.list)
    found = {name: figures(sums) for name, sums in sorted(folders.items()) if sums["sentences"]}
    worse = 0
    print(f"{'folder':22} {'sentences':>9} {'pronouns':>8} {'begin %':>8} {'words':>6} {'longest':>7}")
    for name, of in found.items():
        print(f"{name:22} {folders[name]['sentences']:9} {of['pronouns']:8} {of['beginnings']:8} {of['words']:6} {of['longest']:7}")
        for key, most in MOST.items():
            if of[key] > most:
                print(f"prose: {name}: {key} {of[key]}, at most {most}; scripts/prose.py --list names the sentences")
                worse += 1
    return 1 if worse and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
