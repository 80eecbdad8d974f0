# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by other scripts: finds drivers, layers, libraries and Pythons of this machine. A function that finds nothing
# fails.

# Prints the first of these files that exists.
first_file() {
    local file
    for file in "$@"; do
        [ -e "$file" ] && echo "$file" && return
    done
    return 1
}

lavapipe_manifest() {
    first_file {/usr/share,/usr/local/share,/etc}/vulkan/icd.d/lvp_icd*.json
}

# SwiftShader is part of browsers. In order: Debian and Arch, Fedora, Google's own package, Ubuntu.
swiftshader_manifest() {
    first_file {/usr/lib/chromium,/usr/lib64/chromium-browser,/opt/google/chrome,/usr/lib/chromium-browser}/vk_swiftshader_icd.json
}

validation_manifest() {
    first_file {/usr/share,/usr/local/share,/etc}/vulkan/explicit_layer.d/VkLayer_khronos_validation.json
}

# Finds a browser that supports the DevTools protocol.
browser() {
    command -v chromium || command -v chromium-browser || command -v google-chrome
}

# Finds a Python with all these modules: the one in use, or the system's, because packages install modules there.
python_with() {
    local python module
    for python in python3 /usr/bin/python3; do
        for module in "$@"; do
            "$python" -c "import importlib.util as u, sys; sys.exit(u.find_spec('$module') is None)" 2>/dev/null ||
                continue 2
        done
        command -v "$python" && return
    done
    return 1
}

# The package used by scripts/wgsl.mjs, in exactly this version.
wgsl_version=0.0.1
# shellcheck disable=SC2034 # install.sh reads it
wgsl_sha512=xYys/sgYuqk1CmIGfsIBCI9gG9Or48qk5TFtlGby5qx+hn+FvCMC8SBC0EkQ/wCDxjTORDb8d/6B27U/BX7qMQ==
wgsl_home() {
    echo "${VKASSAY_WGSL_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/vkassay/wgsl-$wgsl_version}"
}
wgsl_package() {
    local folder
    folder="$(wgsl_home)/node_modules/wgsl-wasm-transpiler-bundler"
    [ -f "$folder/wgsl_wasm_transpiler_bg.wasm" ] && echo "$folder"
}

# The accessibility checker for pages, in exactly this version.
axe_version=4.10.3
# shellcheck disable=SC2034 # install.sh reads it, too
axe_sha512=Xm7bpRXnDSX2YE2YFfBk2FnF0ep6tmG7xPh8iHee8MIcrgq762Nkce856dYtJYLkuIoYZvGfTs/PbZhideTcEg==
axe_home() {
    echo "${VKASSAY_AXE_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/vkassay/axe-$axe_version}"
}
axe_script() {
    local file
    file="$(axe_home)/node_modules/axe-core/axe.min.js"
    [ -f "$file" ] && echo "$file"
}

# Prints a command that compiles WGSL to SPIR-V, for tests, in the form of VKASSAY_WGSL.
wgsl_command() {
    command -v node >/dev/null && wgsl_package >/dev/null &&
        echo "node $(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/wgsl.mjs $(wgsl_package)"
}

# Finds a shared library by its soname.
find_library() {
    PATH="$PATH:/sbin:/usr/sbin" ldconfig -p |
        awk -v name="$1" '$1 == name && /x86-64/ && !found { print $NF; found = 1 } END { exit !found }'
}

# Makes MANIFEST the Vulkan loader's only driver. Loaders before 1.3.207 read the second name.
use_driver() {
    export VK_DRIVER_FILES="$1" VK_ICD_FILENAMES="$1"
}
