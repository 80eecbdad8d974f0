# SPDX-License-Identifier: Apache-2.0
"""What of a result names one machine's places: absolute paths, and what a host adds to its kernel's version."""
import re


def of_tree(words):
    """The words with the folders before kernels/ left out of their paths."""
    return re.sub(r"/[^\s:;,'\"]*/(?=kernels/)", "", words)


def without(value):
    """The result itself, with places left out."""
    run = value["run"]
    if (run.get("suite_file") or "").startswith("/"):
        run["suite_file"] = "suites/" + run["suite_file"].rpartition("/")[2]
    run["argv"] = [word.rpartition("/")[2] if word.startswith("/") else word for word in run["argv"]]
    host = value.get("host") or {}
    if "kernel" in host:
        host["kernel"] = host["kernel"].partition("-")[0]
    return value
