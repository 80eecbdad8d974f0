#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Unpacks a package of npm's registry into a folder, if its SHA-512 is the expected one.

usage: download.py URL SHA512_IN_BASE64 FOLDER
"""

import base64
import hashlib
import io
import os
import pathlib
import shutil
import sys
import tarfile
import urllib.request


def unpack(data, folder):
    """Writes each regular file below package/, the top folder of npm's archives."""
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive.getmembers():
            parts = pathlib.PurePosixPath(member.name).parts[1:]
            if member.isfile() and parts and ".." not in parts:
                path = folder.joinpath(*parts)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(archive.extractfile(member).read())


def main(url, expected, folder):
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            data = answer.read()
    except OSError as error:
        return f"{url}: {error}"
    found = base64.b64encode(hashlib.sha512(data).digest()).decode()
    if found != expected:
        return f"{url}: expected SHA-512 {expected}, found {found}"
    part = pathlib.Path(f"{folder}.part-{os.getpid()}")
    unpack(data, part)
    try:
        part.rename(folder)
    except OSError:  # another process was first
        shutil.rmtree(part)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
