// SPDX-License-Identifier: Apache-2.0
#include "legal.h"

#include "../../shader/manifest/contract/contract.h"
#include "../../shader/manifest/dispatches.h"
#include "../../shader/manifest/shape.h"
#include "needs.h"
#include "../../../reference/operator.h"
#include "../../device/device_info.h"

struct missing {
    const struct device_info *device;
    int feature;
};

static bool is_missing(void *context, enum feature feature) {
    struct missing *m = context;
    if (!m->device->features[feature]) m->feature = (int)feature;
    return !m->device->features[feature];
}

static const struct refusal *block_refusal(
    const struct trial *t, const struct block *block, const struct shape *shape) {
    const char *what = block->kind == BLOCK_PUSH      ? "push constant"
                       : block->kind == BLOCK_UNIFORM ? "uniform parameter"
                                                      : "storage parameter";
    for (int i = 0; i < block->count; i++) {
        const struct word *word = &block->words[i];
        const int dim = word->kind == WORD_NAME ? operator_dim_index(t->kernel->op, word->name) : -1;
        const bool is_quotient = word->kind == WORD_QUOTIENT && (shape || !quotient_choice(t->kernel, &word->quotient));
        if (dim < 0 && !is_quotient) continue; // it does not follow from dims and known inputs
        const double figure =
            (double)(dim < 0 ? quotient_value(t->kernel, &word->quotient, t->dims, shape) : t->dims[dim]);
        if (figure < 0 || figure > UINT32_MAX)
            return REFUSED(t->arena, .kind = REFUSAL_PUSH_VALUE, .words = {what, word->text}, .figures = {figure});
    }
    return NULL;
}

static const struct refusal *pass_words_refusal(const struct trial *t, int pass, const struct shape *shape) {
    const struct refusal *why = NULL;
    for (int b = 0; !why && b < t->kernel->passes[pass].block_count; b++)
        why = block_refusal(t, &t->kernel->passes[pass].blocks[b], shape);
    return why;
}

struct words_visit {
    const struct trial *trial;
    const struct refusal *why;
};

static bool visit_words(void *context, const struct dispatch *d) {
    struct words_visit *v = context;
    v->why = pass_words_refusal(v->trial, d->pass, &d->shape);
    return !v->why;
}

// Refuses values beyond their words. With a shape it also checks the values depending on the shape.
static const struct refusal *words_refusal(const struct trial *t, const struct shape *shape) {
    struct words_visit v = {.trial = t};
    for (int p = 0; !shape && !v.why && p < t->kernel->pass_count; p++) v.why = pass_words_refusal(t, p, NULL);
    if (shape) dispatches_visit(t->kernel, t->dims, shape, visit_words, &v);
    return v.why;
}

const struct refusal *trial_case(const struct trial *t) {
    if (t->kernel->untried) return REFUSED(t->arena, .kind = REFUSAL_UNTRIED);
    const struct refusal *beyond = trial_profile(t, NULL);
    if (beyond) return beyond;
    struct missing m = {t->device, -1};
    features_visit(t, is_missing, &m);
    if (m.feature == FEATURE_COOPERATIVE_MATRIX) return cooperative_lack(t);
    if (m.feature >= 0)
        return REFUSED(t->arena, .kind = REFUSAL_FEATURE, .words = {feature_name((enum feature)m.feature)});
    const struct refusal *why = trial_limits(t, NULL, NEED_OF_PASS);
    if (!why) why = words_refusal(t, NULL);
    return why ? why : trial_memory(t, NULL);
}

static const enum refusal_kind refusal_of_rule[] = {
    [RULE_MULTIPLE] = REFUSAL_RULE_MULTIPLE, [RULE_AT_MOST] = REFUSAL_RULE_AT_MOST, [RULE_EQUAL] = REFUSAL_RULE_EQUAL};

// Checks the rules with dims, or the rules without.
static const struct refusal *rules_refusal(const struct trial *t, const struct shape *shape, bool with_dims) {
    for (int i = 0; i < t->kernel->rule_count; i++) {
        const struct rule *rule = &t->kernel->rules[i];
        bool has_dims = product_dim(t->kernel, &rule->of) || product_dim(t->kernel, &rule->by);
        if (has_dims != with_dims) continue;
        int64_t of = product_value(t->kernel, &rule->of, t->dims, shape);
        int64_t by = product_value(t->kernel, &rule->by, t->dims, shape);
        if (of < 0 || by < 0)
            return REFUSED(t->arena, .kind = REFUSAL_RULE_OVERFLOW, .by_dims = with_dims,
                .words = {product_text(t->arena, of < 0 ? &rule->of : &rule->by), rule->why});
        if (!rule_holds(t->kernel, rule, t->dims, shape))
            return REFUSED(t->arena, .kind = refusal_of_rule[rule->kind], .by_dims = with_dims,
                .words = {product_text(t->arena, &rule->of), product_text(t->arena, &rule->by), rule->why},
                .figures = {(double)of, (double)by});
    }
    return NULL;
}

// Refuses parameters that the kernel does not take.
static const struct refusal *params_refusal(const struct trial *t) {
    const struct param_rule *rule = t->params ? param_rule_broken(t->kernel, t->params) : NULL;
    if (!rule) return NULL;
    const char *name = t->kernel->op->params[rule->param].name, *other = "its number";
    const double value = t->params[rule->param];
    return REFUSED(t->arena, .kind = refusal_of_rule[rule->kind], .by_dims = true,
        .words = {rule->reversed ? other : name, rule->reversed ? name : other, rule->why},
        .figures = {rule->reversed ? rule->number : value, rule->reversed ? value : rule->number});
}

const struct refusal *trial_shape(const struct trial *t, const struct shape *shape) {
    const struct refusal *why = trial_profile(t, shape);
    if (!why) why = trial_limits(t, shape, NEED_OF_WORKGROUP);
    if (!why) why = trial_limits(t, shape, NEED_OF_SHAPE);
    if (!why) why = trial_cooperative(t, shape);
    if (!why) why = rules_refusal(t, shape, false);
    if (!why) why = trial_limits(t, shape, NEED_OF_DISPATCH);
    if (!why) why = words_refusal(t, shape);
    if (!why) why = trial_memory(t, shape);
    if (!why) why = params_refusal(t);
    return why ? why : rules_refusal(t, shape, true);
}

const struct refusal *trial_both(const struct trial *t, const struct shape *shape) {
    const struct refusal *why = trial_case(t);
    return why ? why : trial_shape(t, shape);
}

struct trial trial_of(
    const struct point *point, const struct device_info *device, double memory_share, struct arena *arena) {
    return (struct trial){.kernel = point->kernel,
        .dtype = point->dtype,
        .dims = point->dims,
        .params = point->params,
        .device = device,
        .memory_share = memory_share,
        .peak = point->peak != NULL,
        .arena = arena};
}

struct shape trial_default(const struct trial *trial) {
    return kernel_case_shape(trial->kernel, trial->device, trial->dtype, trial->dims);
}
