// SPDX-License-Identifier: Apache-2.0
// Fuzz targets for all readers of foreign data, one a row of `targets` (`make fuzz`). libFuzzer calls the target
// named by $FUZZ, in the root of the repository.
#define VKASSAY_TUNED_IMPLEMENTATION
#include "../../../tune/reader/vkassay_tuned.h"

#include "../../../base/file.h"
#include "../../../capture/replay/folder.h"
#include "../../../device/device_info.h"
#include "../../../device/profile.h"
#include "../../../engine/plan/suite.h"
#include "../../../engine/supervise/expectations.h"
#include "../../../engine/supervise/protocol.h"
#include "../../../engine/supervise/request.h"
#include "../../../readers/claims/claims.h"
#include "../../../readers/exports/export.h"
#include "../../../readers/render/render.h"
#include "../../../record/journal.h"
#include "../../../record/peers.h"
#include "../../../record/record.h"
#include "../../../record/result.h"
#include "../../../shader/compile/hlsl_registers.h"
#include "../../../shader/compile/redeclare.h"
#include "../../../shader/compile/shader.h"
#include "../../../shader/compile/wgsl_lines.h"
#include "../../../shader/manifest/manifest.h"
#include "../../../shader/sanitize/sanitize.h"
#include "../../../shader/spirv/analyses.h"
#include "../../../shader/spirv/changes.h"
#include "../../../tools/adopt/build_lines.h"
#include "../../../tools/adopt/dictionary.h"
#include "../../../tools/adopt/guess.h"
#include "../../../tune/tuned_table.h"
#include "../../options.h"
#include "made_up.h"

#include <glob.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_SEEDS = 400, LONGEST_SEED = 1 << 19 };

// Shared by all targets, made once.
static struct arena kept;
static const char *folder;   // of the input's file
static struct result sample; // a result and its device
static struct kernels known; // the program's own
static struct seed seeds[MOST_SEEDS];
static size_t seed_count;
static FILE *nowhere;

// One input of a target, released as a whole.
struct input {
    const char *bytes; // ends with a NUL behind `length` bytes
    size_t length;
    const char *file; // with these bytes; NULL unless the target reads a file
    struct arena arena;
    struct error err;
};

// Stops the fuzzer: the value read breaks a promise of the reader.
static void promise(bool kept_to) {
    if (!kept_to) __builtin_trap();
}

// ---- JSON

static void fuzz_manifest(struct input *in) {
    struct mistakes mistakes = {0};
    struct manifests manifests = {.arena = &in->arena, .mistakes = &mistakes};
    struct json_object *json = json_parse(in->bytes, in->length);
    if (json) manifest_read_json(&manifests, json, "kernels/matrix/made_up.json");
    for (size_t i = 0; i < manifests.count; i++) {
        const struct kernel *kernel = manifests.items[i];
        const struct shape shape = kernel_default_shape(kernel, sample.device);
        int64_t dims[64];
        uint32_t wg[3];
        for (int d = 0; d < 64; d++) dims[d] = d + 2;
        shape_workgroup(kernel, &shape, wg);
        kernel_shared_bytes(kernel, dims, &shape);
        kernel_depth(kernel, dims, &shape);
        kernel_last_chain(kernel, dims, &shape);
        kernel_sum_order(kernel, dims, &shape);
    }
    json_object_put(json);
}

static void fuzz_suite(struct input *in) {
    struct suite suite;
    struct plan plan;
    if (suite_load(&in->arena, in->file, &suite, &in->err))
        plan_build(&in->arena, &suite, &known, sample.device, NULL, 0, &plan, &in->err);
}

static void fuzz_result(struct input *in) {
#define FORMAT(name) &format_##name,
    static const struct export_format *const formats[] = {RESULT_FORMATS(FORMAT)};
    struct result result = {0};
    if (!result_read(in->file, &result, &in->err)) return;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct text text = {0};
        export_put(&text, formats[i], &result, 1, &known, &in->err);
        text_free(&text);
    }
    render_tables(&result, nowhere, 80);
    render_failures(&result, nowhere);
    result_free(&result);
}

static void fuzz_journal(struct input *in) {
    struct json_object *context = NULL, **records = NULL;
    size_t count = 0;
    struct journal *journal = journal_resume(in->file, &in->arena, &context, &records, &count, &in->err);
    for (size_t i = 0; journal && i < count; i++) {
        struct text text = {0};
        promise(record_line(records[i], &text, &in->err));
        text_free(&text);
        json_object_put(records[i]);
    }
    if (journal) json_object_put(context);
    journal_close(journal);
}

static void fuzz_expectations(struct input *in) {
    struct expectations expectations;
    struct plan plan = {0};
    if (!expectations_load(&in->arena, in->file, &expectations, &in->err)) return;
    expectations_apply(&in->arena, &expectations, sample.device, &plan);
    json_object_put(expectations_next(&expectations, sample.device, NULL, 0));
}

static void fuzz_tuned(struct input *in) {
    struct result head = {0};
    struct tuned tuned;
    struct text text = {0};
    if (tuned_read(in->file, &in->arena, &head, &tuned, &in->err)) {
        tuned_put(&text, &tuned);
        tuned_put_glsl(&text, &tuned, 1, &in->err);
        tuned_put_wgsl(&text, &tuned, 1, &in->err);
        tuned_put_header(&text, &tuned, 1, &in->err);
        result_free(&head);
    }
    text_free(&text);
}

// The reader for other programs, without a JSON library.
static void fuzz_reader(struct input *in) {
    struct vkassay_tuned tuned = {NULL, 0, {4318, 9013, 77, "NVIDIA H200"}, NULL};
    struct vkassay_choice choice;
    char why[80];
    const int64_t dims[] = {16, 1024};
    bool added = true;
    for (int again = 0; added && again < 2; again++)
        added = vkassay_tuned_add(&tuned, in->bytes, in->length, why, sizeof why);
    for (size_t i = 0; added && i < tuned.count; i++) {
        const struct vkassay_entry *entry = &tuned.entries[i];
        optimal_workgroup_size(&tuned, entry->kernel, NULL, entry->dtype, entry->dims, entry->dim_count, &choice);
        optimal_workgroup_size(&tuned, entry->kernel, "0", entry->dtype, dims, 2, &choice);
        promise(choice.wg[0] != 0 && vkassay_tunable(&choice, "ITEMS", -1) >= -1);
    }
    vkassay_tuned_free(&tuned);
}

static void fuzz_claims(struct input *in) {
    struct claims claims;
    if (!claims_load(&in->arena, in->file, &claims, &in->err)) return;
    for (size_t i = 0; i < claims.count; i++) {
        const struct claim *claim = &claims.items[i];
        struct claim_finding *parts = arena_alloc(&in->arena, claim->part_count + 1, sizeof *parts);
        bool *applies = arena_alloc(&in->arena, claim->part_count + 1, sizeof *applies);
        for (size_t p = 0; p < claim->part_count; p++)
            parts[p] = part_decide(&claim->parts[p], &sample, &in->arena, &applies[p]);
        claim_decide(claim, &sample, &in->arena, parts, applies);
    }
}

static void fuzz_profile(struct input *in) {
    struct profile profile;
    struct device_info device = *sample.device;
    if (!profile_find(in->file, &profile, &in->err)) return;
    promise(profile_same(&profile, &profile));
    device_hold(&device, &profile);
    device_clamp(&device, &profile);
}

static void fuzz_peers(struct input *in) {
    struct peers peers;
    if (!peers_read(in->file, &peers, &in->err)) return;
    for (size_t i = 0; i < sample.count && i < 8; i++)
        for (size_t p = 0; p < peers.count; p++) peer_ns(&peers, p, &sample.records[i]);
    peers_free(&peers);
}

static void fuzz_request(struct input *in) {
    struct request request;
    if (request_read(in->bytes, in->length, &in->arena, &request, &in->err))
        for (size_t i = 0; i < request.count; i++) promise(request.points[i].name);
}

static void fuzz_answer(struct input *in) {
    struct message message = message_read(in->bytes, in->length);
    struct device_info *devices;
    size_t count;
    for (enum message_type type = MESSAGE_NONE; type < MESSAGE_TYPES; type++) message_expect(&message, type, &in->err);
    message_get_devices(&message, &in->arena, &devices, &count, &in->err);
    message_get_validates(&message);
    if (message_get_note(&message, 3, &count)) promise(count <= 3);
    json_object_put(message_get_record(&message, message_get_name(&message), &in->err));
    message_release(&message);
}

static void fuzz_dictionary(struct input *in) {
    struct dictionary *dictionary = NULL;
    dictionary_read(&in->arena, in->file, &dictionary, &in->err);
    dictionary_free(dictionary);
}

static void fuzz_capture(struct input *in) {
    struct capture capture;
    if (!capture_read(&in->arena, folder, &capture, &in->err)) return;
    for (size_t i = 0; i < capture.dispatch_count; i++)
        promise(capture.dispatches[i].pipeline && capture.dispatches[i].grid[0]);
}

// ---- words and texts

static void fuzz_spirv(struct input *in) {
    const size_t count = in->length / sizeof(uint32_t);
    uint32_t *words = arena_alloc(&in->arena, count + 1, sizeof *words);
    const struct barrier_setting setting = {.entry = "main", .size = {64, 1, 1}};
    static const struct sanitize_slot slots[] = {{0, 0, false}, {0, 1, true}};
    const struct sanitize_request request = {
        .setting = setting, .slots = slots, .slot_count = 2, .log_binding = 7, .longest = 1 << 20, .all_logged = true};
    struct shader_interface interface;
    struct shader_declarations declared;
    struct sanitized sanitized;
    memcpy(words, in->bytes, count * sizeof *words);
    struct spirv spirv = {.words = words, .count = count};
    interface_declarations(&in->arena, words, count, &declared, &in->err);
    if (!entry_isolate(&in->arena, &spirv, "main", &in->err) ||
        !interface_read(&in->arena, spirv.words, spirv.count, "main", &interface, &in->err))
        return;
    barriers_skipped(spirv.words, spirv.count, &setting);
    waiting_loops_found(spirv.words, spirv.count);
    sanitize_module(&in->arena, &spirv, &request, &sanitized, &in->err);
    resize_module(&in->arena, &spirv, "main", (const uint32_t[]){8, 8, 1}, &in->err);
}

// Options of the command line, one a line.
static void fuzz_options(struct input *in) {
    char *words[200] = {"vkassay", "check"};
    int count = 2;
    char *text = arena_copy_n(&in->arena, in->bytes, in->length);
    for (char *end; count < 199 && *text; text = end + 1) {
        words[count++] = text;
        if (!(end = strchr(text, '\n'))) break;
        *end = '\0';
    }
    struct options options, resumed;
    struct text again = {0};
    for (int bit = 0; bit < 19; bit++) {
        const enum command_set command = (enum command_set)(1 << bit);
        if (!options_parse(&in->arena, count, words, 2, command, &options, &in->err)) continue;
        options_again(&in->arena, &options, 2, command, &again);
        options_resume(&in->arena, count, words, 2, command, &options, &resumed, &again, &in->err);
    }
    text_free(&again);
}

static void fuzz_shader_text(struct input *in) {
    const struct define defines[] = {{.name = "TILE", .value = "16", .id = 7}, {.name = "A", .value = "1"}};
    const struct shader_request request = {.path = "kernels/made_up.wgsl", .defines = defines, .define_count = 2};
    struct reflection *reflection = arena_alloc(&in->arena, 1, sizeof *reflection);
    uint32_t from[HLSL_REGISTERS];
    reflection->entry = "main";
    wgsl_lines(&in->arena, &request, in->bytes, &in->err);
    reflection_name_wgsl(&in->arena, in->bytes, reflection);
    hlsl_registers(in->bytes, from);
    for (enum language language = LANGUAGE_GLSL; language <= LANGUAGE_WGSL; language++) {
        bool found[2] = {false};
        const char *unset = NULL;
        redeclare(&in->arena, language, in->bytes, defines, 2, found, &unset);
        redeclare_names(&in->arena, language, in->bytes);
        resize_text(&in->arena, language, in->bytes, (const uint32_t[]){4, 4, 1});
    }
}

static void fuzz_build_lines(struct input *in) {
    struct build_line *lines;
    size_t count;
    build_lines_read(&in->arena, in->file, &lines, &count, &in->err);
}

// ---- the table

static const struct target {
    const char *name;
    void (*run)(struct input *in);
    const char *file; // of the input; NULL: the target takes bytes
    enum form form;
    const char *seeds; // files, as in a shell
    const char *made;  // a seed beside them
} targets[] = {
    {"manifests", fuzz_manifest, NULL, FORM_JSON, "kernels/*/*.json", NULL},
    {"suites", fuzz_suite, "suite.json", FORM_JSON, "suites/*.json", NULL},
    {"results", fuzz_result, "result.jsonl", FORM_JSON, "reports/examples/nvidia-h200/*.json", NULL},
    {"journals", fuzz_journal, "result.jsonl", FORM_JSON, "reports/examples/nvidia-h200/quick.json", NULL},
    {"expectations", fuzz_expectations, "e.json", FORM_JSON, NULL,
        "{\"schema_version\": 1, \"expectations\": [{\"points\": \"softmax.online/f16\", \"device\": \"llvmpipe*\", "
        "\"driver\": \"*Mesa 22.*\", \"status\": \"fail\", \"reason\": \"why\"}]}"},
    {"tuned", fuzz_tuned, "tuned.json", FORM_JSON, "reports/examples/*/tuned*.json", NULL},
    {"tuned-reader", fuzz_reader, NULL, FORM_JSON, "reports/examples/*/tuned*.json", NULL},
    {"claims", fuzz_claims, "claims.json", FORM_JSON, "suites/claims*.json", NULL},
    {"profiles", fuzz_profile, "profile.json", FORM_JSON, NULL,
        "{\"schema_version\": 1, \"name\": \"kiosk\", \"allows\": {\"max_invocations\": 128, \"max_size\": [128, 128, "
        "64]}, \"without\": [\"subgroup_basic\", \"float16\"]}"},
    {"peers", fuzz_peers, "peers.json", FORM_JSON, NULL,
        "{\"schema_version\": 1, \"peers\": [{\"name\": \"PyTorch\", \"version\": \"2\", \"times\": [{\"operator\": "
        "\"softmax\", \"dtype\": \"f32\", \"dims\": {\"rows\": 512, \"cols\": 1024}, \"ns\": 10.5}]}]}"},
    {"requests", fuzz_request, NULL, FORM_JSON, NULL,
        "{\"type\": \"run\", \"points\": [{\"name\": \"a\", \"peak\": null}]}"},
    {"answers", fuzz_answer, NULL, FORM_JSON, NULL, "{\"type\": \"at\", \"index\": 1}"},
    {"dictionaries", fuzz_dictionary, "names.json", FORM_JSON, NULL,
        "{\"schema_version\": 1, \"rows\": [{\"when\": {\"files\": [\"*.comp\"]}, \"operator\": \"relu\", \"keep\": "
        "true}]}"},
    {"captures", fuzz_capture, "capture-1.jsonl", FORM_JSON, "build/fuzz/capture/capture-*.jsonl", NULL},
    {"spirv", fuzz_spirv, NULL, FORM_WORDS, "harness/commands/tests/captured/*.spv kernels/*/spirv/*.spv", NULL},
    {"options", fuzz_options, NULL, FORM_TEXT, NULL,
        "relu.*\n--timing\nsamples=5\n--dims\nn=1..64,rows=4k\n--shard\n1/2\n--seed\n3\n--kernels\na\n--timeout\n2\n"
        "--range\n0..0xff\n--budget\n1h\n--device\n0"},
    {"shader-texts", fuzz_shader_text, NULL, FORM_TEXT,
        "harness/shader/sanitize/tests/shaders/*.wgsl kernels/elementwise/*.comp",
        "#if defined(A) && (B > 1)\n#define C 2\n#elif !A\n#else\n#endif\n@id(7) override TILE: u32 = 16u;\n"
        "@group(0) @binding(1) var<storage, read_write> y: array<f32>;\n@workgroup_size(TILE, 1)\nnumthreads(8, 8, 1)\n"
        "Buffer<float> a : register(t0);"},
    {"build-lines", fuzz_build_lines, "lines", FORM_TEXT, NULL,
        "cd kernels/elementwise\nname 'map.comp' -DX -DTILE=2|4|8 -I \"a b\"\nglslc -fshader-stage=compute map.comp -o "
        "a.spv\n"},
};

static const struct target *target;

// ---- libFuzzer

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t room, unsigned number);

static void remove_folder(void) {
    if (target->file) unlink(arena_format(&kept, "%s/%s", folder, target->file));
    rmdir(folder);
}

static void fail(const char *why) {
    fprintf(stderr, "fuzz: %s\n", why);
    exit(1);
}

// Shortens lists, so that a seed has little of each kind. Returns the shorter text.
static const char *shortened(struct json_object *value) {
    enum { MOST_ITEMS = 3 };
    if (json_object_is_type(value, json_type_object)) {
        json_object_object_foreach(value, key, member) {
            (void)key;
            shortened(member);
        }
    } else if (json_object_is_type(value, json_type_array)) {
        const size_t count = json_object_array_length(value);
        if (count > MOST_ITEMS) json_object_array_del_idx(value, MOST_ITEMS, count - MOST_ITEMS);
        for (size_t i = 0; i < json_object_array_length(value); i++) shortened(json_object_array_get_idx(value, i));
    }
    return json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN);
}

static void add_seed(const char *path) {
    size_t length = 0;
    struct error err;
    const char *bytes = file_read(&kept, path, &length, &err);
    if (!bytes || length > LONGEST_SEED || seed_count == MOST_SEEDS) return;
    struct json_object *json = target->form == FORM_JSON ? json_parse(bytes, length) : NULL;
    if (json) {
        bytes = arena_copy(&kept, shortened(json));
        length = strlen(bytes);
    }
    json_object_put(json);
    seeds[seed_count++] = (struct seed){bytes, length};
}

static void find_seeds(void) {
    char *rest = target->seeds ? arena_copy(&kept, target->seeds) : NULL;
    if (target->made) seeds[seed_count++] = (struct seed){target->made, strlen(target->made)};
    for (const char *pattern; rest && (pattern = strsep(&rest, " "));) {
        glob_t found;
        if (glob(pattern, 0, NULL, &found) != 0) fail("a seed is missing: run it in the root of the repository");
        for (size_t i = 0; i < found.gl_pathc; i++) add_seed(found.gl_pathv[i]);
        globfree(&found);
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    static const char *const folders[] = {"kernels"};
    const char *wanted = getenv("FUZZ");
    struct error err;
    (void)argc, (void)argv;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (!wanted)
            puts(targets[i].name);
        else if (strcmp(targets[i].name, wanted) == 0)
            target = &targets[i];
    if (!wanted) exit(0);
    if (!target) fail("no target has the name of FUZZ");
    if (!result_read("reports/examples/nvidia-h200/quick.json", &sample, &err) ||
        !kernels_load(&kept, folders, 1, &known, &err))
        fail(err.text);
    if (!(folder = file_temporary_folder(&kept, "fuzz")) || !(nowhere = fopen("/dev/null", "w"))) fail("no folder");
    find_seeds();
    atexit(remove_folder);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t length, size_t room, unsigned number) {
    return made_up(target->form, seeds, seed_count, bytes, length, room, number);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    struct input in = {.length = length};
    in.bytes = arena_copy_n(&in.arena, (const char *)bytes, length);
    if (target->file) {
        in.file = arena_format(&in.arena, "%s/%s", folder, target->file);
        FILE *file = fopen(in.file, "wb");
        if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0) abort();
    }
    target->run(&in);
    arena_free(&in.arena);
    return 0;
}
