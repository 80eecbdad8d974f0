# SPDX-License-Identifier: Apache-2.0
"""Removes facts of one machine from a result: absolute paths, and the host's suffix of the kernel version."""
import re


def of_tree(words):
    """Returns the words, with the folders before kernels/ removed from paths."""
    return re.sub(r"/[^\s:;,'\"]*/(?=kernels/)", "", words)


def without(value):
    """Removes these facts from the result, and returns it."""
    run = value["run"]
    if (run.get("suite_file") or "").startswith("/"):
        run["suite_file"] = "suites/" + run["suite_file"].rpartition("/")[2]
    run["argv"] = [word.rpartition("/")[2] if word.startswith("/") else word for word in run["argv"]]
    host = value.get("host") or {}
    if "kernel" in host:
        host["kernel"] = host["kernel"].partition("-")[0]
    return value
