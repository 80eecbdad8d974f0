// SPDX-License-Identifier: Apache-2.0
#include "fill.h"

#include "../../../base/hash.h"
#include "../../../base/parallel.h"
#include "../../../../reference/philox.h"
#include "../../plan/lines.h"
#include "special_values.h"
#include "outlier.h"

#include <math.h>
#include <string.h>

struct filling {
    const struct fill_request *request;
    void *buffer;
    uint64_t below; // for indices and steps
    bool small;     // meant for checking, not for timing
    bool led_small; // of indices: the data they address is small, too, so repeated indices change no timing
    bool moved;     // numbers of every class occur
    int at_end;     // of 8-bit numbers and blocks: near the type's greatest (1) or least number (-1); 0: drawn evenly
    int64_t specials;
    int64_t special_stride;
    int64_t axis, positions; // lengths of the last axis and of the one before it
    struct with_outlier with_outlier;
    struct line_set lines;
    double log_low, log_ratio; // of a spread operand: log(low), log(high) - log(low)
};

static double uniform(const struct operand *operand, uint32_t bits) {
    const struct drawn_range r = drawn_range(operand);
    // Uses all 32 bits. On a grid as coarse as f32's just below 1, sums of two numbers would be exact and show no
    // rounding.
    const double share = bits * 0x1p-32, most = 1 - 0x1p-24;
    return r.low + (r.high - r.low) * (share < most ? share : most);
}

static double spread(const struct filling *f, uint32_t bits, uint32_t more) {
    double size = exp(f->log_low + f->log_ratio * philox_uniform(bits));
    return f->request->operand->signs && (more & 1) ? -size : size;
}

static double rotation(const struct filling *f, int64_t i) {
    int64_t pair = i % f->axis, position = i / f->axis % f->positions;
    double base = f->request->operand->low > 0 ? f->request->operand->low : 10000;
    double angle = (double)position * pow(base, -(double)pair / (double)f->axis);
    return f->request->operand->fill == FILL_COSINE ? cos(angle) : sin(angle);
}

// Rounds every other number to one bit more than bf16 or f16 has.
static double tie(const struct filling *f, uint32_t bits, uint32_t more) {
    static const double last_bit[] = {0x1p9, 0x1p12};
    double value = spread(f, bits, more);
    int exponent;
    if (more & 2) return value;
    double share = frexp(value, &exponent), scale = last_bit[more >> 2 & 1];
    return ldexp(nearbyint(share * scale) / scale, exponent);
}

enum { FEW_INDICES = 8, WIDER = 64 };

// Returns an index. The indices of a small case are spread over the whole range or follow a pattern. The patterns:
// nearly all alike, few values, ascending, descending, only the first and last, a single one. The last of a few indices
// into a large range is its end.
static uint64_t indexed(const struct filling *f, int64_t i, uint32_t bits) {
    struct philox of_case = philox(f->request->key, 0, 11);
    uint64_t below = f->below, few = 1 + below / 16, first = of_case.v[1] % below;
    if (!f->led_small && f->request->elements <= FEW_INDICES && i + 1 == f->request->elements) return below - 1;
    switch (f->led_small ? of_case.v[0] % 9 : 0) {
    case 1:
        return bits % 64 ? first : (first + 1) % below;
    case 2:
        return (first + ((uint64_t)bits * few >> 32)) % below;
    case 3:
        return (uint64_t)i * below / (uint64_t)f->request->elements;
    case 4:
        return (uint64_t)(f->request->elements - 1 - i) * below / (uint64_t)f->request->elements;
    case 5:
        return bits & 1 ? below - 1 : 0;
    case 6:
        return of_case.v[2] & 1 ? below - 1 : first;
    }
    return (uint64_t)bits * below >> 32;
}

// Puts one index in eight out of range: the first out of range on either side, or an extreme of int32.
static double out_of_range(const struct filling *f, int64_t i, uint32_t bits, uint32_t more) {
    const double outside[] = {-1, (double)f->below, INT32_MIN, INT32_MAX};
    return more % 8 == 0 ? outside[more / 8 % 4] : (double)indexed(f, i, bits);
}

// Masks about a quarter of every second line. Otherwise returns the number that the mask adds: it is not 0 in about
// every third line.
static double masked(const struct filling *f, int64_t i, uint32_t bits, uint32_t more) {
    const struct philox line = philox(f->request->key, (uint64_t)(i / f->axis), 8);
    if (bits < 1u << 30 && (line.v[0] & 1)) return -INFINITY;
    return line.v[1] % 3 == 0 ? 8 * philox_uniform(more) - 4 : 0;
}

// Replaces 1 by several numbers, because any number but 0 counts as true.
static double rare(const struct filling *f, uint32_t bits, uint32_t more) {
    static const double truths[] = {1, -1, 2, 256, 65536, INT32_MIN, INT32_MAX, -256};
    const struct operand *operand = f->request->operand;
    double value = (uint64_t)bits * (uint64_t)f->axis >> 32 == 0 ? operand->high : operand->low;
    return value == 1 ? truths[more % 8] : value;
}

// Returns 0 or a true byte. One in four true bytes is 1; as many have another single bit, such as the sign.
static double truth(uint32_t bits, uint32_t more) {
    if (bits < UINT32_MAX / 3) return 0;
    return more & 1 ? 1 + more / 8 % 255 : more & 2 ? 1 : 1u << more / 4 % 8;
}

static double broken(const struct filling *f, uint32_t bits, uint32_t more, uint32_t which) {
    static const double values[] = {NAN, INFINITY, -INFINITY};
    if ((uint64_t)more * (uint64_t)f->axis >> 32 == 0) return values[which % 3];
    return uniform(f->request->operand, bits);
}

static double drawn(const struct filling *f, int64_t i, const struct philox *block) {
    const struct operand *operand = f->request->operand;
    uint32_t bits = block->v[i & 3];
    switch (operand->fill) {
    case FILL_UNIFORM:
        return uniform(operand, bits);
    case FILL_WHOLE:
        if (!f->at_end) return floor(uniform(operand, bits));
        return f->at_end < 0 ? operand->low + bits % 4 : operand->high - 1 - bits % 4;
    case FILL_INDEX:
        return (double)indexed(f, i, bits);
    case FILL_OUT_OF_RANGE:
        return out_of_range(f, i, bits, block->v[(i + 1) & 3]);
    case FILL_SPREAD:
        return spread(f, bits, block->v[(i + 1) & 3]);
    case FILL_TIES:
        return tie(f, bits, block->v[(i + 1) & 3]);
    case FILL_CONSTANT:
        return operand->low;
    case FILL_COSINE:
    case FILL_SINE:
        return rotation(f, i);
    case FILL_PERMUTATION:
        return (double)i; // shuffled afterwards
    case FILL_STEPS:
        return operand->low +
               (operand->high - operand->low) * ((double)((uint64_t)bits * f->below >> 32) / (double)f->below);
    case FILL_RARE:
        return rare(f, bits, block->v[(i + 1) & 3]);
    case FILL_MASK:
        return masked(f, i, bits, block->v[(i + 1) & 3]);
    case FILL_TRUTH:
        return truth(bits, block->v[(i + 1) & 3]);
    case FILL_BROKEN:
        return broken(f, bits, block->v[(i + 1) & 3], block->v[(i + 2) & 3]);
    }
    return 0;
}

// Negates the previous value at every second place of a line.
static double paired(const struct filling *f, int64_t at, int64_t i, double value) {
    if (at % 2 == 0) return value;
    struct philox block = philox(f->request->key, (uint64_t)(i - 1) >> 2, 0);
    return -drawn(f, i - 1, &block);
}

// Returns how far along a sorted line place `at` is. Each stretch of the line rises along a power of its own. On an
// even slope, sums of equally many neighbours differ by a constant step. If this step is a multiple of the total's
// ULP, all roundings of a running sum are equal. Bounds for independent roundings (reference/bounds.h) do not hold
// then.
static double sorted_share(const struct filling *f, int64_t at) {
    const int64_t length = f->lines.length, stretch = length / 512 > 16 ? length / 512 : 16, first = at - at % stretch;
    const int64_t size = length - first < stretch ? length - first : stretch;
    const struct philox bits = philox(f->request->key, (uint64_t)first, 12);
    const double risen = pow((double)(at - first) / (double)size, 0.25 + 4 * philox_uniform(bits.v[0]));
    return ((double)first + risen * (double)size) / (double)length;
}

// Returns the largest finite number of the operand, and of the kernel's arithmetic.
static double largest_finite(const struct fill_request *request) {
    const double own = dtype_info(request->dtype)->largest;
    return request->narrow ? fmin(own, dtype_info(DTYPE_F16)->largest) : own;
}

// Returns the largest finite number or one of the next three. A search that begins beside the largest keeps its
// beginning, and one that cannot tell neighbours gives a wrong place.
static double near_largest(const struct filling *f, uint32_t bits) {
    const struct fill_request *r = f->request;
    const double largest = largest_finite(r);
    const enum dtype type = largest < dtype_info(r->dtype)->largest ? DTYPE_F16 : r->dtype;
    return largest - bits % 4 * dtype_ulp(type, largest);
}

// Returns the factor of numbers up to `largest` in far lines.
static double far_factor(double largest) {
    return fmax(64, fmin(8192, 32768 / largest));
}

// Returns a number of a vast line. With one sign, all of them are at least half as large as the largest.
static double vast(const struct filling *f, const struct line *line, double value, double largest) {
    const bool wide = largest_finite(f->request) > LINES_VAST,
               one_sign = line->one_sign && wide; // in f16 sums overflow
    return (wide ? LINES_VAST / largest : far_factor(largest)) *
           (one_sign ? copysign((fabs(value) + largest) / 2, line->one_sign) : value);
}

// Moves or widens a number as a line of this pattern does; others leave it.
static double moved_plainly(enum line_values values, double value) {
    if (values == VALUES_WIDE) return value * WIDER;
    return values == VALUES_ABOVE ? value + LINES_MOVED : values == VALUES_BELOW ? value - LINES_MOVED : value;
}

// Returns element `i` at place `at` of its line, changed by the line's pattern.
static double of_line(
    const struct filling *f, const struct line *line, int64_t at, int64_t i, const struct philox *block) {
    const struct operand *operand = f->request->operand;
    double value = drawn(f, i, block), low = operand->low, high = operand->high;
    if (low == 0 && high == 0) low = -1, high = 1;
    if (line_is_special(line, at)) { // NaN has either sign
        double special = at ? line->special : line->start;
        return isnan(special) && (i & 1) ? -special : special;
    }
    switch (is_drawn_evenly(operand) ? line->values : VALUES_DRAWN) {
    case VALUES_DRAWN:
        break;
    case VALUES_BELOW:
    case VALUES_ABOVE:
    case VALUES_WIDE:
        return moved_plainly(line->values, value);
    case VALUES_FAR:
        return value * far_factor(fmax(fabs(low), fabs(high)));
    case VALUES_VAST:
        return vast(f, line, value, fmax(fabs(low), fabs(high)));
    case VALUES_LATE:
        return 16 * at >= 15 * f->lines.length ? value + LINES_MOVED : value;
    case VALUES_LEAST:
        return -near_largest(f, block->v[(i + 1) & 3]);
    case VALUES_GREATEST:
        return near_largest(f, block->v[(i + 1) & 3]);
    case VALUES_GAPS:
        if (block->v[(i + 1) & 3] % 8) return line->one_sign ? copysign(value, line->one_sign) : value;
        return i & 1 ? -0.0 : 0.0;
    case VALUES_EQUAL:
        return 0.75 * high;
    case VALUES_PAIRED:
        return paired(f, at, i, value);
    case VALUES_ASCENDING:
        return low + (high - low) * sorted_share(f, at);
    case VALUES_DESCENDING:
        return high - (high - low) * sorted_share(f, at);
    case VALUES_HALVES:
        return 2 * at < f->lines.length ? value - LINES_MOVED : value;
    case VALUES_SPARSE:
        if (block->v[(i + 1) & 3] % 8 == 0) return value;
        return i & 1 ? -0.0 : 0.0;
    case VALUES_ZEROS:
        return i & 1 ? -0.0 : 0.0;
    }
    return value;
}

// Returns a number near an end of exp's range, from below or above; one end is for twice the argument. The range is
// the type's or f32's, because exponentials are computed in f32. The relative distance is from an eighth down to some
// ULP.
static double at_an_end(enum dtype dtype, uint32_t bits, uint32_t more) {
    const struct dtype_info *info = dtype_info(more & 64 ? dtype : DTYPE_F32);
    const double ends[] = {log(info->largest), log(2) * info->least_exponent,
        log(2) * (info->least_exponent - info->significand), log(info->largest) / 2};
    const double apart = exp2(-3 - 20 * philox_uniform(bits));
    return ends[more >> 4 & 3] * (more & 128 ? 1 + apart : 1 - apart);
}

// Makes one number in four special, in small operands of numbers that are only moved. Makes one number in four unusual,
// in small elementwise operands. It is up to 128 of either sign, near the ends of exp's range, or of any size in the
// type.
static double far(const struct filling *f, double value, const struct philox *block, int64_t i) {
    const struct dtype_info *info = dtype_info(f->request->dtype);
    uint32_t bits = block->v[(i + 1) & 3], more = block->v[(i + 2) & 3];
    if (f->moved && more % 4 == 0)
        value = special_value(f->request->dtype, block->v[(i + 3) & 3] / 8 % special_count(1));
    if (bits % 4 || !f->request->operand->specials || !f->request->specials || !f->small || !info->is_float)
        return value;
    if ((more & 264) == 264) return at_an_end(f->request->dtype, block->v[(i + 3) & 3], more);
    if (more & 8) return 256 * philox_uniform(more) - 128;
    double least = info->least_exponent - info->significand,
           size = exp2(least + (log2(info->largest) - least) * philox_uniform(more));
    return bits & 4 ? -size : size;
}

// The random blocks of elements around the current one.
struct blocks {
    uint64_t first;
    struct philox at[PHILOX_BLOCKS];
};

// Returns the block of element i. Elements are visited in ascending order.
static const struct philox *block_of(const struct fill_request *r, struct blocks *blocks, int64_t i) {
    const uint64_t index = (uint64_t)i >> 2;
    if (index - blocks->first >= PHILOX_BLOCKS) {
        blocks->first = index;
        philox_blocks(r->key, index, 0, blocks->at);
    }
    return &blocks->at[index - blocks->first];
}

// Fills elements [i, end) of one line. The line begins at element `start`.
static void fill_any(
    const struct filling *f, struct blocks *blocks, const struct line *line, int64_t start, int64_t i, int64_t end) {
    const struct fill_request *r = f->request;
    for (; i < end; i++) {
        const struct philox *block = block_of(r, blocks, i);
        double value;
        if (r->outlier)
            value = outlier_at(&f->with_outlier, i, block);
        else if (i < f->specials)
            value = special_value(r->dtype, i / f->special_stride % special_count(r->specials));
        else
            value = far(f, of_line(f, line, i - start, i, block), block, i);
        dtype_store(r->dtype, f->buffer, i, value);
    }
}

// Fills elements that are only drawn, faster. They are most of a measured operand, which can have hundreds of millions.
static void fill_drawn(const struct filling *f, struct blocks *blocks, int64_t i, int64_t end) {
    const struct fill_request *r = f->request;
    const struct operand operand = *r->operand;
    while (i < end) {
        const struct philox *block = block_of(r, blocks, i);
        const int64_t next = (i | 3) + 1 < end ? (i | 3) + 1 : end;
        if (operand.fill != FILL_UNIFORM)
            for (; i < next; i++) dtype_store(r->dtype, f->buffer, i, drawn(f, i, block));
        else if (r->dtype == DTYPE_F32)
            for (; i < next; i++) ((float *)f->buffer)[i] = (float)uniform(&operand, block->v[i & 3]);
        else
            for (; i < next; i++) dtype_store(r->dtype, f->buffer, i, uniform(&operand, block->v[i & 3]));
    }
}

static void fill_chunk(void *context, int64_t first, int64_t count) {
    const struct filling *f = context;
    const int64_t length = f->lines.length;
    const bool evenly = is_drawn_evenly(f->request->operand), plain = !f->request->outlier && !f->small;
    struct blocks blocks = {.first = UINT64_MAX / 2};
    for (int64_t i = first; i < first + count;) {
        const int64_t start = i - i % length;
        const int64_t end = start + length < first + count ? start + length : first + count;
        const struct line line = lines_line(&f->lines, i / length);
        const bool ordinary = line.first == line.end && !line.outside && (line.values == VALUES_DRAWN || !evenly);
        if (plain && i >= f->specials && ordinary)
            fill_drawn(f, &blocks, i, end);
        else
            fill_any(f, &blocks, &line, start, i, end);
        i = end;
    }
}

// Shuffles by Fisher-Yates in counter order. This is serial, but quick enough at the sizes of permutations.
static void shuffle(const struct filling *f) {
    uint32_t *values = f->buffer;
    struct philox blocks[PHILOX_BLOCKS];
    for (int64_t i = f->request->elements - 1, last = i; i > 0; i--) {
        const int64_t at = i % PHILOX_BLOCKS;
        if (i == last || at == PHILOX_BLOCKS - 1) philox_blocks(f->request->key, (uint64_t)(i - at), 1, blocks);
        const uint32_t bits = blocks[at].v[0];
        int64_t j = (int64_t)((uint64_t)bits * (uint64_t)(i + 1) >> 32);
        uint32_t swapped = values[i];
        values[i] = values[j];
        values[j] = swapped;
    }
}

// Returns a block's scale. In every second small case, half of the scales are negative, large, subnormal or zero.
static double block_scale(const struct filling *f, int64_t block) {
    const double factors[] = {-1, 0x1p13, -0x1p-12, 0};
    struct philox bits = philox(f->request->key, (uint64_t)block, 1u << 16), of_case = philox(f->request->key, 0, 11);
    double scale = 0.01 + 0.02 * philox_uniform(bits.v[0]);
    const bool any = f->small && f->request->operand->lines != LINES_ALIKE;
    return any && (of_case.v[0] & 1) && (bits.v[1] & 1) ? scale * factors[bits.v[2] % 4] : scale;
}

// Returns the end near which a small case has all of its 8-bit numbers or blocks, in two cases of five. Sums of their
// products are then as large as they can be.
static int end_of(const struct filling *f) {
    const struct operand *operand = f->request->operand;
    const struct dtype_info *info = dtype_info(f->request->dtype);
    const bool whole = f->request->dtype == DTYPE_I8 && operand->fill == FILL_WHOLE;
    const bool blocks = info->elements > 1 && operand->lines != LINES_ALIKE;
    const uint32_t bits = philox(f->request->key, 0, 11).v[3] % 5;
    return !f->small || (!whole && !blocks) || bits > 1 ? 0 : bits ? 1 : -1;
}

// Moves random bytes of a block near an end of its type: a signed byte, or two unsigned half bytes.
static void move_to_end(const struct filling *f, unsigned char *bytes, int count) {
    const bool halves = f->request->dtype == DTYPE_Q4_0;
    for (int i = 0; i < count; i++)
        if (halves)
            bytes[i] = f->at_end < 0 ? bytes[i] & 0x11 : bytes[i] | 0xee;
        else
            bytes[i] = f->at_end < 0 ? 0x80 | (bytes[i] & 3) : 0x7c | (bytes[i] & 3);
}

// Fills GGML blocks: a half scale, then 32 signed bytes or 16 bytes of nibbles. The blocks themselves are random, so
// every value of the format occurs.
static void fill_blocks(void *context, int64_t first, int64_t count) {
    const struct filling *f = context;
    const struct dtype_info *info = dtype_info(f->request->dtype);
    unsigned char *block = (unsigned char *)f->buffer + first * info->bytes;
    for (int64_t b = first; b < first + count; b++, block += info->bytes) {
        for (int at = 2; at < info->bytes; at += 16) {
            struct philox bits = philox(f->request->key, (uint64_t)b, (uint64_t)at);
            int room = info->bytes - at < 16 ? info->bytes - at : 16;
            memcpy(block + at, bits.v, (size_t)room);
            if (f->at_end) move_to_end(f, block + at, room);
        }
        dtype_store(DTYPE_F16, block, 0, block_scale(f, b));
    }
}

// Returns the elements of all operands, or nearly all.
static double problem_elements(const struct fill_request *request) {
    double sum = (double)request->elements;
    for (int i = 0; i < operator_operands(request->op); i++)
        if (strcmp(request->op->operands[i].name, request->operand->name) != 0)
            sum += (double)operand_elements(request->op, &request->op->operands[i], request->dims);
    return sum;
}

// Puts a least and a greatest number behind the first 2^24 elements of a line with any pattern. An index kept as a
// float is even there, and a maximum is seldom drawn so late.
static void extremes_at_far_end(const struct filling *f) {
    const struct operand *operand = f->request->operand;
    const int64_t last = (f->request->elements - 1) | 1, end = last < f->request->elements ? last : last - 2;
    if (f->request->outlier || f->lines.count > 1 || operand->lines == LINES_ALIKE || !is_drawn_evenly(operand) ||
        end - 2 <= (int64_t)1 << 24)
        return;
    const enum line_values values = lines_line(&f->lines, 0).values;
    const struct drawn_range r = drawn_range(operand);
    const double beyond = (r.high - r.low) / 2;
    dtype_store(f->request->dtype, f->buffer, end, moved_plainly(values, r.high + beyond));
    dtype_store(f->request->dtype, f->buffer, end - 2, moved_plainly(values, r.low - beyond));
}

void fill_operand(const struct fill_request *request, void *buffer) {
    const struct operand *operand = request->operand;
    struct filling f = {.request = request, .buffer = buffer, .special_stride = 1, .axis = 1, .positions = 1};
    int below = operand->below ? operator_dim_index(request->op, operand->below) : -1;
    f.below = below < 0 || request->dims[below] < 1 ? 1 : (uint64_t)request->dims[below];
    f.small = request->elements <= MOST_UNUSUAL;
    f.led_small = problem_elements(request) <= MOST_UNUSUAL;
    f.at_end = end_of(&f);
    f.moved = operand->preserves == PRESERVES_BITS && f.small && dtype_info(request->dtype)->is_float;
    const int rank = operand_rank(operand->shape);
    if (rank > 0) f.axis = request->dims[operator_dim_index(request->op, operand->shape[rank - 1])];
    if (rank > 1) f.positions = request->dims[operator_dim_index(request->op, operand->shape[rank - 2])];
    if (operand->fill == FILL_SPREAD || operand->fill == FILL_TIES) {
        f.log_low = log(operand->low);
        f.log_ratio = log(operand->high) - f.log_low;
    }
    if (request->outlier) f.with_outlier = with_outlier_of(request);
    f.lines = lines_of(request->op, operand, request->dims, request->key);
    lines_rearrange(&f.lines, request->index, request->placement);
    if (operand->specials) f.specials = special_elements(request->specials, request->elements);
    for (int i = 0; i < request->special_index; i++) f.special_stride *= special_count(request->specials);
    if (dtype_info(request->dtype)->elements > 1)
        parallel_for(request->elements / dtype_info(request->dtype)->elements, 1024, fill_blocks, &f);
    else
        parallel_for(request->elements, 4096, fill_chunk, &f);
    if (dtype_info(request->dtype)->elements == 1) extremes_at_far_end(&f);
    if (operand->fill == FILL_PERMUTATION) shuffle(&f);
}
