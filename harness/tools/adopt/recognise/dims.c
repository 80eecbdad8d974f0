// SPDX-License-Identifier: Apache-2.0
#include "dims.h"

#include "../../../../reference/operator.h"

#include <math.h>
#include <string.h>

enum { CANDIDATES = 96, MANY_DIMS = 5, MOST_NODES = 20000, MOST_TAKEN = 1000, MOST_OF_MANY = 100 };
static const double most_operations = 1e7;

struct search {
    struct seen *seen;
    struct fit *fit;
    const uint64_t *words;
    bool reserves;
    bool (*take)(void *context);
    void *context;
    int given, params;
    int nodes, taken;
    double most_spent;
    // Elements of each operand: at least the changed ones, at most the buffer's.
    int64_t least[OPERATOR_OPERANDS], most[OPERATOR_OPERANDS];
};

struct numbers {
    int64_t items[CANDIDATES];
    int count;
};

static void add(struct numbers *numbers, int64_t value) {
    for (int i = 0; i < numbers->count; i++)
        if (numbers->items[i] == value) return;
    if (numbers->count < CANDIDATES) numbers->items[numbers->count++] = value;
}

static bool is_size(const struct seen_word *word) {
    return word->kind != 'f' && word->kind != '.' && word->bits <= INT32_MAX;
}

// Returns whether enough was tried. References of many dims, such as convolutions, cost more than their operations.
static bool is_spent(const struct search *s) {
    return s->nodes > MOST_NODES || s->taken > (s->given < MANY_DIMS ? MOST_TAKEN : MOST_OF_MANY) ||
           s->seen->spent > s->most_spent;
}

// ---- a dim

// Returns the product of an operand's dims before `end`, and how often the last of them, `dim`, and later ones occur.
static int64_t partial(const struct search *s, int operand, int dim, int *own, int *later) {
    const struct op *op = s->fit->op;
    int64_t product = 1;
    *own = *later = 0;
    for (int axis = 0; axis < OPERATOR_RANK && op->operands[operand].shape[axis]; axis++) {
        const int at = operator_dim_index(op, op->operands[operand].shape[axis]);
        if (at == dim)
            ++*own;
        else if (at > dim)
            ++*later;
        else if (__builtin_mul_overflow(product, s->fit->dims[at], &product))
            return INT64_MAX;
    }
    return product;
}

// Adds the values that give an operand, with its other dims known, just its buffer's size.
static void add_solutions(const struct search *s, int dim, struct numbers *out) {
    for (int i = 0; i < operator_operands(s->fit->op); i++) {
        const int64_t sizes[] = {s->least[i], s->most[i]};
        int own, later;
        const int64_t product = partial(s, i, dim, &own, &later);
        if (s->fit->buffer[i] < 0 || own != 1 || later || product < 1) continue;
        for (int k = 0; k < 2; k++)
            if (sizes[k] > 0 && sizes[k] % product == 0) add(out, sizes[k] / product);
    }
}

static void add_divisors(int64_t of, struct numbers *out) {
    for (int64_t i = 1; i <= of / i && i < 1 << 16; i++)
        if (of % i == 0) {
            add(out, i);
            add(out, of / i);
        }
}

static const struct option *option_of(const struct op *op, int dim) {
    for (int i = 0; i < OPERATOR_OPTIONS && op->options[i].dim; i++)
        if (strcmp(op->options[i].dim, op->dims[dim]) == 0) return &op->options[i];
    return NULL;
}

static bool may_be_zero(const struct op *op, int dim) {
    for (int i = 0; i < 4 && op->zero_ok[i]; i++)
        if (strcmp(op->zero_ok[i], op->dims[dim]) == 0) return true;
    return false;
}

// A word of the dim's own name is the only candidate.
static bool add_named(const struct search *s, const char *name, struct numbers *out) {
    for (int i = 0; i < s->seen->word_count; i++) {
        const struct seen_word *word = &s->seen->words[i];
        if (is_size(word) && *word->name && strcmp(word->name, name) == 0) add(out, word->bits);
    }
    return out->count > 0;
}

static void candidates(const struct search *s, int dim, struct numbers *out) {
    const struct op *op = s->fit->op;
    const struct option *option = option_of(op, dim);
    out->count = 0;
    for (int i = 0; s->words && i < s->seen->word_count && i < 64; i++)
        if (s->words[dim] >> i & 1) add(out, s->seen->words[i].bits);
    if (out->count) return;
    if (!s->reserves && add_named(s, op->dims[dim], out)) return;
    add_solutions(s, dim, out);
    for (int i = 0; i < s->seen->word_count; i++)
        if (is_size(&s->seen->words[i])) add(out, s->seen->words[i].bits);
    add(out, 1);
    if (may_be_zero(op, dim)) add(out, 0);
    for (int i = 0; option && i < option->count; i++) add(out, option->values[i]);
    for (int i = 0; s->reserves && i < operator_operands(op); i++)
        if (op->operands[i].role != ROLE_IN) add_divisors(s->least[i], out);
}

static bool is_possible(const struct search *s, int dim) {
    for (int i = 0; i < operator_operands(s->fit->op); i++) {
        int own, later;
        int64_t product = partial(s, i, dim, &own, &later);
        for (int k = 0; k < own; k++)
            if (__builtin_mul_overflow(product, s->fit->dims[dim], &product)) return false;
        if (s->fit->buffer[i] < 0) continue;
        if (product > s->most[i] && s->fit->dims[dim] > 0) return false;
        if (own && !later && product < s->least[i]) return false;
    }
    return true;
}

// ---- parameters

static bool is_legal(const struct parameter *p, double value) {
    if (p->integer && value != floor(value)) return false;
    return isfinite(value) && (p->low == p->high || (value >= p->low && value <= p->high));
}

// Collects the values that a parameter may have: words, its default, and the module's constants.
static int settings_of(const struct search *s, const struct parameter *p, double out[CANDIDATES]) {
    int count = 0;
    for (int named = 1; named >= 0 && !count; named--)
        for (int i = 0; i < s->seen->word_count && count < CANDIDATES / 2; i++) {
            const struct seen_word *word = &s->seen->words[i];
            float real;
            memcpy(&real, &word->bits, sizeof real);
            const double value = p->integer ? (double)(int32_t)word->bits : (double)real;
            const bool tiny = !p->integer && value != 0 && fabs(value) < 0x1p-126; // an integer
            if (word->kind == (p->integer ? 'f' : 'i') || word->kind == '.' || tiny || !is_legal(p, value)) continue;
            if (!named || strcmp(word->name, p->name) == 0) out[count++] = value;
        }
    out[count++] = p->integer ? p->standard : (double)(float)p->standard;
    for (int i = 0; i < s->seen->number_count && !p->integer; i++)
        if (is_legal(p, (double)s->seen->numbers[i])) out[count++] = (double)s->seen->numbers[i];
    return count;
}

static bool set_params(struct search *s, int param) {
    double values[CANDIDATES];
    if (param == s->params) return ++s->taken && s->take(s->context);
    const int count = settings_of(s, &s->fit->op->params[param], values);
    for (int i = 0; i < count && !is_spent(s); i++) {
        s->fit->params[param] = values[i];
        if (set_params(s, param + 1)) return true;
    }
    return false;
}

// ---- dims

static bool finish(struct search *s) {
    if (operator_derive(s->fit->op, s->fit->dims)) return false;
    for (int i = 0; i < operator_operands(s->fit->op); i++) {
        const int64_t elements = fit_elements(s->fit, i);
        if (elements < 1) return false;
        if (s->fit->buffer[i] >= 0 && (elements < s->least[i] || elements > s->most[i])) return false;
    }
    return set_params(s, 0);
}

static bool set_dim(struct search *s, int dim) {
    struct numbers values;
    if (dim == s->given) return finish(s);
    candidates(s, dim, &values);
    for (int i = 0; i < values.count && !is_spent(s); i++) {
        s->nodes++;
        s->fit->dims[dim] = values.items[i];
        if ((values.items[i] > 0 || may_be_zero(s->fit->op, dim)) && is_possible(s, dim) && set_dim(s, dim + 1))
            return true;
    }
    return false;
}

bool dims_each(struct seen *seen, struct fit *fit, const uint64_t *words, bool reserves, bool (*take)(void *context),
    void *context) {
    if (reserves && operator_dims(fit->op) >= MANY_DIMS) return false; // too many choices
    struct search s = {.seen = seen,
        .fit = fit,
        .words = words,
        .reserves = reserves,
        .take = take,
        .context = context,
        .given = operator_dims(fit->op),
        .params = operator_params(fit->op),
        .most_spent = seen->spent + most_operations};
    for (int i = 0; i < operator_operands(fit->op); i++) {
        const enum dtype dtype = operand_dtype(&fit->op->operands[i], fit->dtype);
        if (fit->buffer[i] < 0) continue;
        const struct seen_buffer *buffer = &seen->buffers[fit->buffer[i]];
        s.most[i] = seen_elements(buffer->bytes, dtype);
        s.least[i] = fit->op->operands[i].role == ROLE_IN
                         ? 1
                         : seen_elements(buffer->changed + (uint64_t)dtype_info(dtype)->bytes - 1, dtype);
    }
    return set_dim(&s, 0);
}

void dims_words(const struct seen *seen, const struct fit *fit, uint64_t words[OPERATOR_DIMS]) {
    for (int d = 0; d < operator_dims(fit->op); d++) {
        words[d] = 0;
        for (int i = 0; i < seen->word_count && i < 64; i++)
            if (is_size(&seen->words[i]) && seen->words[i].bits == fit->dims[d]) words[d] |= (uint64_t)1 << i;
    }
}
