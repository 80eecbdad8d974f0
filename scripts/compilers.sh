#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles every kernel with the compilers of AMD, Intel, Qualcomm and NVIDIA GPUs, on a machine without them:
# scripts/compilers.sh FOLDER BUNDLE [DEVICE...]
# Needs root (`make compilers`). Mesa's drivers run in bare roots of Debian 13 and sid under FOLDER. Libraries from
# Mesa's source, the DRM shims, take the place of their kernel drivers: they describe a device and execute nothing.
# Prints one table of registers spilled on each device; results and compiled.html are in FOLDER/results, the results
# before in its folder before/. MIRROR=URL as in fresh.sh.
set -uo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=scripts/roots.sh
. "$here/scripts/roots.sh"

# Prints the devices: name | root | driver | shim | variable that selects the device. Turnip and NVK are only in sid's
# packages. Intel's driver must be of the shim's version, because newer ones ask it for more than it describes.
devices() {
    cat <<'TABLE'
vega10 | sid | radeon | amdgpu | AMDGPU_GPU_ID=vega10
navi21 | sid | radeon | amdgpu | AMDGPU_GPU_ID=navi21
navi31 | sid | radeon | amdgpu | AMDGPU_GPU_ID=navi31
gfx1150 | sid | radeon | amdgpu | AMDGPU_GPU_ID=gfx1150
tgl | trixie | intel | intel | INTEL_STUB_GPU_PLATFORM=tgl
dg2 | trixie | intel | intel | INTEL_STUB_GPU_PLATFORM=dg2
lnl | trixie | intel | intel | INTEL_STUB_GPU_PLATFORM=lnl
bmg | trixie | intel | intel | INTEL_STUB_GPU_PLATFORM=bmg
a740 | sid | freedreno | freedreno | FD_GPU_ID=740
turing | sid | nouveau | nouveau | NOUVEAU_CHIPSET=162
ampere | sid | nouveau | nouveau | NOUVEAU_CHIPSET=172
TABLE
}

install_in() {
    local root=$1
    shift
    in_root "$root" DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >>"$log" 2>&1
}

# Makes a root with Mesa's drivers. A root is kept for a week, as its base is.
driver_root() {
    local root=$folder/$1
    [ -n "$(find "$root.complete" -mtime -7 2>/dev/null)" ] && return
    rm -f "$root.complete"
    copy_base "$1" "$folder/base-$1" "$root" && in_root "$root" apt-get update -qq >>"$log" 2>&1 &&
        install_in "$root" mesa-vulkan-drivers && mkdir -p "$root/shims" && touch "$root.complete"
}

# Builds the shims from Debian 13's source of Mesa. Newer drivers need two changes. RADV 26 expects a newer amdgpu, and
# Turnip 26 takes the accepted parameters of msm for supported ones, so they are refused.
make_shims() {
    local root=$folder/trixie mesa
    [ -f "$root/shims/complete" ] && return
    rm -rf "$root"/shims/{build,source}
    mkdir "$root/shims/source"
    sed -n 's/^deb /deb-src /p' "$root/etc/apt/sources.list" >"$root/etc/apt/sources.list.d/source.list"
    in_root "$root" apt-get update -qq >>"$log" 2>&1 &&
        install_in "$root" ca-certificates dpkg-dev xz-utils meson ninja-build gcc g++ pkg-config bison flex \
            python3-mako python3-packaging python3-pycparser python3-yaml glslang-tools libdrm-dev libelf-dev \
            libexpat1-dev libxml2-dev zlib1g-dev libarchive-dev liblua5.4-dev libconfig-dev || return
    in_root "$root" sh -c 'cd /shims/source && apt-get source -qq --download-only mesa && tar xf mesa_*.orig.tar.xz' \
        >>"$log" 2>&1 || return
    mesa=$(find "$root/shims/source" -maxdepth 1 -name 'mesa-*' -type d)
    sed -i 's/version_minor = [0-9]*/version_minor = 64/' "$mesa/src/amd/drm-shim/amdgpu_noop_drm_shim.c" &&
        sed -i 's/\[DRM_MSM_SET_PARAM\] = msm_ioctl_noop/[DRM_MSM_SET_PARAM] = NULL/' \
            "$mesa/src/freedreno/drm-shim/freedreno_noop.c" || return
    # Nouveau's shim is only built beside its OpenGL driver, so its folder is added.
    grep -q nouveau/drm-shim "$mesa/src/meson.build" || echo "subdir('nouveau/drm-shim')" >>"$mesa/src/meson.build"
    in_root "$root" CFLAGS= sh -c "cd /shims/source/$(basename "$mesa") && meson setup /shims/build \
        -Dtools=drm-shim,intel,freedreno -Dvulkan-drivers=amd -Dgallium-drivers= -Dllvm=disabled -Dglx=disabled -Degl=disabled -Dgbm=disabled \
        -Dplatforms= -Dopengl=false -Dgles1=disabled -Dgles2=disabled && cd /shims/build && ninja \
        src/amd/drm-shim/libamdgpu_noop_drm_shim.so src/intel/tools/libintel_noop_drm_shim.so \
        src/freedreno/drm-shim/libfreedreno_noop_drm_shim.so src/nouveau/drm-shim/libnouveau_noop_drm_shim.so" \
        >>"$log" 2>&1 || return
    find "$root/shims/build" -name '*_noop_drm_shim.so' -exec cp {} "$root/shims/" \; && touch "$root/shims/complete"
}

# Compiles for a device. Its result is results/NAME.jsonl.
compile() {
    local name=$1 root=$folder/$2 driver=$3 shim=$4 select=$5 icd began=$SECONDS status
    icd=$(cd "$root" && find usr/share/vulkan/icd.d -name "${driver}_icd*.json" | head -n 1)
    rm -rf "${root:?}/out"
    [ ! -f "$results/$name.jsonl" ] || mv "$results/$name.jsonl" "$results/before/"
    in_root "$root" VK_DRIVER_FILES="/$icd" LD_PRELOAD="/shims/lib${shim}_noop_drm_shim.so" "$select" \
        /bundle/run check --tier compile --quiet --out /out </dev/null >"$results/$name.log" 2>&1
    status=$?
    cp "$root"/out/*/*/result.jsonl "$results/$name.jsonl" 2>/dev/null || status=70
    [ $status -eq 0 ] || { tail -n 5 "$results/$name.log" && echo "$name: status $status, see $results/$name.log"; }
    echo "$name: $((SECONDS - began)) s"
    return $status
}

[ $# -ge 2 ] || fail "expected a folder for the roots and a bundle (make bundle)"
isolate "$@"
folder=$(realpath -m "$1") bundle=$(realpath "$2")
shift 2
results=$folder/results log=$folder/install.log
mkdir -p "$results/before"
find_archive
for suite in trixie sid; do driver_root $suite || fail "no root of Debian $suite could be made; see $log"; done
for suite in trixie sid; do mount_root "$folder/$suite" || fail "no /proc and /dev in the root of $suite"; done
make_shims || fail "Mesa's shims could not be built; see $log"
cp "$folder"/trixie/shims/*.so "$folder/sid/shims/"
for suite in trixie sid; do
    rm -rf "${folder:?}/$suite/bundle"
    cp -a "$bundle" "$folder/$suite/bundle" || exit 1
done

failed=0 made=()
while IFS='|' read -r name suite driver shim select; do
    name=${name// /} suite=${suite// /} driver=${driver// /} shim=${shim// /} select=${select// /}
    [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
    compile "$name" "$suite" "$driver" "$shim" "$select" || failed=1
    [ -f "$results/$name.jsonl" ] || continue
    [ ! -f "$results/before/$name.jsonl" ] || made+=("$results/before/$name.jsonl")
    made+=("$results/$name.jsonl")
done < <(devices)
[ ${#made[@]} -gt 0 ] || fail "no device was compiled for; there are: $(devices | cut -d '|' -f 1 | xargs)"
echo
"$bundle/run" report "${made[@]}" --out "$results" || failed=1
exit $failed
