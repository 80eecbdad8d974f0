// SPDX-License-Identifier: Apache-2.0
// What a JSON file is, told by the member of its root that no other kind has: a reader that is given another kind names
// it, and says what takes it.
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
    KIND_CHAINS,
    KIND_EXPECTATIONS,
    KIND_PROFILE,
    KIND_PEERS,
    KIND_COMPARISON,
    KIND_MUTANTS,
    KIND_GBENCH,
    KIND_T4,
    KIND_CACHE,
    KIND_T1,
    KIND_JOURNAL,
    KIND_COUNT
};

enum file_kind kind_of(struct json_object *root);

// The same of a file, a journal too; KIND_UNKNOWN where it cannot be read.
enum file_kind kind_of_file(const char *path);

// "a tuned table"
const char *kind_name(enum file_kind kind);

// "reports/x/tuned.json is a tuned table, for `vkassay export --format header`": a file of a known kind.
void kind_describe(char *out, size_t room, const char *path, enum file_kind kind);

// Whether a root may be read as this kind. False, with STATUS_BAD_INPUT that says what it is, where it is another kind
// or an object of none; what is nearly of the kind is left to its reader, who knows better what is missing.
bool kind_expect(struct json_object *root, const char *path, enum file_kind wanted, struct error *err);

// Reads a file of this kind, which the caller releases; NULL where it cannot be read or is of another kind.
struct json_object *kind_read(const char *path, enum file_kind wanted, struct error *err);

// For who reads a file in another way: after it could not be read, says so in err where it is a journal, or JSON's
// null, which no error tells from a value (err->status is 0).
void kind_not_read(const char *path, enum file_kind wanted, struct error *err);

#endif
