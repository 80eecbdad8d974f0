# SPDX-License-Identifier: Apache-2.0
"""Requirements of checks that a machine may lack. Such a part is not run, and prints a line "NOT RUN REASON" for
scripts/tally.sh to count. harness/base/tests/needs.h does the same for tests in C."""
import os
import shutil
import sys

NOT_RUN = 77  # the exit status of a check if nothing of it ran


def not_run(reason):
    """Prints the reason. Returns false, so that a part can end with it."""
    print(f"NOT RUN {reason}", flush=True)
    return False


def missing(*names):
    """Returns the reason for not running a part that needs these programs, or an empty text."""
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    absent = [name for name in names if not shutil.which(name, path=path)]
    return f"missing: {', '.join(absent)} (scripts/install.sh test)" if absent else ""


def has(*names):
    """Returns whether the programs are here; prints the missing ones."""
    why = missing(*names)
    return not_run(why) if why else True


def end(reason):
    """Ends a check if nothing of it can run."""
    not_run(reason)
    sys.exit(NOT_RUN)
