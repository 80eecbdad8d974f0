#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the fuzz targets and runs each for a moment, so that none rots: scripts/tests/fuzz_check.py"""
import os
import subprocess
import sys

ENTRY = "int LLVMFuzzerTestOneInput(void) { return 0; }"

try:
    found = subprocess.run(["clang", "-x", "c", "-fsanitize=fuzzer", "-", "-o", "/dev/null"], input=ENTRY, text=True,
                           capture_output=True).returncode == 0
except OSError:
    found = False
if not found:
    print("NOT RUN missing: clang with libFuzzer (scripts/install.sh fuzz)")
    sys.exit(77)
sys.exit(subprocess.run(["make", "--no-print-directory", "fuzz", "FUZZ_RUNS=300", "ARGS="],
                        env={**os.environ, "SEED": "1"}).returncode)
