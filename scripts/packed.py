# SPDX-License-Identifier: Apache-2.0
"""Reads and writes texts, compressed by gzip if their name ends with .gz."""
import gzip
import pathlib


def read(path):
    """Returns the text of a file. The content decides whether it is unpacked, as in the program."""
    content = pathlib.Path(path).read_bytes()
    return (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).decode()


def write(path, text):
    """Writes a text; the same text gives the same file, without name and time (gzip -n -9)."""
    content = text.encode()
    pathlib.Path(path).write_bytes(gzip.compress(content, 9, mtime=0) if str(path).endswith(".gz") else content)


def stem(path):
    """Returns the name of a file without .json or .json.gz."""
    return pathlib.Path(path).name.removesuffix(".gz").removesuffix(".json")
