# SPDX-License-Identifier: Apache-2.0
"""What a check needs and a machine may lack. Such a part is not run and says so in a line "NOT RUN REASON", which
scripts/tally.sh counts; harness/base/tests/needs.h does the same for tests in C."""
import os
import shutil
import sys

NOT_RUN = 77  # the exit status of a check of which nothing ran


def not_run(reason):
    """Says so; false, so that a part can end with it."""
    print(f"NOT RUN {reason}", flush=True)
    return False


def missing(*names):
    """Why a part that needs these programs cannot be run, or an empty text."""
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    absent = [name for name in names if not shutil.which(name, path=path)]
    return f"missing: {', '.join(absent)} (scripts/install.sh test)" if absent else ""


def has(*names):
    """Whether the programs are here; says which are not."""
    why = missing(*names)
    return not_run(why) if why else True


def end(reason):
    """Ends a check of which nothing can be run."""
    not_run(reason)
    sys.exit(NOT_RUN)
