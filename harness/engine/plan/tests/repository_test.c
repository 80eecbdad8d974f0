// SPDX-License-Identifier: Apache-2.0
// The repository's own kernels and suites, on a made-up device with 256 invocations and 16 KiB of shared memory. Runs
// from the top of the repository.
#include "../../../shader/manifest/tests/plan_fixture.h"
#include "../cross.h"
#include "../suite.h"

#include "../../../../reference/table.h"
#include "../../../base/json.h"
#include "../../../record/result.h"
#include "../../../../reference/operator.h"

static void load_kernels(struct fixture *f) {
    const char *folders[] = {"kernels"};
    if (!kernels_load(&f->arena, folders, 1, &f->kernels, &f->err)) fail_msg("%s", f->err.text);
    assert_true(f->kernels.count > 0);
}

static bool runs(struct arena *arena, const struct plan *plan, const struct kernel *kernel, const char **why) {
    *why = "the smoke suite does not hold it";
    for (size_t i = 0; i < plan->count; i++) {
        const struct point *point = &plan->points[i];
        const bool stand_in = kernel->cooperative.used; // near the default, of matrices that the device has
        if (point->kernel != kernel || !(point->is_default || stand_in)) continue;
        const struct refusal *refused = point->refused;
        if (!refused || refused->kind == REFUSAL_FEATURE || refused->kind == REFUSAL_SUBGROUP_FEATURE) return true;
        *why = refusal_text(arena, refused);
    }
    return false;
}

// Every kernel is in the smoke suite and runs in its default shape on a modest device. A user's first run must not be
// a list of refusals.
static void default_shapes_are_legal(void **state) {
    struct fixture *f = *state;
    static const uint32_t least_sizes[] = {32, 8}; // "defaults" of manifests are for the second
    struct suite smoke;
    load_kernels(f);
    if (!suite_load(&f->arena, "suites/smoke.json", &smoke, &f->err)) fail_msg("%s", f->err.text);
    for (size_t d = 0; d < sizeof least_sizes / sizeof *least_sizes; d++) {
        struct device_info device = fixture_device();
        struct plan plan;
        device.min_subgroup_size = least_sizes[d];
        if (!plan_build(&f->arena, &smoke, &f->kernels, &device, NULL, 0, &plan, &f->err)) fail_msg("%s", f->err.text);
        for (size_t i = 0; i < f->kernels.count; i++) {
            const char *why;
            if (!runs(&f->arena, &plan, f->kernels.items[i], &why)) fail_msg("%s: %s", f->kernels.items[i]->name, why);
        }
    }
}

// Sizes of matrices and subgroups on devices of NVIDIA, AMD, Intel and lavapipe.
static const struct {
    uint32_t subgroup, m, n, k, k_of_bytes;
} engines[] = {{32, 16, 16, 16, 32}, {32, 16, 16, 16, 16}, {64, 16, 16, 16, 16}, {16, 8, 16, 16, 32}, {32, 8, 8, 8, 8},
    {8, 8, 8, 8, 8}};

static struct device_info with_engine(size_t e) {
    struct device_info device = fixture_device();
    device.kind = e + 1 == sizeof engines / sizeof *engines ? DEVICE_CPU : DEVICE_DISCRETE;
    device.max_size[0] = device.max_invocations = 1024;
    device.shared_bytes = 32768;
    device.subgroup_size = device.min_subgroup_size = device.max_subgroup_size = engines[e].subgroup;
    for (int i = 0; i < device.cooperative_count; i++) {
        struct cooperative *matrix = &device.cooperative[i];
        matrix->k = matrix->k == 32 ? engines[e].k_of_bytes : engines[e].k;
        matrix->m = engines[e].m;
        matrix->n = engines[e].n;
    }
    return device;
}

// Returns whether the point is of a chain of products. At each of its depths it takes matrices of one depth only.
static bool of_another_depth(const struct point *point) {
    return strcmp(point->kernel->op->name, "matrix_chain") == 0;
}

// Returns whether a rule refuses the point's dims on the GPU of the default shapes.
static bool of_refused_dims(const struct plan *usual, const struct point *point) {
    for (size_t i = 0; i < usual->count; i++) {
        const struct point *other = &usual->points[i];
        if (other->kernel == point->kernel && memcmp(other->dims, point->dims, sizeof point->dims) == 0)
            return other->refused &&
                   (other->refused->kind == REFUSAL_RULE_EQUAL || other->refused->kind == REFUSAL_RULE_MULTIPLE);
    }
    return false;
}

// Checks the plan of a suite on one engine; `usual` is its plan on the GPU of the default shapes.
static void assert_matrices_met(
    struct fixture *f, const struct suite *suite, const struct plan *usual, const struct device_info *device) {
    struct plan plan;
    int met = 0;
    if (!plan_build(&f->arena, suite, &f->kernels, device, NULL, 0, &plan, &f->err)) fail_msg("%s", f->err.text);
    for (size_t i = 0; i < plan.count; i++) {
        const struct point *point = &plan.points[i];
        const struct refusal *why = point->refused;
        met += point->kernel->cooperative.used && !why;
        if (why && !of_another_depth(point) && !of_refused_dims(usual, point) &&
            (why->kind == REFUSAL_SUBGROUP_SIZE || why->kind == REFUSAL_MATRIX_SIZES))
            fail_msg("%s of %s: %s", point->name, suite->name, refusal_text(&f->arena, why));
    }
    assert_true(met > 0);
}

// No point of a kernel with matrices is skipped for the device's subgroup or matrix sizes: its shapes include them.
static void matrices_of_every_vendor_are_met(void **state) {
    struct fixture *f = *state;
    static const char *const suites[] = {"suites/smoke.json", "suites/quick.json"};
    const struct device_info gpu = fixture_device();
    load_kernels(f);
    for (size_t s = 0; s < sizeof suites / sizeof *suites; s++) {
        struct suite suite;
        struct plan usual;
        if (!suite_load(&f->arena, suites[s], &suite, &f->err) ||
            !plan_build(&f->arena, &suite, &f->kernels, &gpu, NULL, 0, &usual, &f->err))
            fail_msg("%s", f->err.text);
        for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
            const struct device_info device = with_engine(e);
            assert_matrices_met(f, &suite, &usual, &device);
        }
    }
}

static void suites_plan(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    char **paths;
    size_t count;
    load_kernels(f);
    assert_true(file_list(&f->arena, "suites", ".json", &paths, &count, &f->err));
    for (size_t i = 0; i < count; i++) {
        struct suite suite;
        struct plan plan;
        if (!suite_load(&f->arena, paths[i], &suite, &f->err)) fail_msg("%s", f->err.text);
        if (!plan_build(&f->arena, &suite, &f->kernels, &device, NULL, 0, &plan, &f->err)) fail_msg("%s", f->err.text);
        assert_true(plan.count > 0);
    }
}

// The suites for comparisons with other programs list shapes by name. On the GPU for which they are listed, none may be
// skipped in silence.
static void an_h200_runs_each_point_of_the_suites_for_peers(void **state) {
    static const char *const suites[] = {"suites/peers.json", "suites/peers-wide.json"};
    struct fixture *f = *state;
    struct result result;
    load_kernels(f);
    if (!result_read("reports/examples/nvidia-h200/quick.json", &result, &f->err)) fail_msg("%s", f->err.text);
    int refused = 0;
    for (size_t s = 0; s < sizeof suites / sizeof *suites; s++) {
        struct suite suite;
        struct plan plan;
        if (!suite_load(&f->arena, suites[s], &suite, &f->err) ||
            !plan_build(&f->arena, &suite, &f->kernels, result.device, NULL, 0, &plan, &f->err))
            fail_msg("%s", f->err.text);
        assert_true(plan.count > 100);
        for (size_t i = 0; i < plan.count; i++) {
            const struct refusal *why = plan.points[i].refused;
            if (!why || of_another_depth(&plan.points[i])) continue;
            print_error("%s of %s: %s\n", plan.points[i].name, suites[s], refusal_text(&f->arena, why));
            refused++;
        }
    }
    result_free(&result);
    assert_int_equal(refused, 0);
}

static bool has_operator(const struct plan *plan, const struct op *op) {
    for (size_t i = 0; i < plan->count; i++)
        if (plan->points[i].kernel->op == op) return true;
    return false;
}

static bool has_kernel(const struct plan *plan, const struct kernel *kernel) {
    for (size_t i = 0; i < plan->count; i++)
        if (plan->points[i].kernel == kernel) return true;
    return false;
}

// A system's suite has every operator whose row names the system. The suite `quick` has every operator, `full` every
// kernel. The letters of two systems side by side never spell a third.
static const struct {
    const char *suite, *letters;
    bool every_kernel;
} whole[] = {{"torchless", "TL", false}, {"torsh", "TS", false}, {"candle", "CF", false}, {"tensor-frame", "TF", false},
    {"libtorch-rust", "LT", false}, {"full", "", true}, {"quick", "", false}};

static void suites_are_whole(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    int missing = 0;
    load_kernels(f);
    for (size_t w = 0; w < sizeof whole / sizeof *whole; w++) {
        struct suite suite;
        struct plan plan;
        const char *path = arena_format(&f->arena, "suites/%s.json", whole[w].suite);
        if (!suite_load(&f->arena, path, &suite, &f->err) ||
            !plan_build(&f->arena, &suite, &f->kernels, &device, NULL, 0, &plan, &f->err))
            fail_msg("%s", f->err.text);
        for (size_t i = 0; i < f->kernels.count; i++) {
            const struct kernel *kernel = f->kernels.items[i];
            if (!strstr(kernel->op->systems, whole[w].letters)) continue;
            if (whole[w].every_kernel ? has_kernel(&plan, kernel) : has_operator(&plan, kernel->op)) continue;
            print_error("%s does not hold %s\n", path, kernel->name);
            missing++;
        }
    }
    assert_int_equal(missing, 0);
}

// Returns whether a kernel of the user, which may have any name, has points if it is of the kernel's operator.
static bool is_for_own(const struct suite *suite, const struct kernel *kernel, const struct device_info *device) {
    struct kernel own = *kernel;
    own.name = "own";
    own.given = "own";
    for (size_t i = 0; i < suite->entry_count; i++) {
        const struct suite_entry *entry = &suite->entries[i];
        if (!entry->probe && entry_takes(entry, &own) && entry_for_device(entry, device) && entry_for_kernel(entry, &own))
            return true;
    }
    return false;
}

// On a CPU, quick leaves out kernels and shapes whose code takes long to compile, but no operator.
static void quick_has_every_operator_on_a_cpu(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    struct suite suite;
    struct plan plan;
    int missing = 0;
    load_kernels(f);
    device.kind = DEVICE_CPU;
    if (!suite_load(&f->arena, "suites/quick.json", &suite, &f->err) ||
        !plan_build(&f->arena, &suite, &f->kernels, &device, NULL, 0, &plan, &f->err))
        fail_msg("%s", f->err.text);
    for (size_t i = 0; i < f->kernels.count; i++) {
        const struct kernel *kernel = f->kernels.items[i];
        const bool measures_a_peak = strcmp(kernel->op->family, "peak") == 0;
        if (has_operator(&plan, kernel->op) && (measures_a_peak || is_for_own(&suite, kernel, &device))) continue;
        print_error("quick does not hold %s on a CPU, or no kernel of the user of its operator\n", kernel->name);
        missing++;
    }
    assert_int_equal(missing, 0);
}

// The gate has every family, on CPUs and on GPUs, so nothing becomes slower unseen.
static void the_gate_holds_every_family(void **state) {
    struct fixture *f = *state;
    static const enum device_kind kinds[] = {DEVICE_CPU, DEVICE_DISCRETE};
    load_kernels(f);
    for (size_t k = 0; k < 2; k++) {
        struct device_info device = fixture_device();
        struct suite suite;
        struct plan plan;
        device.kind = kinds[k];
        if (!suite_load(&f->arena, "suites/gate.json", &suite, &f->err) ||
            !plan_build(&f->arena, &suite, &f->kernels, &device, NULL, 0, &plan, &f->err))
            fail_msg("%s", f->err.text);
        for (const char *const *family = operator_families; *family; family++) {
            bool held = false;
            for (size_t i = 0; i < plan.count; i++)
                held = held || (!plan.points[i].refused && strcmp(plan.points[i].kernel->op->family, *family) == 0);
            if (!held) fail_msg("on %s the gate holds nothing of the family %s", device_kind_name(kinds[k]), *family);
        }
    }
}

// Returns whether a kernel's lists of values allow a workgroup of WIDTH x 1 x 1.
static bool takes_width(const struct kernel *kernel, int64_t width) {
    const char *const axes[] = {"WG_X", "WG_Y", "WG_Z"};
    for (int axis = 0; axis < 3; axis++) {
        const int64_t wanted = axis == 0 ? width : 1;
        bool found = wanted == 1;
        for (int t = 0; t < kernel->tunable_count; t++) {
            const struct tunable *tunable = &kernel->tunables[t];
            if (strcmp(tunable->name, axes[axis]) != 0) continue;
            found = false;
            for (int v = 0; v < tunable->value_count; v++) found |= tunable->values[v] == wanted;
        }
        if (!found) return false;
    }
    return true;
}

// A kernel for workgroups of 64 in a line also takes 16 and 32, preferred by mobile GPUs. Kernels with cooperative
// matrices are exempt: they need whole subgroups.
static void a_line_of_64_comes_with_16_and_32(void **state) {
    struct fixture *f = *state;
    int missing = 0;
    load_kernels(f);
    for (size_t i = 0; i < f->kernels.count; i++) {
        const struct kernel *kernel = f->kernels.items[i];
        if (kernel->cooperative.used || !takes_width(kernel, 64)) continue;
        if (takes_width(kernel, 16) && takes_width(kernel, 32)) continue;
        print_error("%s takes a workgroup of 64x1x1, and not 16x1x1 and 32x1x1\n", kernel->name);
        missing++;
    }
    assert_int_equal(missing, 0);
}

static bool has_width(const struct plan *plan, const char *operator_name, uint32_t width) {
    for (size_t i = 0; i < plan->count; i++) {
        const struct point *point = &plan->points[i];
        uint32_t wg[3];
        if (point->refused || strcmp(point->kernel->op->name, operator_name) != 0) continue;
        shape_workgroup(point->kernel, &point->shape, wg);
        if (wg[0] == width && wg[1] == 1 && wg[2] == 1) return true;
    }
    return false;
}

// Looks for the workgroups tried by ToRSh, on the operators in a row of its document. Adds the missing ones to
// `missing`.
static void look_for_candidates(const struct plan *plan, struct json_object *row, int *missing) {
    struct json_object *by = json_get(row, "by");
    for (size_t i = 0; by && i < json_object_array_length(by); i++) {
        const char *target = json_object_get_string(json_object_array_get_idx(by, i));
        if (strncmp(target, "operator:", 9) != 0) continue;
        for (uint32_t width = 64; width <= 256; width *= 2) {
            if (has_width(plan, target + 9, width)) continue;
            print_error("suites/torsh.json has no %s at %ux1x1\n", target + 9, width);
            ++*missing;
        }
    }
}

// A suite holds the sizes and shapes stated by rows of reports/documents.json.
static void rows_of_documents_are_in_their_suites(void **state) {
    static const struct {
        const char *suite, *points;
    } rows[] = {{"suites/tensor-frame.json", "add.*/wg=16x1x1*"}, {"suites/tensor-frame.json", "add.*/wg=32x1x1*"},
        {"suites/tensor-frame.json", "sum.*/wg=16x1x1*"}, {"suites/tensor-frame.json", "sum.*/wg=32x1x1*"},
        {"suites/candle.json", "linear_relu.*/f32/m=32,n=8,k=4/*"},
        {"suites/candle.json", "linear.*/f32/m=32,n=3,k=8/*"}};
    struct fixture *f = *state;
    const struct device_info device = fixture_device();
    load_kernels(f);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct suite suite;
        struct plan plan;
        bool found = false;
        if (!suite_load(&f->arena, rows[i].suite, &suite, &f->err) ||
            !plan_build(&f->arena, &suite, &f->kernels, &device, NULL, 0, &plan, &f->err))
            fail_msg("%s", f->err.text);
        for (size_t k = 0; k < plan.count; k++)
            found |= !plan.points[k].refused && text_glob(rows[i].points, plan.points[k].name);
        if (!found) fail_msg("%s has no %s", rows[i].suite, rows[i].points);
    }
}

// ToRSh tries workgroups of 64, 128 and 256 for its operators.
static void torsh_has_its_candidates_on_each_operator_that_it_names(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    struct suite suite;
    struct plan plan;
    int missing = 0, documents = 0;
    load_kernels(f);
    if (!suite_load(&f->arena, "suites/torsh.json", &suite, &f->err) ||
        !plan_build(&f->arena, &suite, &f->kernels, &device, NULL, 0, &plan, &f->err))
        fail_msg("%s", f->err.text);
    struct json_object *root = json_read("reports/documents.json", &f->err);
    assert_non_null(root);
    struct json_object *list = json_get(root, "documents");
    for (size_t i = 0; i < json_object_array_length(list); i++) {
        struct json_object *document = json_object_array_get_idx(list, i), *rows = json_get(document, "rows");
        if (strcmp(json_get_string(document, "system", ""), "torsh") != 0) continue;
        documents++;
        for (size_t r = 0; r < json_object_array_length(rows); r++)
            look_for_candidates(&plan, json_object_array_get_idx(rows, r), &missing);
    }
    json_object_put(root);
    assert_int_equal(documents, 1);
    assert_int_equal(missing, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(default_shapes_are_legal, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(matrices_of_every_vendor_are_met, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(an_h200_runs_each_point_of_the_suites_for_peers, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(suites_plan, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(suites_are_whole, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(quick_has_every_operator_on_a_cpu, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(a_line_of_64_comes_with_16_and_32, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(
            torsh_has_its_candidates_on_each_operator_that_it_names, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(rows_of_documents_are_in_their_suites, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(the_gate_holds_every_family, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
