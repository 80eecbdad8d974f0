// SPDX-License-Identifier: Apache-2.0
// SPIR-V that is kept beside its source, for compilers of GLSL that lack an extension of it: of FOLDER/NAME.comp, in
// FOLDER/spirv/NAME-HASH.spv, a file for each text that comes out of the preprocessor. HASH is that of the text's
// tokens (source_hash); the module says it again, with the versions of the compiler that made it (OpString). Private to
// this folder.
#ifndef VKASSAY_DEVICE_COMMITTED_H
#define VKASSAY_DEVICE_COMMITTED_H

#include "compile.h"

// Of the extensions that compilers may lack one that a preprocessed text enables and the compiler at hand does not
// know; NULL: it knows all. *required: the text says "require", so that it does not compile without.
const char *committed_unknown(const char *text, bool *required);
// Whether the text is one of those that a compiler may lack an extension of, whichever this one is: what is made of it
// is the same everywhere then, as the optimizer is left out, which some versions have faults in with such types.
bool committed_kind(const char *text);
// Whether compilers take the text for Vulkan 1.3 and SPIR-V 1.6 alone; else it is for 1.1 and 1.3, as all others.
bool committed_for_13(const char *text);

// At shader_committed_path. Fills words and count. ERROR_SKIP: there is none; ERROR_COMPILE: it is damaged, or says
// that it is of other source.
bool committed_read(struct arena *arena, const char *shader, struct spirv *out, struct error *err);
// Makes it anew of the text by the program that $VKASSAY_GLSLC names (glslc where it is not set). What is there already
// for this text stays, unless it cannot be read.
bool committed_write(struct arena *arena, const char *shader, const char *text, struct spirv *out, struct error *err);

#endif
