// SPDX-License-Identifier: Apache-2.0
// Figures as a person reads them: three significant digits and a unit, and a dash for what was not
// measured. Private to harness/render.
#ifndef VKASSAY_RENDER_FORMAT_H
#define VKASSAY_RENDER_FORMAT_H

#include "../base/text.h"
#include "../device/limits.h"
#include "../record/record.h"

#include <stdarg.h>
#include <stdio.h>

#define NOT_MEASURED "-"

// "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)": a driver's name, and what it says of itself, if anything.
void put_driver(struct text *out, const struct device_info *device);

// Whether a figure was measured: finite and above 0.
bool measured(double value);

void put_time(struct text *out, double ns);                         // "12.3 us"
void put_rate(struct text *out, double value, const char *unit);    // "4.12 TB/s"; unit "B/s", "FLOP/s"
void put_share(struct text *out, double share);                     // 0.853: "85%"; below 10 %: "3.2%"
void put_factor(struct text *out, double factor);                   // "1.21x"
void put_interval(struct text *out, const struct summary *summary); // "±0.4%": half the interval of the median
void put_ulp(struct text *out, double ulp);                         // "1.5"; 0 is a figure here
// "0.4/0.501": error and bound of one element, the one nearest to its bound; "inf/..." for a mismatch of class.
void put_error_of_bound(struct text *out, const struct record *record);
void put_bytes(struct text *out, double bytes);                  // "128 MiB"
void put_thousands(struct text *out, double count);              // "65.5k"; whole below 1000
void put_peak(struct text *out, double value, const char *unit); // by its unit: "B/s", "FLOP/s", "OP/s" or "ns"

// "256", "16x16", "16x16 TILE_K=16,TM=4": trailing axes of 1 are left out.
void put_shape(struct text *out, const struct record *record);
// "4096x1025", then what is beyond the first `plain` dims by name: "4096x1025,eps=1e-06". More than PLAIN_DIMS dims are
// written by put_size_words.
enum { PLAIN_DIMS = 3 };
void put_dims(struct text *out, const struct record *record, int plain);
// Dims by name, "rows=4096 cols=1025". Of more than PLAIN_DIMS those of 1 are left out: "cin=8 h=14 w=14 cout=16".
void put_size_words(struct text *out, const struct record *record);
void put_dims_named(struct text *out, const struct record *record); // "rows=4096,cols=1025"

// Appends `format`, in which %s is a text that `escape` makes safe where it stands, and %zu a count; of other
// conversions it has %% alone.
void put_escaped(
    struct text *out, void (*escape)(struct text *out, const char *string), const char *format, va_list args);

// For terminals: control characters of any kind become spaces, so that text from a file cannot
// steer one. A line break stays, with `indent` spaces after it.
void put_plain(struct text *out, const char *string, int indent);
void print_plain(FILE *out, const char *string, int indent);

// Columns of a terminal that the first `bytes` of a UTF-8 text take (base/utf8.h); one a byte that is none.
int columns_of(const char *text, size_t bytes);

// Words in lines of at most `width` columns; a word that is longer goes on after a comma, or is as long as it is. The
// first line begins with `lead`, the others with `hanging` blanks. Control characters of the words become spaces.
void print_wrapped(FILE *out, const char *words, int width);
void print_hanging(FILE *out, const char *lead, const char *words, int hanging, int width);
// "NVIDIA H200, NVIDIA 580.159.04", as words after `lead`.
void print_device_name(FILE *out, const char *lead, const struct device_info *device, int width);
// The same of a text, which is released; nothing where it is empty.
void print_words(FILE *out, const char *lead, struct text *words, int hanging, int width);
void print_cut(FILE *out, const char *line, int width); // one line, ".." where it does not fit; no line break

// ---- the seed systems, and the letters that the operators' tables use for them

struct backend_system {
    const char *name, *letters;
};
extern const struct backend_system backend_systems[]; // ends with a NULL name

// The system's letters; a system without stands with its name.
void put_system(struct text *out, const char *name, size_t length);
void put_system_legend(struct text *out); // what the letters stand for

// Whether these letters are among those of an operator, "TL TS".
bool system_is_among(const struct backend_system *system, const char *letters);

#endif
