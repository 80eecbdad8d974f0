// SPDX-License-Identifier: Apache-2.0
// SPIR-V kept beside its source, for GLSL compilers that lack one of its extensions. The SPIR-V of FOLDER/NAME.comp
// is in FOLDER/spirv/NAME-HASH.spv, one file for each preprocessed text. HASH is the hash of the text's tokens
// (source_hash). A string in the module (OpString) repeats it, with the versions of the compiler. Private to this
// folder.
#ifndef VKASSAY_SHADERS_COMMITTED_H
#define VKASSAY_SHADERS_COMMITTED_H

#include "compile.h"

// Returns an extension enabled by a preprocessed text and unknown to this compiler, among the extensions that
// compilers may lack; NULL: there is none. *required: the text says "require", so it does not compile without the
// extension.
const char *committed_unknown(const char *text, bool *required);
// Returns whether the text has an extension that compilers may lack, even if this compiler knows it. Such text is
// compiled without the optimizer, because some versions of it have faults with such types. So the result is the same
// everywhere.
bool committed_kind(const char *text);
// Returns whether compilers accept the text only for Vulkan 1.3 and SPIR-V 1.6. All other text is compiled for Vulkan
// 1.1 and SPIR-V 1.3.
bool committed_for_13(const char *text);

// Reads words and count from the file at shader_committed_path. ERROR_SKIP: there is no file. ERROR_COMPILE: it is
// damaged, or states another source.
bool committed_read(struct arena *arena, const char *shader, struct spirv *out, struct error *err);
// Makes the file from the text, with the program named by $VKASSAY_GLSLC (glslc if it is not set). An existing file
// for this text stays, unless it cannot be read.
bool committed_write(struct arena *arena, const char *shader, const char *text, struct spirv *out, struct error *err);

#endif
