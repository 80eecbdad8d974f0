#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the missing dependencies of vkassay: scripts/install.sh [GROUP...]
# GROUP is test, lint, fuzz or bundle; those of building and running are always included. Silent if nothing is missing.
# `scripts/install.sh wgsl` downloads only a compiler of WGSL, for node, and prints its setting.
# The group test is optional: if a package cannot be installed, it is named, and its tests are not run.
# NO_INSTALL=1 prints the command instead of running it.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
# shellcheck source=scripts/find.sh
. ./find.sh

# Prints the table of dependencies: group | purpose | check | packages of apt | of dnf | of pacman
#
# A "-" marks a manager without a package to satisfy the check. Tests are not run there if they need it.
# The check uses the dependency instead of asking the manager: this is faster, and right for manual installations, too.
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
test | Python | has_python json | python3 | python3 | python
test | certificates, to download by https | has_certificates | ca-certificates | ca-certificates | ca-certificates
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
test | node, to run a compiler of WGSL | has node | nodejs | nodejs | nodejs
test | sources of locales, for one with a decimal comma | has_locale_source | locales | glibc-locale-source | glibc
test | typesetter, for the man page | has groff | groff-base | groff-base | groff
test | a shell, for its completion | has zsh | zsh | zsh | zsh
test | another shell, likewise | has fish | fish | fish | fish
test | Vulkan validation layer | validation_manifest | vulkan-validationlayers | vulkan-validation-layers | vulkan-validation-layers
test | second Vulkan driver for the CPU (part of Chromium) | swiftshader_manifest | chromium | chromium | chromium
lint | second C compiler | has clang | clang | clang | clang
lint | static analysis | has clang-tidy | clang-tidy | clang-tools-extra | clang
lint | formatting | has clang-format | clang-format | clang-tools-extra | clang
lint | libclang for Python, for changes drawn by rule | has_python clang.cindex | python3-clang | python3-clang | clang
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
has_certificates() { first_file /etc/ssl/certs/ca-certificates.crt /etc/ssl/cert.pem /etc/pki/tls/certs/ca-bundle.crt; }
has_locale_source() { first_file /usr/share/i18n/locales/de_DE; }
has_glvnd() { find_library libEGL.so.1 && find_library libGLX.so.0; }
has_slurm() { PATH=$PATH:/usr/sbin has slurmctld; }
has_munge() { PATH=$PATH:/usr/sbin has munged; }
has_x11() { find_library libX11.so.6 && find_library libXext.so.6; }

say() { printf 'install: %s\n' "$*"; }
# fail WHY [COMMAND]: prints both and ends with 1. The command has a line of its own, to be copied.
fail() {
    printf 'install: %s\n' "$1" >&2
    [ $# -eq 1 ] || printf '    %s\n' "$2" >&2
    exit 1
}

# Finds the dependencies of these groups that this machine lacks: `missing` has their purposes, and `packages` the
# names for $manager.
look() {
    local groups=$* group what check apt dnf pacman names
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

# Prints the commands, one per line, that install these packages as root with $manager.
commands() {
    case $manager in
    apt)
        echo "${prefix}apt-get update"
        echo "${prefix}env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $*"
        ;;
    dnf) echo "${prefix}dnf install -y --setopt=install_weak_deps=False $*" ;;
    pacman) echo "${prefix}pacman -Sy --needed --noconfirm $*" ;;
    esac
}

# Runs the commands on standard input, up to the first that fails.
run_all() {
    local command
    while read -r command; do
        say "$command"
        # shellcheck disable=SC2086 # words of a command
        $command </dev/null || return
    done
}

list() { printf '%s, ' "$@" | sed 's/, $//'; }
# Prints each package once.
names() { printf '%s\n' "${packages[@]}" | sort -u | paste -sd ' '; }

# Prints why nothing can be installed here, if so. Sets `line` to the command that another user may run.
obstacle() {
    line=
    [ -n "$manager" ] || { echo "none of apt-get, dnf and pacman is here; install these by hand" && return; }
    line=$(commands "$(names)" | paste -sd ';' | sed 's/;/ \&\& /g')
    [ "${NO_INSTALL:-0}" = 0 ] || { echo "NO_INSTALL is set, so nothing was installed; run this" && return; }
    [ -z "$prefix" ] && return
    has sudo >/dev/null || { line=${line//sudo /} && echo "neither root nor sudo; have this run by root" && return; }
    sudo -v || echo "sudo was refused; have this run by root"
}

# Installs these groups or fails. Tries twice, because mirrors fail now and then.
require() {
    local why
    look "$@"
    [ ${#missing[@]} -gt 0 ] || return 0
    say "missing: $(list "${missing[@]}")"
    obstacle >"$said"
    why=$(<"$said")
    [ -z "$why" ] || fail "$why and try again${line:+:}" ${line:+"$line"}
    say "installing with $manager: $(names)"
    run_all < <(commands "$(names)") ||
        { say "failed; retrying in 5 s" && sleep 5 && run_all < <(commands "$(names)"); } || fail "failed again"
    look "$@"
    [ ${#missing[@]} -eq 0 ] || fail "installed, but still not found: $(list "${missing[@]}")"
    say "done"
}

# Installs as many packages of these groups as possible, for tests. If the whole list fails, for example because this
# release lacks one package, it tries each package by itself.
offer() {
    local why package
    look "$@"
    [ ${#missing[@]} -gt 0 ] || return 0
    say "missing, for tests: $(list "${missing[@]}")"
    obstacle >"$said"
    why=$(<"$said")
    if [ -n "$why" ]; then
        say "$why to have more tests run${line:+:}"
        [ -z "$line" ] || printf '    %s\n' "$line"
        return
    fi
    run_all < <(commands "$(names)") || for package in $(names); do
        run_all < <(commands "$package" | tail -n 1) || say "cannot install: $package"
    done
    look "$@"
    [ ${#missing[@]} -eq 0 ] || say "still missing; tests that need these are not run: $(list "${missing[@]}")"
}

# download WHAT FOLDER PACKAGE VERSION SHA512: unpacks a package of npm's registry, if the hash matches.
download() {
    local url=https://registry.npmjs.org/$3/-/$3-$4.tgz python
    [ "${NO_INSTALL:-0}" != 0 ] && say "not downloaded because NO_INSTALL is set: $1 for tests: $url" && return
    python=$(python_with json) || { say "not downloaded because Python is missing: $1" && return; }
    say "downloading $url"
    "$python" download.py "$url" "$5" "$2/node_modules/$3" || say "failed; tests that need $1 are not run"
}

download_wgsl() {
    wgsl_package >/dev/null || download "a compiler of WGSL" "$(wgsl_home)" wgsl-wasm-transpiler-bundler \
        "$wgsl_version" "$wgsl_sha512"
}

downloads() {
    download_wgsl
    axe_script >/dev/null || download "a checker of accessibility" "$(axe_home)" axe-core "$axe_version" "$axe_sha512"
}

if [ "$*" = wgsl ]; then
    download_wgsl
    has node || say "a compiler of WGSL needs node"
    line=$(wgsl_command) || exit
    echo "export VKASSAY_WGSL=\"$line\""
    exit
fi
manager=$(find_manager)
prefix="sudo "
[ "$(id -u)" -eq 0 ] && prefix=
said=$(mktemp) || exit
trap 'rm -f "$said"' EXIT
# shellcheck disable=SC2046 # words
require build $(printf '%s\n' "$@" | grep -vx test)
if [[ " $* " == *" test "* ]]; then
    offer test
    downloads
fi
