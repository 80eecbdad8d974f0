# SPDX-License-Identifier: Apache-2.0
"""Reads and writes texts, compressed by gzip if their name ends with .gz; reads results."""
import gzip
import json
import pathlib


def read(path):
    """Returns the text of a file. The content decides whether it is unpacked, as in the program."""
    content = pathlib.Path(path).read_bytes()
    return (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).decode()


def write(path, text):
    """Writes a text; the same text gives the same file, without name and time (gzip -n -9)."""
    content = text.encode()
    pathlib.Path(path).write_bytes(gzip.compress(content, 9, mtime=0) if str(path).endswith(".gz") else content)


def result(path, **options):
    """Returns a result: one JSON document, or lines with its head first. Lines that are no record are left out, and so
    are the checksums of lines, which hold for the lines as they are."""
    text = read(path)
    first, _, rest = text.partition("\n")
    try:
        head = json.loads(first, **options)
    except ValueError:
        return json.loads(text, **options)
    if not isinstance(head, dict) or "run" not in head or "records" in head:
        return json.loads(text, **options)
    lines = [json.loads(line, **options) for line in rest.rpartition("\n")[0].splitlines()]
    for one in (head, *lines):
        one.pop("crc32", None)
    return type(head)(head, records=[line for line in lines if "name" in line])


def stem(path):
    """Returns the name of a file without .json or .json.gz."""
    return pathlib.Path(path).name.removesuffix(".gz").removesuffix(".json")
