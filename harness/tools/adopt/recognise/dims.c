// SPDX-License-Identifier: Apache-2.0
#include "dims.h"

#include "../../../../reference/operator.h"

#include <math.h>
#include <string.h>

enum {
    CANDIDATES = 96,
    MANY_DIMS = 5,
    MOST_NODES = 1 << 17,
    MOST_TAKEN = 2000,
    MOST_OF_MANY = 1000,
    MOST_OPTION = 16,
    MANY_OPTIONS = 4,
    NO_WORD = -1
};
static const double most_operations = 1e7;

struct search {
    struct seen *seen;
    struct fit *fit;
    const uint64_t *words;
    enum dims_level level;
    bool (*take)(void *context);
    void *context;
    int given, params;
    int nodes, taken;
    double most_spent;
    // Elements of each operand: at least the changed ones, at most the buffer's.
    int64_t least[OPERATOR_OPERANDS], most[OPERATOR_OPERANDS];
    int axes[OPERATOR_OPERANDS][OPERATOR_RANK]; // dims of each operand, from 1; 0 ends
    int word[OPERATOR_DIMS];                    // the source of each dim, or NO_WORD
    const struct option *option[OPERATOR_DIMS];
    bool sized[OPERATOR_DIMS]; // the dim is a size of an operand, or no option
    uint32_t most_option;      // the largest value of other dims
};

struct numbers {
    int64_t items[CANDIDATES];
    int word[CANDIDATES];
    int count;
};

static void add(struct numbers *numbers, int64_t value, int word) {
    for (int i = 0; i < numbers->count; i++)
        if (numbers->items[i] == value) return;
    if (numbers->count == CANDIDATES) return;
    numbers->word[numbers->count] = word;
    numbers->items[numbers->count++] = value;
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
    int64_t product = 1;
    *own = *later = 0;
    for (int axis = 0; axis < OPERATOR_RANK && s->axes[operand][axis]; axis++) {
        const int at = s->axes[operand][axis] - 1;
        if (at == dim)
            ++*own;
        else if (at > dim)
            ++*later;
        else if (__builtin_mul_overflow(product, s->fit->dims[at], &product))
            return INT64_MAX;
    }
    return product;
}

// Adds the values for an operand of its buffer's size, with its other dims known.
static void add_solutions(const struct search *s, int dim, struct numbers *out) {
    for (int i = 0; i < operator_operands(s->fit->op); i++) {
        const int64_t sizes[] = {s->least[i], s->most[i]};
        int own, later;
        const int64_t product = partial(s, i, dim, &own, &later);
        if (s->fit->buffer[i] < 0 || own != 1 || later || product < 1) continue;
        for (int k = 0; k < 2; k++)
            if (sizes[k] > 0 && sizes[k] % product == 0) add(out, sizes[k] / product, NO_WORD);
    }
}

static void add_divisors(int64_t of, struct numbers *out) {
    for (int64_t i = 1; i <= of / i && i < 1 << 16; i++)
        if (of % i == 0) {
            add(out, i, NO_WORD);
            add(out, of / i, NO_WORD);
        }
}

// Returns whether the dim is a size of an operand.
static bool is_axis(const struct search *s, int dim) {
    for (int i = 0; i < operator_operands(s->fit->op); i++)
        for (int axis = 0; axis < OPERATOR_RANK; axis++)
            if (s->axes[i][axis] == dim + 1) return true;
    return false;
}

// Finds the options. Windows and permutations have several, of small numbers.
static void find_options(struct search *s) {
    int options = 0;
    for (int d = 0; d < s->given; d++) {
        s->option[d] = operator_option(s->fit->op, d);
        s->sized[d] = !s->option[d] || is_axis(s, d);
        options += !s->sized[d];
    }
    s->most_option = options < MANY_OPTIONS ? INT32_MAX : MOST_OPTION;
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
        if (is_size(word) && *word->name && strcmp(word->name, name) == 0) add(out, word->bits, i);
    }
    return out->count > 0;
}

// Returns the first word behind those of earlier dims. *restarts receives whether the dim begins an operand's shape.
static int next_word(const struct search *s, int dim, bool *restarts) {
    *restarts = false;
    for (int i = 0; i < operator_operands(s->fit->op); i++) *restarts |= s->axes[i][0] == dim + 1;
    while (dim > 0 && s->word[dim - 1] == NO_WORD) dim--;
    return dim > 0 ? s->word[dim - 1] + 1 : 0;
}

// Adds words of sizes from the next one on, then those before it unless words are taken in their order. A word of 0 or
// 1 does not count for the order.
static void add_words(const struct search *s, int dim, struct numbers *out) {
    bool restarts;
    const int from = next_word(s, dim, &restarts);
    for (int i = from; i < s->seen->word_count; i++)
        if (is_size(&s->seen->words[i])) add(out, s->seen->words[i].bits, s->seen->words[i].bits > 1 ? i : NO_WORD);
    for (int i = 0; i < from && (restarts || s->level != DIMS_ORDERED); i++)
        if (is_size(&s->seen->words[i])) add(out, s->seen->words[i].bits, i);
}

static void candidates(const struct search *s, int dim, struct numbers *out) {
    const struct op *op = s->fit->op;
    const struct option *option = s->option[dim];
    out->count = 0;
    for (int i = 0; s->words && i < s->seen->word_count && i < 64; i++)
        if (s->words[dim] >> i & 1) add(out, s->seen->words[i].bits, i);
    if (out->count) return;
    if (s->level != DIMS_DIVISORS && add_named(s, op->dims[dim], out)) return;
    if (s->sized[dim]) add_words(s, dim, out);
    for (int i = 0; option && i < s->seen->word_count; i++)
        if (is_size(&s->seen->words[i]) && s->seen->words[i].bits <= s->most_option)
            add(out, s->seen->words[i].bits, NO_WORD);
    add_solutions(s, dim, out);
    add(out, 1, NO_WORD);
    if (may_be_zero(op, dim)) add(out, 0, NO_WORD);
    for (int i = 0; option && i < option->count; i++) add(out, option->values[i], NO_WORD);
    for (int i = 0; s->level == DIMS_DIVISORS && i < operator_operands(op); i++)
        if (op->operands[i].role != ROLE_IN) add_divisors(s->least[i], out);
}

// Returns the required number of elements of the operand; 0: none is required.
static int64_t exact_size(const struct search *s, int operand) {
    if (s->fit->buffer[operand] < 0 || s->level >= DIMS_ANY) return 0;
    if (s->level == DIMS_TIGHT) return s->most[operand];
    return s->fit->op->operands[operand].role == ROLE_OUT ? s->least[operand] : 0;
}

static bool is_possible(const struct search *s, int dim) {
    for (int i = 0; i < operator_operands(s->fit->op); i++) {
        int own, later;
        int64_t product = partial(s, i, dim, &own, &later);
        for (int k = 0; k < own; k++)
            if (__builtin_mul_overflow(product, s->fit->dims[dim], &product)) return false;
        if (s->fit->buffer[i] < 0) continue;
        if (product > s->most[i] && s->fit->dims[dim] > 0) return false;
        if (product > 0 && exact_size(s, i) % product) return false;
        if (own && !later && product < s->least[i]) return false;
    }
    return true;
}

// ---- parameters

static bool is_legal(const struct parameter *p, double value) {
    if (p->integer && value != floor(value)) return false;
    return isfinite(value) && (p->low == p->high || (value >= p->low && value <= p->high));
}

// Returns whether the word may be a parameter. *value receives its value.
static bool is_setting(const struct search *s, const struct parameter *p, int at, double *value) {
    const struct seen_word *word = &s->seen->words[at];
    float real;
    memcpy(&real, &word->bits, sizeof real);
    *value = p->integer ? (double)(int32_t)word->bits : (double)real;
    const bool tiny = !p->integer && *value != 0 && fabs(*value) < 0x1p-126; // an integer
    for (int d = 0; s->level == DIMS_ORDERED && d < s->given; d++)
        if (s->word[d] == at) return false;
    return word->kind != (p->integer ? 'f' : 'i') && word->kind != '.' && !tiny && is_legal(p, *value);
}

struct settings {
    double values[CANDIDATES];
    int word[CANDIDATES], count;
};

static void add_setting(struct settings *out, double value, int word) {
    for (int i = 0; i < out->count; i++)
        if (out->values[i] == value) return;
    if (out->count == CANDIDATES) return;
    out->word[out->count] = word;
    out->values[out->count++] = value;
}

// Collects the possible values of a parameter: words, its default, and the module's constants. `from` is the first
// word behind those of earlier parameters.
static void settings_of(const struct search *s, const struct parameter *p, int from, struct settings *out) {
    double value;
    out->count = 0;
    for (int i = 0; i < s->seen->word_count; i++)
        if (strcmp(s->seen->words[i].name, p->name) == 0 && is_setting(s, p, i, &value)) add_setting(out, value, i);
    const bool named = out->count > 0;
    for (int i = from; i < s->seen->word_count && !named; i++)
        if (is_setting(s, p, i, &value)) add_setting(out, value, i);
    for (int i = 0; i < from && !named && s->level != DIMS_ORDERED; i++)
        if (is_setting(s, p, i, &value)) add_setting(out, value, i);
    add_setting(out, p->integer ? p->standard : (double)(float)p->standard, NO_WORD);
    for (int i = 0; i < s->seen->number_count && !p->integer; i++)
        if (is_legal(p, (double)s->seen->numbers[i])) add_setting(out, (double)s->seen->numbers[i], NO_WORD);
}

static bool set_params(struct search *s, int param, int from) {
    struct settings settings;
    if (param == s->params) return ++s->taken && s->take(s->context);
    settings_of(s, &s->fit->op->params[param], from, &settings);
    for (int i = 0; i < settings.count && !is_spent(s); i++) {
        s->fit->params[param] = settings.values[i];
        if (set_params(s, param + 1, settings.word[i] == NO_WORD ? from : settings.word[i] + 1)) return true;
    }
    return false;
}

// ---- dims

// Returns whether a derived dim is in one of its words, if there are any.
static bool is_worded(const struct search *s, int dim) {
    for (int i = 0; i < s->seen->word_count && i < 64; i++)
        if (s->words[dim] >> i & 1 && s->seen->words[i].bits == s->fit->dims[dim]) return true;
    return !s->words[dim];
}

static bool finish(struct search *s) {
    if (operator_derive(s->fit->op, s->fit->dims)) return false;
    for (int d = s->given; s->words && d < s->given + operator_derived(s->fit->op); d++)
        if (!is_worded(s, d)) return false;
    for (int i = 0; i < operator_operands(s->fit->op); i++) {
        const int64_t elements = fit_elements(s->fit, i);
        if (elements < 1) return false;
        if (s->fit->buffer[i] >= 0 && (elements < s->least[i] || elements > s->most[i])) return false;
        if (exact_size(s, i) && elements != exact_size(s, i)) return false;
    }
    return set_params(s, 0, 0);
}

static bool set_dim(struct search *s, int dim) {
    struct numbers values;
    if (dim == s->given) return finish(s);
    candidates(s, dim, &values);
    for (int i = 0; i < values.count && !is_spent(s); i++) {
        s->nodes++;
        s->fit->dims[dim] = values.items[i];
        s->word[dim] = values.word[i];
        if ((values.items[i] > 0 || may_be_zero(s->fit->op, dim)) && is_possible(s, dim) && set_dim(s, dim + 1))
            return true;
    }
    return false;
}

bool dims_each(struct seen *seen, struct fit *fit, const uint64_t *words, enum dims_level level,
    bool (*take)(void *context), void *context) {
    if (level == DIMS_DIVISORS && operator_dims(fit->op) >= MANY_DIMS) return false; // too many choices
    struct search s = {.seen = seen,
        .fit = fit,
        .words = words,
        .level = level,
        .take = take,
        .context = context,
        .given = operator_dims(fit->op),
        .params = operator_params(fit->op),
        .most_spent = seen->spent + most_operations};
    for (int i = 0; i < operator_operands(fit->op); i++) {
        const struct operand *operand = &fit->op->operands[i];
        const enum dtype dtype = fit_dtype(fit, i);
        for (int axis = 0; axis < OPERATOR_RANK && operand->shape[axis]; axis++)
            s.axes[i][axis] = operator_dim_index(fit->op, operand->shape[axis]) + 1;
        if (fit->buffer[i] < 0) continue;
        const struct seen_buffer *buffer = &seen->buffers[fit->buffer[i]];
        s.most[i] = seen_elements(buffer->bytes, dtype);
        s.least[i] = fit->op->operands[i].role == ROLE_IN
                         ? 1
                         : seen_elements(buffer->changed + (uint64_t)dtype_info(dtype)->bytes - 1, dtype);
    }
    find_options(&s);
    return set_dim(&s, 0);
}

void dims_words(const struct seen *seen, const struct fit *fit, uint64_t words[2 * OPERATOR_DIMS]) {
    for (int d = 0; d < operator_dims(fit->op) + operator_derived(fit->op); d++) {
        words[d] = 0;
        for (int i = 0; i < seen->word_count && i < 64; i++)
            if (is_size(&seen->words[i]) && seen->words[i].bits == fit->dims[d]) words[d] |= (uint64_t)1 << i;
    }
}
