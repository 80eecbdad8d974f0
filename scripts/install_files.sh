#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs vkassay under $DESTDIR$PREFIX, or removes it: install_files.sh install|uninstall
# The program's own files share one folder. The others go where their readers look for them.
set -euo pipefail
cd "$(dirname "$0")/.."
root=${DESTDIR:-}${PREFIX:?} version=${VERSION:?}
own=$root/lib/vkassay
bash=$root/share/bash-completion/completions/vkassay
zsh=$root/share/zsh/site-functions/_vkassay
fish=$root/share/fish/vendor_completions.d/vkassay.fish
man=$root/share/man/man1/vkassay.1
header=$root/include/vkassay_tuned.h
selftest=$root/include/vkassay_selftest.h
pc=$root/share/pkgconfig/vkassay_tuned.pc

put() {
    mkdir -p "$(dirname "$1")"
    cat >"$1"
    chmod 644 "$1"
}

case ${1:?expected install or uninstall} in
install)
    scripts/copy.sh "$own"
    install "${PROGRAM:?}" "$own"
    install -D -m 644 -t "$own/layer" "$(dirname "$PROGRAM")"/layer/*
    mkdir -p "$root/bin"
    ln -sf ../lib/vkassay/vkassay "$root/bin/vkassay"
    install -D -m 644 harness/tune/reader/vkassay_tuned.h "$header"
    install -m 644 harness/commands/selftest/reader/vkassay_selftest.h "$selftest"
    install -m 644 harness/commands/selftest/reader/vkassay_selftest.mjs "$own"
    scripts/manual.sh "$PROGRAM" | put "$man"
    put "$bash" <harness/commands/completions/vkassay.bash
    put "$zsh" <harness/commands/completions/_vkassay
    put "$fish" <harness/commands/completions/vkassay.fish
    put "$pc" <<PC
prefix=$PREFIX
includedir=\${prefix}/include

Name: vkassay_tuned
Description: reads tables of tuned workgroup shapes, one header
Version: $version
Cflags: -I\${includedir}
PC
    ;;
uninstall)
    rm -rf "$own"
    rm -f "$root/bin/vkassay" "$header" "$selftest" "$man" "$bash" "$zsh" "$fish" "$pc"
    ;;
*)
    echo "install_files.sh: expected install or uninstall, found '$1'" >&2
    exit 64
    ;;
esac
