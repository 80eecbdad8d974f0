#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the bundled program wherever this folder is: ./run bench --suite quick
here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd) || exit 70

# Containers may receive a driver in folders that the Vulkan loader does not search.
if [ -z "$VK_DRIVER_FILES$VK_ICD_FILENAMES" ]; then
    for manifest in /usr/share/vulkan/icd.d/*.json /usr/local/share/vulkan/icd.d/*.json /etc/vulkan/icd.d/*.json \
        /usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json /usr/local/nvidia/vulkan/icd.d/nvidia_icd.json; do
        [ -e "$manifest" ] || continue
        case $manifest in /usr/local/nvidia/*) export VK_DRIVER_FILES="$manifest" ;; esac
        break
    done
fi

# Spare libraries are used only if the machine has none, because its own fit its drivers better.
for group in x11:libXext.so.6 glvnd:libEGL.so.1; do
    if ! PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null | grep -q "${group#*:}"; then
        export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$here/spare/${group%:*}"
    fi
done
exec "$here/vkassay" "$@"
