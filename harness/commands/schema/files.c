// SPDX-License-Identifier: Apache-2.0
#include "schema.h"

#include "../../device/profile.h"
#include "../../tools/adopt/dictionary.h"
#include "../../shader/manifest/manifest.h"
#include "../../engine/mutate/mutant.h"
#include "../../record/result.h"
#include "../../readers/terminal/comparison.h"
#include "../../engine/supervise/expectations.h"
#include "../../tune/joined.h"
#include "../../tune/recorded.h"
#include "../../tune/tuned_table.h"
#include "../../readers/claims/claims.h"
#include "../../engine/plan/suite.h"
#include "described.h"
#include "../../record/peers.h"

static const struct kind kind_suite_file = {.fields = suite_fields,
    .also = claims_fields,
    .meaning = "Which points to run, how long to spend, and what they decide (suites/README.md)."};

const struct schema_file schema_files[] = {
    {"comparison", "a comparison, from vkassay compare --format json", &kind_comparison_file},
    {"dictionary", "a dictionary of vkassay init --names", &kind_dictionary},
    {"expectations", "expectations of vkassay", &kind_expectations_file},
    {"manifest", "vkassay kernel manifest", &kind_manifest_file},
    {"mutants", "mutants of kernels, from vkassay mutate", &kind_mutants_file},
    {"operators", "operators as vkassay list operators --json prints them", &kind_operators_file},
    {"peers", "times of other programs for the work of a result's cases", &kind_peers_file},
    {"profile", "a profile of limits of vkassay", &kind_profile_file},
    {"result", "a result of vkassay", &kind_result},
    {"spaces", "recorded search spaces of vkassay tune --simulate", &kind_spaces_file},
    {"suite", "a suite of vkassay", &kind_suite_file},
    {"table", "a joined tuned table of vkassay", &kind_joined_file},
    {"tuned", "a tuned table of vkassay", &kind_tuned_file},
    {"verdict", "a verdict on one shader, from vkassay try --json", &kind_verdict_file},
    {0},
};
