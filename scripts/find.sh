# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced: where this machine keeps what the other scripts use. Each function prints a path, or fails.

# The first of the named files that exists.
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

# SwiftShader comes inside browsers: Debian and Arch, Fedora, Google's own package, Ubuntu.
swiftshader_manifest() {
    first_file {/usr/lib/chromium,/usr/lib64/chromium-browser,/opt/google/chrome,/usr/lib/chromium-browser}/vk_swiftshader_icd.json
}

validation_manifest() {
    first_file {/usr/share,/usr/local/share,/etc}/vulkan/explicit_layer.d/VkLayer_khronos_validation.json
}

# A browser that speaks the DevTools protocol.
browser() {
    command -v chromium || command -v chromium-browser || command -v google-chrome
}

# The Python that has all these modules: the one in use, else the system's, which is the one that packages are for.
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

# The package that scripts/wgsl.mjs runs, of this version and no other.
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

# The accessibility checker that pages are held to, of this version and no other.
axe_version=4.10.3
# shellcheck disable=SC2034 # likewise
axe_sha512=Xm7bpRXnDSX2YE2YFfBk2FnF0ep6tmG7xPh8iHee8MIcrgq762Nkce856dYtJYLkuIoYZvGfTs/PbZhideTcEg==
axe_home() {
    echo "${VKASSAY_AXE_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/vkassay/axe-$axe_version}"
}
axe_script() {
    local file
    file="$(axe_home)/node_modules/axe-core/axe.min.js"
    [ -f "$file" ] && echo "$file"
}

# A command that makes SPIR-V of WGSL, for tests, as VKASSAY_WGSL takes it.
wgsl_command() {
    command -v node >/dev/null && wgsl_package >/dev/null &&
        echo "node $(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/wgsl.mjs"
}

# A shared library by its soname.
find_library() {
    PATH="$PATH:/sbin:/usr/sbin" ldconfig -p |
        awk -v name="$1" '$1 == name && /x86-64/ && !found { print $NF; found = 1 } END { exit !found }'
}

# Makes MANIFEST the only driver that the Vulkan loader sees; the second name is for loaders before 1.3.207.
use_driver() {
    export VK_DRIVER_FILES="$1" VK_ICD_FILENAMES="$1"
}
