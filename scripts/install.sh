#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what vkassay needs and this machine lacks: scripts/install.sh [GROUP...]
# GROUP: test, swiftshader, lint, fuzz, bundle; what building and running needs is always meant. Silent when nothing is
# missing.
# NO_INSTALL=1 prints the command instead of running it.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
# shellcheck source=scripts/find.sh
. ./find.sh

# group | what it is for | how to see that it is there | apt | dnf | pacman; "-": it has none that is found so, and tests
# that need it are not run
# Presence is seen by using the thing, not by asking the package manager: faster, and true of hand-made installations too.
needs() {
    cat <<'TABLE'
build | C compiler | has_c | gcc libc6-dev | gcc glibc-devel | gcc
build | C++ runtime to link libshaderc with | has_cxx | g++ | gcc-c++ | gcc
build | make | has make | make | make | make
build | git | has git | git | git | git
build | pkg-config | has pkg-config | pkg-config | pkgconf-pkg-config | pkgconf
build | Vulkan loader and headers | has_library vulkan | libvulkan-dev | vulkan-loader-devel vulkan-headers | vulkan-icd-loader vulkan-headers
build | shader compiler library | has_library shaderc | libshaderc-dev | libshaderc-devel | shaderc
build | numbers of SPIR-V (headers) | has_library SPIRV-Headers | spirv-headers | spirv-headers-devel | spirv-headers
build | validator of SPIR-V | has_library SPIRV-Tools | spirv-tools | spirv-tools-devel | spirv-tools
build | JSON library | has_library json-c | libjson-c-dev | json-c-devel | json-c
build | compression library | has_library zlib | zlib1g-dev | zlib-devel | zlib
build | test library | has_library cmocka | libcmocka-dev | libcmocka-devel | cmocka
build | charts | has gnuplot | gnuplot-nox | gnuplot | gnuplot
build | Vulkan driver for the CPU (lavapipe) | lavapipe_manifest | mesa-vulkan-drivers | mesa-vulkan-drivers | vulkan-swrast
test | JSON Schema validator | has_python jsonschema | python3-jsonschema | python3-jsonschema | python-jsonschema
test | numpy, for the independent check of the references | has_python numpy | python3-numpy | python3-numpy | python-numpy
test | parser of OpenMetrics | has_python prometheus_client | python3-prometheus-client | python3-prometheus_client | python-prometheus_client
test | scipy, likewise | has_python scipy | python3-scipy | python3-scipy | python-scipy
test | YAML, to run the recipes of scripts/ | has_python yaml | python3-yaml | python3-pyyaml | python-yaml
test | JSON on the command line, which scripts/comment.sh uses | has jq | jq | jq | jq
test | XML Schema validator | has xmllint | libxml2-utils | libxml2 | libxml2
test | Slurm, for the test of scripts/slurm.sh | has_slurm | slurm-wlm | slurm slurm-slurmctld slurm-slurmd | -
test | its authentication | has_munge | munge | munge | -
test | launcher of MPI, likewise | has mpirun | openmpi-bin | - | openmpi
test | the other one | has mpirun.mpich | mpich | - | -
test | Vulkan validation layer | validation_manifest | vulkan-validationlayers | vulkan-validation-layers | vulkan-validation-layers
swiftshader | second Vulkan driver for the CPU (part of Chromium) | swiftshader_manifest | chromium | chromium | chromium
lint | second C compiler | has clang | clang | clang | clang
lint | static analysis | has clang-tidy | clang-tidy | clang-tools-extra | clang
lint | formatting | has clang-format | clang-format | clang-tools-extra | clang
lint | static analysis of scripts | has shellcheck | shellcheck | ShellCheck | shellcheck
lint | memory checker | has valgrind | valgrind | valgrind | valgrind
fuzz | clang with libFuzzer | has_fuzzer | clang libclang-rt-dev | clang compiler-rt | clang compiler-rt
bundle | libraries that NVIDIA's driver loads, also without a display | has_x11 | libx11-6 libxext6 | libX11 libXext | libx11 libxext
bundle | the same for OpenGL's dispatch | has_glvnd | libegl1 libglx0 | libglvnd-egl libglvnd-glx | libglvnd
TABLE
}

has() { command -v "$1"; }
has_c() { echo '#include <stdio.h>' | gcc -E -x c -; }
has_cxx() { [[ $(gcc -print-file-name=libstdc++.so) == */* ]]; }
has_fuzzer() { echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' | clang -x c -fsanitize=fuzzer - -o /dev/null; }
has_library() { pkg-config --exists "$1"; }
has_python() { python_with "$1"; }
has_glvnd() { find_library libEGL.so.1 && find_library libGLX.so.0; }
has_slurm() { PATH=$PATH:/usr/sbin has slurmctld; }
has_munge() { PATH=$PATH:/usr/sbin has munged; }
has_x11() { find_library libX11.so.6 && find_library libXext.so.6; }

say() { printf 'install: %s\n' "$*"; }
# fail WHY [COMMAND]: the command stands alone on its line, to be copied.
fail() {
    printf 'install: %s\n' "$1" >&2
    [ $# -eq 1 ] || printf '    %s\n' "$2" >&2
    exit 1
}

# Fills `missing` (what) and `packages` (names for $manager) with what the groups need and this machine lacks.
look() {
    local group what check apt dnf pacman names
    missing=() packages=()
    while IFS='|' read -r group what check apt dnf pacman; do
        group=${group// /} what=${what# } what=${what% }
        [[ " $groups " == *" $group "* ]] || continue
        case $manager in apt) names=$apt ;; dnf) names=$dnf ;; pacman) names=$pacman ;; *) names= ;; esac
        [ "${names// /}" = - ] && continue
        eval "$check" >/dev/null 2>&1 && continue
        missing+=("$what")
        # shellcheck disable=SC2206 # a cell may hold several names
        packages+=($names)
    done < <(needs)
}

find_manager() {
    local pair
    for pair in apt-get:apt dnf:dnf pacman:pacman; do
        has "${pair%:*}" >/dev/null && echo "${pair#*:}" && return
    done
}

# The commands, one a line, that install $1 with $manager as root.
commands() {
    case $manager in
    apt)
        echo "apt-get update"
        echo "env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $1"
        ;;
    dnf) echo "dnf install -y --setopt=install_weak_deps=False $1" ;;
    pacman) echo "pacman -Sy --needed --noconfirm $1" ;;
    esac
}

# Each command of the list, retried once: mirrors fail now and then.
run_all() {
    local command
    while read -r command; do
        say "$command"
        # shellcheck disable=SC2086 # words of a command
        $command </dev/null && continue
        say "failed; once more in 5 s"
        sleep 5
        # shellcheck disable=SC2086
        $command </dev/null || fail "failed again: $command"
    done
}

# install_npm WHAT FOLDER PACKAGE@VERSION: for the tests, where node is; without it, or without a network, those tests are
# skipped.
install_npm() {
    local command
    command="npm install --silent --no-audit --no-fund --ignore-scripts --prefix $2 $3"
    [ "${NO_INSTALL:-0}" != 0 ] && say "not installed: $1 for tests: $command" && return 0
    say "$command"
    mkdir -p "$2"
    # shellcheck disable=SC2086 # words of a command
    $command </dev/null >/dev/null 2>&1 || say "failed; tests that need $1 will be skipped"
}

install_npms() {
    [[ " $groups " == *" test "* ]] && has node >/dev/null && has npm >/dev/null || return 0
    wgsl_package >/dev/null ||
        install_npm "a compiler of WGSL" "$(wgsl_home)" "wgsl-wasm-transpiler-bundler@$wgsl_version"
    axe_script >/dev/null || install_npm "a checker of accessibility" "$(axe_home)" "axe-core@$axe_version"
}

groups="build $*"
install_npms
manager=$(find_manager)
look
[ ${#missing[@]} -eq 0 ] && exit 0
what=$(printf '%s, ' "${missing[@]}")
say "missing: ${what%, }"
[ -n "$manager" ] || fail "none of apt-get, dnf and pacman is here; install these by hand and try again"

names=$(printf '%s\n' "${packages[@]}" | sort -u | paste -sd ' ')
prefix=sudo
[ "$(id -u)" -eq 0 ] && prefix=
mapfile -t lines < <(commands "$names" | sed "s/^/${prefix:+$prefix }/")
printf -v line '%s && ' "${lines[@]}"
line=${line% && }
[ "${NO_INSTALL:-0}" != 0 ] && fail "NO_INSTALL is set, so nothing was installed; run this and try again:" "$line"
[ -n "$prefix" ] && ! has sudo >/dev/null && fail "neither root nor sudo; have this run by root and try again:" "${line//sudo /}"

say "installing with $manager: $names"
run_all < <(printf '%s\n' "${lines[@]}")
look
[ ${#missing[@]} -eq 0 ] || fail "installed, yet still not found: $(printf '%s, ' "${missing[@]}" | sed 's/, $//')"
say "done"
