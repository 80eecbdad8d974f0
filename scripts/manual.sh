#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the man page, made from the help of each command: scripts/manual.sh PROGRAM
set -euo pipefail
program=$1

# Escapes roff's special characters.
escaped() {
    sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/'/\\\\(aq/g" -e 's/\^/\\(ha/g' -e 's/~/\\(ti/g' -e 's/`/\\(ga/g' -e 's/^\./\\\&./'
}

cat <<'PAGE'
.TH VKASSAY 1
.nh
.ad l
.SH NAME
vkassay \- are these Vulkan compute kernels right, how fast are they, and which workgroup size should I ship?
.SH SYNOPSIS
.B vkassay
\fICOMMAND\fR [\fIOPTIONS\fR]
.SH DESCRIPTION
PAGE
about=$("$program" --help | escaped)
printf '.nf\n%s\n.fi\n.SH EXIT STATUS\n.nf\n%s\n.fi\n' "${about%%Exit status: *}" "${about##*Exit status: }"
echo .SH COMMANDS
"$program" complete '' | while IFS=$'\t' read -r name summary; do
    [ -n "$summary" ] || continue
    printf '.SS %s \\- %s\n.nf\n' "$name" "$summary"
    "$program" "$name" --help | escaped
    echo .fi
done
