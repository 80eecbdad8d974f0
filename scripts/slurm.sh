#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs vkassay on many hosts: as a Slurm array job, under an MPI launcher, or in the jobs of a CI matrix.
#
#     scripts/slurm.sh submit --out DIR --shards N [--sbatch "OPTIONS"] -- bench|check OPTIONS...
#     scripts/slurm.sh submit --out DIR --devices N [--sbatch "OPTIONS"] -- bench|tune OPTIONS...
#
#     mpirun -n N scripts/slurm.sh rank --out DIR -- check OPTIONS...         srun as well: the rank is the shard
#     scripts/slurm.sh shard I/N --out DIR -- check OPTIONS...                a job of a CI matrix
#
#     scripts/slurm.sh merge --out DIR                                        afterwards, by hand or in CI
#
# submit queues an array job with one task per shard, and a job to merge the results afterwards. With --devices each
# task runs the whole suite, on the device it is given. All nodes must share the file system of DIR. A task is requeued
# if it is killed, preempted or loses its node. It then continues from its journal; so does a task restarted by hand.
# Ninety seconds before its time limit, a task finishes its current point and requeues itself. After SIGUSR1 a rank or
# a matrix job finishes its current point, too, and ends. All shards need the same options. merge
# names missing shards, and then ends with 4. A rank with wrong points ends with 0, because mpirun would otherwise stop
# the other ranks; the merged result has these points.
# VKASSAY names the program (default: build/vkassay of this tree, or the bundle's run).
set -uo pipefail
near_limit=0 # 1 after SIGUSR1

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
self=$here/$(basename "${BASH_SOURCE[0]}")

fail() {
    printf 'slurm.sh: %s\n' "$1" >&2
    exit "${2:-64}"
}

find_program() {
    local each
    for each in "${VKASSAY:-}" "$here/run" "$here/../build/vkassay"; do
        [ -n "$each" ] && [ -x "$each" ] && realpath "$each" && return
    done
    fail "no program: build it, or name it in VKASSAY" 69
}

# ---- one shard or device

# Prints the newest result in folder $1, if a run was begun there.
begun() {
    find "$1" -mindepth 3 -maxdepth 3 -name result.jsonl -printf '%T@ %p\n' 2>/dev/null | sort -n | tail -n 1 |
        cut -d ' ' -f 2-
}

# Prints the result of the run in $1, if it has ended. With a second argument, the result must be complete.
result_of() {
    local result
    result=$(begun "$1") && [ -n "$result" ] && tail -n 1 "$result" | grep -q '^{"end":' || return
    [ $# -eq 1 ] || head -n 1 "$result" | grep -q '"complete": *true' || return
    echo "$result"
}

first_of() {
    local name
    for name; do [ -n "${!name:-}" ] && echo "${!name}" && return; done
    return 1
}

# Prints the PCI id of this task's GPU, if NVIDIA's driver is here, because Vulkan ignores CUDA_VISIBLE_DEVICES. If the
# task was given several GPUs or none, the ranks of a host take its GPUs in turn.
given_device() {
    local given number pci all=()
    command -v nvidia-smi >/dev/null || return 0
    given=$(first_of CUDA_VISIBLE_DEVICES SLURM_STEP_GPUS SLURM_JOB_GPUS)
    number=$(first_of OMPI_COMM_WORLD_LOCAL_RANK MV2_COMM_WORLD_LOCAL_RANK MPI_LOCALRANKID SLURM_LOCALID)
    [ -n "$given$number" ] || return 0
    while read -r pci; do all+=("$pci"); done < <(nvidia-smi --query-gpu=pci.bus_id --format=csv,noheader \
        ${given:+-i "$given"} 2>/dev/null | grep -E '^[0-9A-Fa-f]+:' | tr 'A-F' 'a-f' | sed 's/^0000\(0000:\)/\1/')
    [ ${#all[@]} -eq 0 ] || echo "${all[$((${number:-0} % ${#all[@]}))]}"
}

# part FOLDER SHARD VERB OPTIONS...: starts or resumes a shard's run. Resuming a complete run only reads it, for its
# exit status. SHARD is "" for a device. Signals to this shell are passed on; earlier records are in the journal.
part() {
    local folder=$1 shard=$2 verb=$3 journal child='' early='' status again program device=''
    shift 3
    program=$(find_program) || exit
    mkdir -p "$folder" || exit 70
    journal=$(begun "$folder")
    [[ " $* " == *" --device"[\ =]* ]] || device=$(given_device)
    trap 'early=TERM; kill -TERM $child 2>/dev/null' TERM INT
    trap 'early=USR1 near_limit=1; kill -USR1 $child 2>/dev/null' USR1
    if [ -n "$journal" ]; then
        echo "slurm.sh: goes on with $(dirname "$journal")"
        "$program" "$verb" --resume "$(dirname "$journal")" &
    else
        "$program" "$verb" --out "$folder" ${shard:+--shard "$shard"} ${device:+--device "$device"} "$@" &
    fi
    child=$!
    [ -z "$early" ] || kill -"$early" "$child"
    wait "$child"
    status=$?
    # A trap interrupts `wait`, not the run.
    while kill -0 "$child" 2>/dev/null; do
        wait "$child"
        status=$?
    done
    wait "$child" 2>/dev/null
    again=$?
    [ "$again" -eq 127 ] || status=$again
    return "$status"
}

# ---- Slurm

task() {
    local out=$1 kind=$2 count=$3 index=${SLURM_ARRAY_TASK_ID:?not in an array job} shard='' status
    shift 3
    [ "$kind" = device ] || shard=$index/$count
    part "$out/$kind-$index" "$shard" "$@"
    status=$?
    if [ "$near_limit" = 1 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 100 ] &&
        ! result_of "$out/$kind-$index" whole >/dev/null; then
        echo "slurm.sh: the time limit is near: requeued"
        scontrol requeue "${SLURM_ARRAY_JOB_ID}_$index"
    fi
    exit "$status"
}

submit() {
    local out=$1 kind=$2 count=$3 options=$4 job merge
    shift 4
    command -v sbatch >/dev/null || fail "sbatch is not here: this submits to Slurm" 69
    find_program >/dev/null || exit
    mkdir -p "$out" || exit 70
    # merge reads the expected number of shards here.
    printf '%s %s\n' "$kind" "$count" >"$out/parts"
    # Slurm runs a copy of its script in another folder. So it gets a single line that calls this script.
    VKASSAY=$(find_program)
    export VKASSAY
    # shellcheck disable=SC2086 # words of the caller
    job=$(sbatch --parsable --requeue --open-mode=append --signal=B:USR1@90 --array="1-$count" --job-name=vkassay \
        --output="$out/$kind-%a.log" $options \
        --wrap "exec $(printf '%q ' "$self" task "$out" "$kind" "$count" "$@")") || exit 70
    # shellcheck disable=SC2086
    merge=$(sbatch --parsable --dependency="afterany:${job%%;*}" --kill-on-invalid-dep=yes --job-name=vkassay-merge \
        --output="$out/merge.log" $options --wrap "exec $(printf '%q ' "$self" merge --out "$out")") || exit 70
    echo "array job ${job%%;*}: $count tasks, $out/$kind-*.log; job ${merge%%;*} merges them: $out/merge.log"
}

# ---- MPI, srun

# The variables of launchers for the rank and the number of ranks. Slurm's are last, because mpirun may run inside a
# job of Slurm.
ranks='OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE
MV2_COMM_WORLD_RANK MV2_COMM_WORLD_SIZE
PMI_RANK PMI_SIZE
MPI_RANK MPI_SIZE
PMIX_RANK SLURM_STEP_NUM_TASKS
PMIX_RANK SLURM_NTASKS
SLURM_PROCID SLURM_STEP_NUM_TASKS
SLURM_PROCID SLURM_NTASKS'

rank() {
    local out=$1 rank size index='' count='' status
    shift
    while read -r rank size; do
        [[ ${!rank:-} =~ ^[0-9]+$ && ${!size:-} =~ ^[1-9][0-9]*$ ]] && index=${!rank} count=${!size} && break
    done <<<"$ranks"
    [ -n "$index" ] || fail "no rank and number of ranks: expected mpirun or srun"
    [ "$index" -lt "$count" ] || fail "rank $index of $count ranks"
    mkdir -p "$out" && printf 'shard %s\n' "$count" >"$out/parts"
    part "$out/shard-$((index + 1))" "$((index + 1))/$count" "$@"
    status=$?
    [ "$status" -ge 1 ] && [ "$status" -le 4 ] && echo "slurm.sh: shard $((index + 1)) of $count ended with $status" &&
        exit 0
    exit "$status"
}

# ---- the merged result

merge() {
    local out=$1 program kind=shard count=0 i result results=() missing=()
    trap '' USR1 # --sbatch may request it
    program=$(find_program) || exit
    [ -r "$out/parts" ] && read -r kind count <"$out/parts"
    [ "$count" -gt 0 ] || count=$(find "$out" -maxdepth 1 -name 'shard-*' | wc -l)
    for ((i = 1; i <= count; i++)); do
        if result=$(result_of "$out/$kind-$i"); then results+=("$result"); else missing+=("$i"); fi
    done
    [ ${#missing[@]} -eq 0 ] || echo "slurm.sh: no result of $kind ${missing[*]} of $count"
    [ ${#results[@]} -gt 0 ] || fail "no result in $out" 3
    if [ "$kind" = device ]; then
        "$program" report --quiet "${results[@]}" --out "$out/page" && [ ${#missing[@]} -eq 0 ] || exit 4
        echo "Page $out/page"
    else
        "$program" merge --alike "${results[@]}" --out "$out/result.jsonl" || exit
        [ ${#missing[@]} -eq 0 ] || exit 4 # a single result is merged without an error
    fi
    exit 0
}

# ---- the command line

[ $# -gt 0 ] || { sed -n '3,21s/^# \{0,1\}//p' "$self" && exit 64; }
what=$1 out='' kind='' count='' options='' shard=''
shift
if [ "$what" = task ]; then task "$@"; fi
if [ "$what" = shard ]; then
    shard=${1:-}
    [[ $shard =~ ^[1-9][0-9]*/[1-9][0-9]*$ ]] || fail "shard: expected I/N, found '$shard'"
    shift
fi
while [ $# -gt 0 ]; do
    case $1 in
    --out) out=${2:-} ;;
    --shards) kind=shard count=${2:-} ;;
    --devices) kind=device count=${2:-} ;;
    --sbatch) options=${2:-} ;;
    --) shift && break ;;
    *) fail "unknown word $1" ;;
    esac
    shift 2 || fail "a value is missing"
done
[ -n "$out" ] || fail "expected --out DIR"
mkdir -p "$out" && out=$(realpath "$out") || exit 70
[ "$what" = merge ] || [ $# -gt 0 ] || fail "expected -- and the run: -- check ..."
case $what in
submit)
    [[ $count =~ ^[1-9][0-9]*$ ]] || fail "submit: expected --shards N or --devices N"
    submit "$out" "$kind" "$count" "$options" "$@"
    ;;
shard)
    printf 'shard %s\n' "${shard#*/}" >"$out/parts"
    part "$out/shard-${shard%/*}" "$shard" "$@"
    ;;
rank) rank "$out" "$@" ;;
merge) merge "$out" ;;
*) fail "expected submit, rank, shard or merge, found '$what'" ;;
esac
