// SPDX-License-Identifier: Apache-2.0
// The footnotes of figures, and the legend of the footnotes used.
#include "../footnotes.h"
#include "../result.h"
#include "../record.h"
#include "../../../reference/tests/unit.h"

#include <math.h>
#include <string.h>

// A point without any footnote; an empty dispatch takes 1 us.
struct fixture {
    struct result result;
    struct record record;
};

static struct fixture sound(void) {
    struct fixture f = {.record = {.bytes = 1, .clock = CLOCK_GPU, .drift = 1}};
    f.record.check.checked = f.record.check.elements = 100;
    for (int i = 0; i < FIGURE_COUNT; i++) f.record.time[i] = (struct summary){.median = 3000, .samples = 6};
    f.record.reference.ns = 1;
    f.record.reference.scale = 1;
    f.result.context = json_tokener_parse("{\"peaks\": {\"empty_dispatch_ns\": 1000}}");
    return f;
}

static void bears(const struct fixture *f, enum footnote_of what, enum figure figure, const char *symbols) {
    struct text text = {0};
    put_symbols(&text, &(struct shown_figure){&f->result, &f->record, what, figure}, NULL);
    assert_string_equal(text_str(&text), symbols);
    text_free(&text);
}

static void everywhere(const struct fixture *f, const char *error, const char *reference, const char *compute,
    const char *whole, const char *upload) {
    bears(f, FOOTNOTE_OF_ERROR, FIGURE_COUNT, error);
    bears(f, FOOTNOTE_OF_REFERENCE, FIGURE_COUNT, reference);
    bears(f, FOOTNOTE_OF_TIME, FIGURE_COMPUTE, compute);
    bears(f, FOOTNOTE_OF_TIME, FIGURE_END_TO_END, whole);
    bears(f, FOOTNOTE_OF_TIME, FIGURE_UPLOAD, upload);
}

static void what_is_whole_and_long_enough_bears_none(void **state) {
    struct fixture f = sound();
    everywhere(&f, "", "", "", "", "");
    bears(&(struct fixture){0}, FOOTNOTE_OF_ERROR, FIGURE_COUNT, ""); // nothing was checked
    struct text text = {0};
    put_symbols(&text, &(struct shown_figure){.result = &f.result}, NULL);
    assert_int_equal(text.length, 0);
    json_object_put(f.result.context);
}

static void each_symbol_stands_at_its_own_figure(void **state) {
    struct fixture f = sound();
    f.record.check.checked = 99;
    everywhere(&f, "°", "", "", "", "");
    f.record.check.excluded = 1; // outputs left open by the device are no part of the sample
    everywhere(&f, "", "", "", "", "");
    f.record.check.excluded = 0;
    f.record.check.checked = 100;
    f.record.reference.extrapolated = true;
    everywhere(&f, "", "~", "", "", "");
    f.record.reference.extrapolated = false;
    f.record.time[FIGURE_COMPUTE].samples = FOOTNOTE_FEW_SAMPLES;
    f.record.time[FIGURE_UPLOAD].samples = 1;
    everywhere(&f, "", "", "‡", "", "‡");
    f.record.time[FIGURE_UPLOAD].samples = f.record.time[FIGURE_COMPUTE].samples = 6;
    for (int i = 0; i < FIGURE_COUNT; i++) f.record.time[i].median = 2999; // the other figures may be that short
    everywhere(&f, "", "", "†", "", "");
    f.record.bytes = 0; // an empty dispatch itself
    everywhere(&f, "", "", "", "", "");
    f.record.clock = CLOCK_HOST;
    f.record.throttled = true;
    f.record.drift = NAN;
    everywhere(&f, "", "", "§!", "", "");
    f.record.throttled = false;
    f.record.clock = CLOCK_GPU;
    f.record.clock_probes = (struct clock_probes){.count = 5, .least = 0.99, .most = 1.04, .least_clock_hz = NAN};
    everywhere(&f, "", "", "", "", "");
    f.record.clock_probes.most = 1.06;
    everywhere(&f, "", "", "^", "", "");
    f.record.clock_probes.noise = 0.02; // as the reference kernel's own times vary
    everywhere(&f, "", "", "", "", "");
    json_object_put(f.result.context);
}

static void has(const struct footnotes_seen *seen, const char *lines) {
    struct text text = {0};
    put_footnotes(&text, seen, "\n");
    assert_string_equal(text_str(&text), lines);
    text_free(&text);
}

// A clock that fell during some samples explains the point, and so does its value afterwards.
static void what_happened_to_the_clock_is_reported(void **state) {
    static const struct {
        bool throttled;
        double drift, most, low_hz, end_hz;
        const char *line;
    } rows[] = {
        {false, 1, 3.05, 6e8, 1.83e9,
            "^ the device's speed changed beside these samples (the reference kernel took 0.99 to 3.05 of its median; "
            "the shader clock fell to 600 MHz, and was 1830 MHz at the end)\n"},
        {false, 1, 1.06, NAN, NAN,
            "^ the device's speed changed beside these samples (the reference kernel took 0.99 to 1.06 of its "
            "median)\n"},
        {true, 1.5, 1.5, 1.2e9, NAN,
            "! throttled: the device ran slower than before (the reference kernel took 0.99 to 1.50 of its median; the "
            "shader clock fell to 1200 MHz)\n"},
        {true, 1.5, 0, 0, 0,
            "! throttled: the device ran slower than before (the reference kernel took 1.50 of its median)\n"},
        {true, NAN, 0, 0, 0, "! throttled: the device ran slower than before (by how much is not recorded)\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fixture f = sound();
        struct text text = {0};
        struct footnotes_seen seen = {0};
        f.record.throttled = rows[i].throttled;
        f.record.drift = rows[i].drift;
        f.record.shader_clock_hz = rows[i].end_hz;
        if (rows[i].most > 0)
            f.record.clock_probes = (struct clock_probes){
                .count = 5, .least = 0.99, .most = rows[i].most, .least_clock_hz = rows[i].low_hz};
        footnotes_note(&(struct shown_figure){&f.result, &f.record, FOOTNOTE_OF_TIME, FIGURE_COMPUTE}, &seen);
        put_footnotes(&text, &seen, "\n");
        assert_string_equal(text_str(&text), rows[i].line);
        text_free(&text);
        json_object_put(f.result.context);
    }
}

// The legend has the words of each footnote used, with the most affected figure; nothing on others.
static void a_legend_says_the_footnotes_that_occur(void **state) {
    struct footnotes_seen seen = {0};
    struct fixture a = sound(), b = sound();
    has(&seen, "");
    b.record.check.checked = 10;
    a.record.check.checked = 50;
    b.record.check.elements = 20; // a half, as in a
    const struct shown_figure figures[] = {
        {&b.result, &b.record, FOOTNOTE_OF_ERROR, 0}, {&a.result, &a.record, FOOTNOTE_OF_ERROR, 0}};
    for (int i = 0; i < 2; i++) footnotes_note(&figures[i], &seen);
    has(&seen, "° error found in a part of the outputs (as few as 10 of 20 judged)\n");
    a.record.check.checked = 10;
    footnotes_note(&figures[1], &seen);
    footnotes_note(&figures[0], &seen);
    has(&seen, "° error found in a part of the outputs (as few as 10 of 100 judged)\n");
    seen = (struct footnotes_seen){0};
    put_symbol_of_verdict(&(struct text){0}, VERDICT_SAME, &seen);
    has(&seen, "");
    struct text symbol = {0};
    put_symbol_of_verdict(&symbol, VERDICT_AMBIGUOUS, &seen);
    assert_string_equal(text_str(&symbol), "?");
    text_free(&symbol);
    has(&seen, "? ambiguous: neither shown to be the same nor shown to differ\n");
    json_object_put(a.result.context);
    json_object_put(b.result.context);
}

static void how_far_is_reported(void **state) {
    struct footnotes_seen seen = {0};
    struct fixture f = sound();
    f.record.reference.extrapolated = true;
    f.record.reference.scale = 12.25;
    f.record.time[FIGURE_COMPUTE] = (struct summary){.median = 2500, .samples = 3};
    const struct shown_figure figures[] = {
        {&f.result, &f.record, FOOTNOTE_OF_REFERENCE, 0}, {&f.result, &f.record, FOOTNOTE_OF_TIME, FIGURE_COMPUTE}};
    for (int i = 0; i < 2; i++) footnotes_note(&figures[i], &seen);
    has(&seen, "~ an estimate: the reference's time is scaled from a part of its outputs (by up to 12.2)\n"
               "‡ five samples or fewer, too few for a 95 % interval (as few as 3)\n"
               "† shorter than three empty dispatches (as little as 2.5; one takes 1 us)\n");
    f.record.reference.scale = NAN; // an older file: deeper than any known scale
    seen = (struct footnotes_seen){0};
    footnotes_note(&figures[0], &seen);
    has(&seen,
        "~ an estimate: the reference's time is scaled from a part of its outputs (by how much is not recorded)\n");
    seen = (struct footnotes_seen){0};
    record_timed_by(&f.record, "asked for");
    footnotes_note(&(struct shown_figure){NULL, &f.record, FOOTNOTE_OF_TIME, FIGURE_COMPUTE}, &seen);
    has(&seen, "‡ five samples or fewer, too few for a 95 % interval (as few as 3)\n§ host clock (asked for)\n");
    json_object_put(f.result.context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_whole_and_long_enough_bears_none),
        cmocka_unit_test(each_symbol_stands_at_its_own_figure),
        cmocka_unit_test(what_happened_to_the_clock_is_reported),
        cmocka_unit_test(a_legend_says_the_footnotes_that_occur),
        cmocka_unit_test(how_far_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
