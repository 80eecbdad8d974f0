// SPDX-License-Identifier: Apache-2.0
#include "figures.h"

#include "cases.h"
#include "record.h"

#include <string.h>

#define BIT(figure) (1U << FIGURE_##figure)
#define MEMBER(member) .amount = offsetof(struct record, member)
enum { MOVED = BIT(UPLOAD) | BIT(DOWNLOAD) };

static double build_share(const struct result *result, const struct record *record) {
    (void)result;
    const double built = (double)record->build_ns;
    return built > 0 ? built / (built + figure_ns(record, FIGURE_END_TO_END)) : NAN;
}

static double peak_share(const struct result *result, const struct record *record) {
    return rate_of(result, record).share;
}

const struct figure_info figure_table[FIGURES] = {
    [FIGURE_COMPUTE] = {"compute", "ns", .times = BIT(COMPUTE)},
    [FIGURE_UPLOAD] = {"upload", "ns", .times = BIT(UPLOAD)},
    [FIGURE_DOWNLOAD] = {"download", "ns", .times = BIT(DOWNLOAD)},
    [FIGURE_HOST_WRITE] = {"host_write", "ns", .times = BIT(HOST_WRITE)},
    [FIGURE_HOST_READ] = {"host_read", "ns", .times = BIT(HOST_READ)},
    [FIGURE_SUBMIT] = {"submit", "ns", .times = BIT(SUBMIT)},
    [FIGURE_END_TO_END] = {"end_to_end", "ns", .times = BIT(END_TO_END)},
    [FIGURE_MAPPED_WRITE] = {"mapped_write", "ns", .times = BIT(MAPPED_WRITE)},
    [FIGURE_MAPPED_READ] = {"mapped_read", "ns", .times = BIT(MAPPED_READ)},
    [FIGURE_LOW] = {"compute_low", "ns", .times = BIT(COMPUTE), MEMBER(time[FIGURE_COMPUTE].lo)},
    [FIGURE_HIGH] = {"compute_high", "ns", .times = BIT(COMPUTE), MEMBER(time[FIGURE_COMPUTE].hi)},
    [FIGURE_MOVED] = {"moved", "ns", .times = MOVED},
    [FIGURE_MOVED_BY_HOST] = {"moved_by_host", "ns", .times = BIT(HOST_WRITE) | BIT(HOST_READ)},
    [FIGURE_MOVED_MAPPED] = {"moved_mapped", "ns", .times = BIT(MAPPED_WRITE) | BIT(MAPPED_READ)},
    [FIGURE_MOVED_SHARE] = {"moved_share", "share", .times = MOVED, .over = MOVED | BIT(COMPUTE)},
    [FIGURE_RUNS_TO_HALF] = {"runs_to_half", "", .times = MOVED, .over = BIT(COMPUTE)},
    [FIGURE_BYTES_PER_S] = {"bytes_per_s", "B/s", .over = BIT(COMPUTE), MEMBER(bytes), .high = true},
    [FIGURE_FLOPS_PER_S] = {"flops_per_s", "FLOP/s", .over = BIT(COMPUTE), MEMBER(flops), .high = true},
    [FIGURE_BUILD_SHARE] = {"build_share", "share", .times = BIT(END_TO_END), .of = build_share, .high = true},
    [FIGURE_REFERENCE] = {"reference", "ns", MEMBER(reference.ns)},
    [FIGURE_PEAK_SHARE] = {"peak_share", "share", .over = BIT(COMPUTE), .of = peak_share, .high = true},
};

const char *figure_name(enum figure figure) {
    return figure_table[figure].name;
}

double figure_ns(const struct record *record, enum figure figure) {
    const struct summary *summary = &record->time[figure];
    return summary->samples && measured(summary->median) ? summary->median : NAN;
}

double compute_ns(const struct record *record) {
    return record_is_timed(record) ? record->time[FIGURE_COMPUTE].median : NAN;
}

bool is_probe(const struct record *record) {
    return strcmp(record->dtype, "probe") == 0;
}

// Returns the sum of those times that were measured. NaN if none was, or if compute is missing.
static double sum_of(const struct record *record, unsigned times) {
    double sum = NAN;
    for (int f = 0; f < FIGURE_COUNT; f++) {
        const double ns = times >> f & 1 ? figure_ns(record, (enum figure)f) : NAN;
        if (isnan(ns) && f == FIGURE_COMPUTE && times & BIT(COMPUTE)) return NAN;
        if (!isnan(ns)) sum = isnan(sum) ? ns : sum + ns;
    }
    return sum;
}

double figure_value(const struct result *result, const struct record *record, int figure) {
    const struct figure_info *info = &figure_table[figure];
    if (info->of) return info->of(result, record);
    const double amount = info->amount ? *(const double *)((const char *)record + info->amount) : NAN;
    const double top = info->amount ? amount : sum_of(record, info->times);
    if (!info->over) return top;
    const bool whole = is_probe(record) && info->over & BIT(COMPUTE); // its compute time has the others in it
    const double under = sum_of(record, whole ? BIT(COMPUTE) : info->over);
    return top > 0 ? top / under * (info->amount ? 1e9 : 1) : NAN;
}

double occupancy_most(uint32_t vendor, double registers, uint64_t invocations) {
    enum { NVIDIA = 0x10de, REGISTERS = 65536, LANES = 32, WARPS = 64, GROUPS = 32 };
    if (vendor != NVIDIA || !(registers > 0) || !invocations || invocations > WARPS * LANES) return NAN;
    const double of_warp = ceil(registers / 8) * 8 * LANES, wanted = ceil((double)invocations / LANES);
    const double warps = fmin(floor(REGISTERS / of_warp), WARPS);
    return fmin(floor(warps / wanted), GROUPS) * wanted / WARPS;
}
