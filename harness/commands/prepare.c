// SPDX-License-Identifier: Apache-2.0
#include "prepare.h"

#include "../base/cores.h"
#include "../base/file.h"
#include "../base/text.h"
#include "../capture/replay/folder.h"
#include "../device/profile.h"
#include "../shader/manifest/kernel.h"
#include "../engine/plan/suite_sizes.h"
#include "../readers/render/format.h"
#include "../engine/supervise/supervise.h"
#include "command.h"
#include "../record/result.h"
#include "../record/device_key.h"
#include "../device/device_info.h"
#include "../record/journal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// ---- where the program's files are

const char *cache_folder(struct arena *arena) {
    struct error ignored;
    const char *own = getenv("VKASSAY_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *user = getenv("HOME");
    const char *folder = own && *own     ? own
                         : xdg && *xdg   ? arena_format(arena, "%s/vkassay", xdg)
                         : user && *user ? arena_format(arena, "%s/.cache/vkassay", user)
                                         : NULL;
    return folder && file_make_folder(folder, &ignored) ? folder : NULL;
}

void prepare_say_mistakes(const struct options *options, const struct kernels *kernels) {
    const struct mistakes *mistakes = &kernels->mistakes, *notes = &kernels->notes;
    for (size_t i = 0; i < notes->count; i++) fprintf(stderr, "vkassay: %s\n", notes->items[i]);
    if (!mistakes->count) return;
    for (size_t i = 0; i < mistakes->count; i++) fprintf(stderr, "vkassay: %s\n", mistakes->items[i]);
    if (mistakes->more) fprintf(stderr, "vkassay: and %zu more errors in manifests\n", mistakes->more);
    fprintf(stderr, "vkassay: %zu %s in manifests; kernels with errors are ignored\n", mistakes->count + mistakes->more,
        mistakes->count + mistakes->more == 1 ? "error" : "errors");
    *options->has_mistakes = true;
}

bool asks_for_capture(const struct options *options) {
    return options->captures.count > 0 || (options->only && capture_is_folder(options->only));
}

bool refuse_capture(const char *verb, const struct options *options, struct error *err) {
    if (!asks_for_capture(options)) return true;
    return error_set(err, STATUS_USAGE,
        "%s: a captured dispatch has only its recorded workgroup size and results; `vkassay init %s --out mine/m.json` "
        "makes manifests of recognised kernels, and `vkassay %s --only mine` takes these",
        verb, options->captures.count ? options->captures.items[0] : options->only, verb);
}

bool prepare_kernels(struct arena *arena, const struct options *options, struct prepared *out, struct error *err) {
    out->home = home_folder(arena, err);
    out->program = out->home ? program_path(arena, err) : NULL;
    if (!out->program) return false;
    for (size_t i = 0; i < options->operators.count; i++)
        if (!operators_load(arena, options->operators.items[i], err)) return false;
    out->own_kernels = arena_format(arena, "%s/kernels", out->home);
    out->only = options->only;
    if (options->only && options->kernels.count)
        return error_set(err, STATUS_USAGE, "use --only or --kernels, not both");
    out->kernel_folders[out->kernel_folder_count++] = options->only ? "" : out->own_kernels;
    if (options->only) out->kernel_folders[out->kernel_folder_count++] = options->only;
    for (size_t i = 0; i < options->kernels.count; i++)
        out->kernel_folders[out->kernel_folder_count++] = options->kernels.items[i];
    for (size_t i = 0; i < options->captures.count; i++)
        out->kernel_folders[out->kernel_folder_count++] = options->captures.items[i];
    if (!kernels_load(arena, out->kernel_folders, out->kernel_folder_count, &out->kernels, err)) return false;
    if (!*options->has_mistakes)
        prepare_say_mistakes(options, &out->kernels); // once, because a second measurement loads the manifests again
    return true;
}

bool prepare_profile(const struct options *options, struct profile *out, struct error *err) {
    *out = (struct profile){0};
    return !options->limits || profile_find(options->limits, out, err);
}

// Makes a stand-in device for `bench --device none`. It refuses no point, because nothing runs on it.
static bool take_host(struct arena *arena, struct prepared *out) {
    struct device_info *host = arena_alloc(arena, 1, sizeof *host);
    *host = (struct device_info){.kind = DEVICE_CPU, .heap_count = 1};
    device_unlimited(host);
    const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGE_SIZE);
    host->heaps[0].bytes = pages > 0 && bytes > 0 ? (uint64_t)pages * (uint64_t)bytes : (uint64_t)1 << 30;
    for (int i = 0; i < FEATURE_COUNT; i++) host->features[i] = true;
    snprintf(host->name, sizeof host->name, "no device");
    snprintf(host->driver_name, sizeof host->driver_name, "scalar references on one core");
    out->devices = host;
    out->device_count = out->chosen_count = 1;
    out->chosen[0] = 0;
    return true;
}

// ---- the device of a resumed run

static bool is_recorded(const struct device_info *device, const struct options *options) {
    return strcmp(device->device_uuid, options->device) == 0;
}

static bool is_like_recorded(const struct device_info *device, const struct options *options) {
    return options->began_on && device_same(device, options->began_on, DEVICE_MODEL_AND_BUILD);
}

static bool choose_by(bool (*fits)(const struct device_info *device, const struct options *options),
    const struct options *options, struct prepared *out) {
    for (size_t i = 0; i < out->device_count; i++)
        if (fits(&out->devices[i], options)) {
            out->chosen[0] = i;
            out->chosen_count = 1;
            return true;
        }
    return false;
}

// Chooses the recorded device by its UUID. Two entries of one driver may share a UUID; either will do. A check may
// continue on any device like it, because nothing is timed and a batch system restarts tasks on any node.
static bool choose_recorded(const struct options *options, struct prepared *out, struct error *err) {
    const bool any = strcmp(options->argv[1], "check") == 0;
    const struct device_info *then = options->began_on;
    struct text here = {0};
    if (choose_by(is_recorded, options, out) || (any && choose_by(is_like_recorded, options, out))) return true;
    for (size_t i = 0; i < out->device_count; i++)
        text_format(&here, "\n  %s (%s %s)  UUID %s", out->devices[i].name, out->devices[i].driver_name,
            out->devices[i].driver_info, out->devices[i].device_uuid);
    error_set(err, STATUS_NO_DEVICE, "the run began on %s (%s %s), UUID %s, which is not here; %s; there %s%s",
        then ? then->name : "a device", then ? then->driver_name : "unknown", then ? then->driver_info : "driver",
        options->device, any ? "no other device has its model and driver" : "one run cannot mix times of two devices",
        out->device_count ? "is:" : "is none", text_str(&here));
    text_free(&here);
    return false;
}

bool prepare_devices(struct arena *arena, const struct options *options, struct prepared *out, struct error *err) {
    struct profile profile;
    if (!prepare_profile(options, &profile, err)) return false;
    if (options->reference_only) return take_host(arena, out);
    if (!out->program) out->program = program_path(arena, err);
    bool validates = false;
    if (!out->program || !supervise_devices(arena, out->program, &out->devices, &out->device_count, &validates, err))
        return false;
    if (options->run.validate && !validates)
        return error_set(err, STATUS_NO_DEVICE,
            "--validate: the layer VK_LAYER_KHRONOS_validation is not installed; install the package "
            "vulkan-validationlayers, or vulkan-validation-layers");
    if (out->device_count > sizeof out->chosen / sizeof out->chosen[0])
        return error_set(err, STATUS_FAULT, "found %zu devices, more than supported", out->device_count);
    device_rank(out->devices, out->device_count);
    for (size_t i = 0; i < out->device_count; i++) {
        device_hold(&out->devices[i], &profile);
        out->devices[i].graphics_queue = options->with_graphics && !queue_draws(&out->devices[i]);
    }
    if (options->resume && options->device) return choose_recorded(options, out, err);
    return device_choose(out->devices, out->device_count, options->device, out->chosen, &out->chosen_count, err);
}

static bool list_suites(struct arena *arena, const char *folder, const char *wanted, struct error *err) {
    char **paths = NULL;
    size_t count = 0;
    struct text names = {0};
    if (!file_list(arena, folder, ".json", &paths, &count, err)) return false;
    for (size_t i = 0; i < count; i++) {
        const char *name = strrchr(paths[i], '/') + 1;
        text_format(&names, "%s%.*s", i ? ", " : "", (int)(strlen(name) - strlen(".json")), name);
    }
    error_set(
        err, STATUS_BAD_INPUT, "no suite '%s'; expected one of %s, or the path of a file", wanted, text_str(&names));
    text_free(&names);
    return false;
}

// Returns the path of a suite. A suite's name takes precedence over a file or folder of the same name.
static const char *suite_path(
    struct arena *arena, const struct prepared *prepared, const char *name, struct error *err) {
    const char *folder = arena_format(arena, "%s/suites", prepared->home);
    const char *path = arena_format(arena, "%s/suites/%s.json", prepared->home, name);
    if (strchr(name, '/')) return name;
    if (file_exists(path)) return path;
    if (file_exists(name)) return name;
    list_suites(arena, folder, name, err);
    return NULL;
}

// Keeps the entries naming a kernel of the --only folder. Entries for peaks, or naming only the program's own
// kernels, are dropped. Entries matching no kernel at all stay, so that planning refuses them.
static bool keep_named(struct arena *arena, const struct prepared *prepared, struct suite *suite, struct error *err) {
    struct kernels own;
    const size_t had = suite->entry_count;
    if (!kernels_load(arena, &prepared->own_kernels, 1, &own, err)) return false;
    suite->entry_count = 0;
    for (size_t i = 0; i < had; i++) {
        const struct suite_entry *entry = &suite->entries[i];
        bool named = !entry->peak && entry_has_kernel(entry, &prepared->kernels);
        bool unknown = !entry->probe && !entry_has_kernel(entry, &own) && !entry_has_kernel(entry, &prepared->kernels);
        if (named || unknown) suite->entries[suite->entry_count++] = *entry;
    }
    return true;
}

bool prepare_suite(
    struct arena *arena, const struct prepared *prepared, const char *name, struct suite *out, struct error *err) {
    const char *path = suite_path(arena, prepared, name, err);
    if (!path || !suite_load(arena, path, out, err)) return false;
    return !prepared->only || keep_named(arena, prepared, out, err);
}

// ---- sizes of selected kernels

bool prepare_dims(struct arena *arena, const struct options *options, struct suite *suite, struct error *err) {
    struct suite_values *list;
    size_t count;
    struct error lacking = {0};
    if (!options->dims) return true;
    if (options->suite) return suite_set_sizes(arena, suite, options->dims, err);
    if (!sizes_read(arena, options->dims, &list, &count, err)) return false;
    if (suite_set_sizes(arena, suite, options->dims, &lacking)) return true;
    suite->entry_count = 0;
    suite->sizes = options->dims;
    return true;
}

// Suites searched for sizes, after the current one.
static const char *const size_sources[] = {"quick", "full", "smoke", "training", "claims"};
enum { SIZE_SOURCES = sizeof size_sources / sizeof *size_sources };

static bool load_sources(
    struct arena *arena, const struct prepared *prepared, const char *first, struct suite *out, struct error *err) {
    if (!suite_load(arena, first, &out[0], err)) return false;
    for (size_t i = 0; i < SIZE_SOURCES; i++)
        if (!suite_load(
                arena, arena_format(arena, "%s/suites/%s.json", prepared->home, size_sources[i]), &out[i + 1], err))
            return false;
    return true;
}

bool words_are_points(const struct options *options) {
    bool points = options->word_count > 0;
    for (size_t i = 0; i < options->word_count; i++)
        points &= strstr(options->words[i], "/wg=") && !strpbrk(options->words[i], "*?");
    return points;
}

bool prepare_sizes(struct arena *arena, const struct prepared *prepared, const struct options *options,
    const struct device_info *device, bool tuned, enum shape_choice shapes, struct suite *suite, struct error *err) {
    struct suite sources[SIZE_SOURCES + 1];
    const struct suite *from;
    if (options->suite || words_are_points(options) || (!options->word_count && suite->entry_count)) return true;
    if (!load_sources(arena, prepared, suite->file, sources, err)) return false;
    const struct usual_request request = {.sources = sources,
        .source_count = SIZE_SOURCES + 1,
        .kernels = &prepared->kernels,
        .device = device,
        .select = options->words,
        .select_count = options->word_count,
        .sizes = options->dims,
        .each = tuned || options->dims,
        .tuned = tuned,
        .shapes = shapes};
    if (!usual_sizes(arena, &request, suite, &from, err)) return false;
    if (from && !options->dims && !options->quiet && !options->json)
        printf("suite %s has no sizes for some kernels; using those of suite %s (choose others with --dims)\n",
            suite->name, from->name);
    return true;
}

void prepare_includes(struct arena *arena, const struct prepared *prepared, const char **folders, size_t *count) {
    for (size_t i = 0; i < prepared->kernel_folder_count; i++) {
        const char *kernels = i ? prepared->kernel_folders[i] : prepared->own_kernels;
        folders[(*count)++] = arena_format(arena, "%s/include", kernels);
    }
}

// Returns the time in UTC, in a format of strftime.
static const char *utc_now(struct arena *arena, const char *format) {
    char text[40] = "";
    struct tm parts;
    time_t seconds = time(NULL);
    if (gmtime_r(&seconds, &parts)) strftime(text, sizeof text, format, &parts);
    return arena_copy(arena, text);
}

struct json_object *prepare_context(
    struct arena *arena, const struct options *options, const struct suite *suite, const struct device_info *device) {
    struct run_start start = {.argc = options->argc,
        .argv = options->argv,
        .suite = suite->name,
        .suite_file = suite->file,
        .started = utc_now(arena, "%Y-%m-%dT%H:%M:%SZ"),
        .seed = options->run.seed,
        .cold = suite->settings.cold,
        .shard_index = options->shard.index,
        .shard_count = options->shard.count};
    return context_make(device, &start);
}

int prepare_jobs(const struct options *options) {
    enum { MOST = 8 };
    int cores = cores_usable();
    return options->jobs ? options->jobs : cores > MOST ? MOST : cores;
}

const char *prepare_folder(
    struct arena *arena, const struct options *options, const struct device_info *device, const char *name) {
    if (options->resume) return options->resume;
    const char *folder = arena_format(arena, "%s/%s/%s-%s", options->out ? options->out : "reports/out",
        file_slug(arena, device->name), utc_now(arena, "%Y%m%dT%H%M%SZ"), file_slug(arena, name));
    const char *path = folder;
    for (int i = 2; file_exists(path); i++) path = arena_format(arena, "%s-%d", folder, i);
    return path;
}

struct session prepare_session(struct arena *arena, const struct prepared *prepared, const struct options *options,
    const struct suite *suite, const struct device_info *device) {
    struct session session = {.program = prepared->program,
        .device = device,
        .kernel_folders = prepared->kernel_folders,
        .kernel_folder_count = prepared->kernel_folder_count,
        .operators = options->operators.items,
        .operator_count = options->operators.count,
        .options = options->run,
        .point_timeout_s = options->run.timeout_s};
    session.options.settings = suite->settings;
    session.options.cache_folder = options->run.anew ? NULL : cache_folder(arena);
    return session;
}

void say_skipped(const char *verb, const struct result_files *files) {
    for (size_t i = 0; i < files->skipped_count; i++) {
        struct text words = {0};
        put_plain(&words, files->skipped[i], 0);
        fprintf(stderr, "%s: skipped: %s\n", verb, text_str(&words));
        text_free(&words);
    }
}

const char *folder_for(struct arena *arena, const struct options *options, size_t index) {
    if (!options->out) return file_folder(arena, options->words[index]);
    return options->word_count > 1 ? arena_format(arena, "%s/%zu", options->out, index + 1) : options->out;
}
