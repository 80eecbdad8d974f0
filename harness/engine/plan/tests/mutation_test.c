// SPDX-License-Identifier: Apache-2.0
// Damaged files: good ones with bytes changed, removed, repeated or inserted. Each is read, or refused with a text.
#include "../../../../reference/philox.h"
#include "../suite.h"
#include "../../../base/tests/within.h"
#include "../../../shader/manifest/tests/plan_fixture.h"
#include "../../../device/device_info.h"

enum { ROUNDS = 2000 };

static const char suite_file[] =
    "{\"schema_version\": 1, \"name\": \"s\", \"summary\": \"t\", \"settings\": {\"precision\": "
    "0.5, \"least_samples\": 3, \"cache\": \"hot\"}, \"entries\": [{\"kernel\": \"relu.*\", "
    "\"dtypes\": [\"f32\"], \"dims\": "
    "{\"n\": [1, 1025]}, \"shapes\": \"some\"}, {\"kernel\": \"matmul.*\", \"dims\": [{\"m\": 16, "
    "\"n\": [16, 32], \"k\": 16}], "
    "\"shapes\": [{\"WG_X\": 8, \"WG_Y\": 8}], \"peak\": \"p\", \"only\": \"gpu\"}]}";
static const char point_name_text[] = "matmul.tiled/f32/m=512,n=1,k=33/wg=16x8x1,ITEMS=4,TILE_K=32";

// Returns a random byte. Half of them are bytes with a meaning for the parsers.
static char byte_of(uint32_t bits) {
    static const char likely[] = "\"{}[]:,/=x0123456789-.eE \\\n";
    return bits & 1 ? likely[(bits >> 8) % (sizeof likely - 1)] : (char)(bits >> 8 | 1);
}

// Damages `good` at one to four places; the copy is in the arena.
static char *damage(struct arena *arena, const char *good, uint64_t round) {
    char *bytes = arena_format(arena, "%s%64s", good, "");
    size_t length = strlen(good);
    bytes[length] = '\0';
    struct philox head = philox(1, round, 0);
    for (uint32_t i = 0; i <= head.v[0] % 4 && length > 1; i++) {
        struct philox r = philox(2, round, i);
        size_t at = r.v[0] % length, run = 1 + r.v[1] % 12;
        if (run > length - at) run = length - at;
        switch (r.v[2] % 4) {
        case 0:
            bytes[at] = byte_of(r.v[3]);
            break;
        case 1:
            memmove(bytes + at, bytes + at + run, length - at - run + 1);
            length -= run;
            break;
        case 2:
            memmove(bytes + at + run, bytes + at, length - at + 1);
            length += run;
            break;
        default:
            memmove(bytes + at + 1, bytes + at, length - at + 1);
            bytes[at] = byte_of(r.v[3]);
            length++;
            break;
        }
    }
    return bytes;
}

static void assert_explained(const struct error *err, bool ok) {
    if (!ok) assert_true(err->text[0] && err->status != STATUS_OK && err->status != STATUS_FAULT);
}

static void manifests(void **state) {
    struct fixture *f = *state;
    size_t read = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct fixture scratch = {0};
        memcpy(scratch.folder, f->folder, sizeof f->folder);
        fixture_write(f, "m.json", damage(&scratch.arena, fixture_manifest, round));
        f->err = (struct error){0};
        bool ok = fixture_load(&scratch);
        assert_explained(&scratch.err, ok);
        read += ok;
        arena_free(&scratch.arena);
    }
    assert_within(read, 1, ROUNDS - 1); // damaged words are still read, damaged structures refused
}

static void suites(void **state) {
    struct fixture *f = *state;
    struct device_info device = fixture_device();
    size_t planned = 0;
    fixture_kernels(f);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct arena arena = {0};
        struct suite suite;
        struct plan plan;
        struct error err = {0};
        const char *path = fixture_write(f, "s.txt", damage(&arena, suite_file, round));
        bool ok = suite_load(&arena, path, &suite, &err) &&
                  plan_build(&arena, &suite, &f->kernels, &device, NULL, 0, &plan, &err);
        assert_explained(&err, ok);
        planned += ok;
        arena_free(&arena);
    }
    assert_within(planned, 1, ROUNDS - 1);
}

static void names_of_points(void **state) {
    struct fixture *f = *state;
    size_t read = 0;
    fixture_kernels(f);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct arena arena = {0};
        struct point point, again;
        struct error err = {0};
        bool ok = point_parse(&arena, &f->kernels, damage(&arena, point_name_text, round), &point, &err);
        assert_explained(&err, ok);
        if (ok) { // a name that is read has one written form
            assert_true(point_parse(&arena, &f->kernels, point.name, &again, &err));
            assert_string_equal(again.name, point.name);
        }
        read += ok;
        arena_free(&arena);
    }
    assert_within(read, 1, ROUNDS - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(manifests, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(suites, fixture_open, fixture_close),
        cmocka_unit_test_setup_teardown(names_of_points, fixture_open, fixture_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
