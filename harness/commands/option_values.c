// SPDX-License-Identifier: Apache-2.0
#include "option_values.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool take_flag(const struct option_entry *entry, const char *text, void *member) {
    (void)entry;
    (void)text;
    return *(bool *)member = true;
}

static bool take_text(const struct option_entry *entry, const char *text, void *member) {
    (void)entry;
    *(const char **)member = text;
    return *text != '\0';
}

static bool take_texts(const struct option_entry *entry, const char *text, void *member) {
    struct option_list *list = member;
    (void)entry;
    if (list->count == OPTION_LIST) return false;
    list->items[list->count++] = text;
    return true;
}

// Returns the index of a word in "one|another"; -1: it is not among them.
static int word_place(const char *words, const char *text) {
    size_t length = strlen(text);
    for (int place = 0; words; place++) {
        if (strcspn(words, "|") == length && memcmp(words, text, length) == 0) return place;
        words = strchr(words, '|');
        words = words ? words + 1 : NULL;
    }
    return -1;
}

static bool take_word(const struct option_entry *entry, const char *text, void *member) {
    *(const char **)member = text;
    return word_place(entry->value, text) >= 0;
}

static bool take_second_word(const struct option_entry *entry, const char *text, void *member) {
    *(bool *)member = word_place(entry->value, text) == 1;
    return word_place(entry->value, text) >= 0;
}

// Reads a decimal number from 1 to `most`. Returns the position after it, or NULL.
static const char *read_count(const char *text, long most, int *out) {
    char *end;
    errno = 0;
    const long number = strtol(text, &end, 10); // sscanf("%d") wraps numbers beyond 32 bits
    if (!isdigit((unsigned char)*text) || errno || number < 1 || number > most) return NULL;
    *out = (int)number;
    return end;
}

static bool take_count(const struct option_entry *entry, const char *text, void *member) {
    const char *end = read_count(text, entry->most, member);
    return end && !*end;
}

static bool take_number(const struct option_entry *entry, const char *text, void *member) {
    char *end;
    (void)entry;
    errno = 0;
    *(uint64_t *)member = strtoull(text, &end, 0);
    return isdigit((unsigned char)*text) && *end == '\0' && errno == 0;
}

static bool take_bytes(const struct option_entry *entry, const char *text, void *member) {
    static const char units[] = "kMG";
    uint64_t *out = member;
    char *end;
    (void)entry;
    errno = 0;
    *out = strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    const int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (!isdigit((unsigned char)*text) || errno || !*out || end[unit != NULL] || *out > UINT64_MAX >> shift)
        return false;
    *out <<= shift;
    return true;
}

static bool take_seconds(const struct option_entry *entry, const char *text, void *member) {
    char *end;
    double *out = member;
    *out = strtod(text, &end) * (entry->kind == MILLISECONDS ? 1e-3 : 1);
    return end != text && *end == '\0' && isfinite(*out) && *out > 0;
}

static bool take_percent(const struct option_entry *entry, const char *text, void *member) {
    char *end;
    double *out = member;
    *out = strtod(text, &end) / 100;
    if (end == text || (*end != '\0' && strcmp(end, "%") != 0)) return false;
    return entry->kind == PART ? *out > 0 && *out <= 1 : *out >= 0 && *out < 10;
}

static bool take_real(const struct option_entry *entry, const char *text, void *member) {
    const double least = entry->kind == FACTOR ? 1 : 0, most = entry->kind == FACTOR ? INFINITY : 1;
    char *end;
    double *out = member;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && *out >= least && *out <= most;
}

static bool take_shard(const struct option_entry *entry, const char *text, void *member) {
    enum { MOST_SHARDS = 10000 };
    struct shard *out = member;
    (void)entry;
    *out = (struct shard){.all = strcmp(text, "auto") == 0};
    if (out->all) return true;
    const char *end = read_count(text, MOST_SHARDS, &out->index);
    if (!end || *end != '/') return false;
    end = read_count(end + 1, MOST_SHARDS, &out->count);
    return end && !*end && out->index <= out->count;
}

// Reads FROM:TO, 32 bits each, decimal or hexadecimal with 0x; both ends are included.
static bool take_range(const struct option_entry *entry, const char *text, void *member) {
    struct input_range *out = member;
    char *end;
    (void)entry;
    if (!isdigit((unsigned char)*text)) return false;
    out->first = strtoull(text, &end, 0);
    if (*end != ':' || !isdigit((unsigned char)end[1])) return false;
    out->last = strtoull(end + 1, &end, 0);
    return *end == '\0' && out->first <= out->last && out->last <= UINT32_MAX;
}

static const struct {
    bool (*take)(const struct option_entry *entry, const char *text, void *member);
    size_t size; // of the member
} kinds[] = {
    [FLAG] = {take_flag, sizeof(bool)},
    [TEXT] = {take_text, sizeof(const char *)},
    [TEXTS] = {take_texts, sizeof(struct option_list)},
    [WORD] = {take_word, sizeof(const char *)},
    [SECOND_WORD] = {take_second_word, sizeof(bool)},
    [COUNT] = {take_count, sizeof(int)},
    [NUMBER] = {take_number, sizeof(uint64_t)},
    [BYTES] = {take_bytes, sizeof(uint64_t)},
    [SECONDS] = {take_seconds, sizeof(double)},
    [MILLISECONDS] = {take_seconds, sizeof(double)},
    [PERCENT] = {take_percent, sizeof(double)},
    [PART] = {take_percent, sizeof(double)},
    [FACTOR] = {take_real, sizeof(double)},
    [SCORE] = {take_real, sizeof(double)},
    [SHARD] = {take_shard, sizeof(struct shard)},
    [RANGE] = {take_range, sizeof(struct input_range)},
};

bool option_take(const struct option_entry *entry, const char *text, void *member) {
    return kinds[entry->kind].take(entry, text, member);
}

size_t option_size(enum option_kind kind) {
    return kinds[kind].size;
}
