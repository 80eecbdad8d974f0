// SPDX-License-Identifier: Apache-2.0
// The kinds of JSON files, each identified by a member of its root that no other kind has. A reader given another
// kind names it, and says what it is for.
#ifndef VKASSAY_BASE_KIND_H
#define VKASSAY_BASE_KIND_H

#include "json.h"

enum file_kind {
    KIND_UNKNOWN, // none of ours
    KIND_RESULT,
    KIND_TUNED,
    KIND_SPACES,
    KIND_SUITE, // and its claims
    KIND_MANIFEST,
    KIND_EXPECTATIONS,
    KIND_PROFILE,
    KIND_PEERS,
    KIND_COMPARISON,
    KIND_MUTANTS,
    KIND_GBENCH,
    KIND_T4,
    KIND_CACHE,
    KIND_T1,
    KIND_COUNT
};

enum file_kind kind_of(struct json_object *root);

// Reads a file up to its first record: the context of a result. A file without records is read whole. The caller
// releases the result. Returns NULL if the file cannot be read so far.
struct json_object *kind_head(const char *path, struct error *err);

// Returns the kind of a file, compressed or not; KIND_UNKNOWN if it cannot be read.
enum file_kind kind_of_file(const char *path);

// The result in a run's folder. Earlier versions wrote result.json at the end of a run, and a journal before.
#define RESULT_FILE "result.jsonl"
#define OLD_JOURNAL "journal.jsonl"

// Returns the result in a run's folder, also an older or a compressed one. Any other path is returned as it is. The
// text is in the arena.
const char *kind_run_result(struct arena *arena, const char *path);
// Returns the file to which a run in this folder appends its records, in the arena: the result, or the journal of an
// older run.
const char *kind_run_file(struct arena *arena, const char *folder);

// Lists the results under a folder and its sub-folders, NAME.json and NAME.jsonl, also compressed, sorted. Older
// journals are left out. Returns false if the folder cannot be opened.
bool kind_list_results(struct arena *arena, const char *folder, char ***paths, size_t *count, struct error *err);

// Returns whether a root may be read as this kind. Returns false, with STATUS_BAD_INPUT and a description, for
// another kind or an object of no kind. If an object is nearly of this kind, its reader must report what is missing.
bool kind_expect(struct json_object *root, const char *path, enum file_kind wanted, struct error *err);

// Reads a file of this kind; the caller releases the result. Returns NULL if it cannot be read or is of another kind.
struct json_object *kind_read(const char *path, enum file_kind wanted, struct error *err);

// Explains in err why a file could not be read in another way: it is a folder, a shader, a result in lines or JSON's
// null. For null err->status is 0 before, because no error distinguishes it from a value.
void kind_not_read(const char *path, enum file_kind wanted, struct error *err);

#endif
