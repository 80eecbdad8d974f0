// SPDX-License-Identifier: Apache-2.0
// A result as one JSON document, for programs that read no lines.
#include "../../record/merge.h"
#include "export.h"

const struct export_format format_json = {
    .name = "json", .summary = "all of a result as one JSON document", .single = true, .put_file = merge_put_one};
