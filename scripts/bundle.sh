#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Completes a bundle around FOLDER/vkassay, after the Makefile has linked it: scripts/bundle.sh FOLDER
set -euo pipefail
folder=$1
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=scripts/find.sh
. "$here/find.sh"

# glibc and its parts must come from the machine on which the bundle runs.
glibc='^(linux-vdso|ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util))\.so'

# Prints the paths of the libraries that a program or library needs, directly or indirectly.
libraries_of() {
    ldd "$1" | awk -v glibc="$glibc" '$1 !~ glibc && $2 == "=>" && $3 ~ /^\// { print $3 }'
}

rm -rf "${folder:?}"/{lib,spare}
mkdir -p "$folder/lib"
libraries_of "$folder/vkassay" | xargs cp -L -t "$folder/lib"

# NVIDIA's driver loads these even without a display. `run` uses a group only if the machine lacks it.
mkdir -p "$folder"/spare/{x11,glvnd}
for name in libX11.so.6 libXext.so.6; do
    library=$(find_library "$name")
    { echo "$library" && libraries_of "$library"; } | xargs cp -L -t "$folder/spare/x11"
done
for name in libGLdispatch.so.0 libGLX.so.0 libEGL.so.1; do # their other dependencies are in the group x11
    cp -L "$(find_library "$name")" "$folder/spare/glvnd"
done

"$here/copy.sh" "$folder"
rm -rf "$folder/layer"
cp -r "$folder/../layer" "$folder"
install -m 755 "$here/run.sh" "$folder/run"
install -m 755 "$here/proof.py" "$folder/proof.py"
if ldd "$folder/vkassay" "$folder"/lib/* | grep 'not found'; then
    echo "bundle: libraries are missing" >&2
    exit 1
fi
newest=$(objdump -T "$folder/vkassay" "$folder"/lib/* "$folder"/layer/*.so | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
echo "$folder: $(du -sh "$folder" | cut -f 1); needs glibc ${newest#GLIBC_} or newer; start it with $folder/run"
