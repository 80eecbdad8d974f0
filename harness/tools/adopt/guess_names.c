// SPDX-License-Identifier: Apache-2.0
// The words used by backends for passes, operands, dims and parameters.
#include "guess_kernel.h"

#include "../../base/text.h"
#include "../../../reference/operator.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = GUESS_NAME };

// ---- passes

// Names of the first and the last of several passes. Other passes have a number after a word such as "pass".
static const char firsts[] = "partial partials blocks block first local";
static const char lasts[] = "final finish finalize finalise last second combine merge total";
static const char counted[] = "pass stage step phase part p";

bool guess_among(const char *words, const char *word, size_t length) {
    size_t size;
    for (; *(words += strspn(words, " ")); words += size) {
        size = strcspn(words, " ");
        if (size == length && memcmp(words, word, length) == 0) return true;
    }
    return false;
}

// Returns the pass stated by the word at `at` and a number after it; 0: none. The word ends before an underscore.
static int pass_at(const char *at, size_t length, const char *behind, size_t *taken) {
    char *end;
    *taken = length;
    if (guess_among(firsts, at, length)) return 1;
    if (guess_among(lasts, at, length)) return GUESS_LAST;
    if (!guess_among(counted, at, length) || !isdigit((unsigned char)*behind)) return 0;
    const long number = strtol(behind, &end, 10);
    *taken = (size_t)(end - at);
    return *end == '_' && number < GUESS_LAST - 1 ? 1 + (int)number : 0;
}

int guess_pass(struct arena *arena, const char *name, const char **stem) {
    char spelt[NAME];
    struct text rest = {0};
    int pass = 0;
    guess_spell(name, SPELL_DIGITS, spelt);
    for (const char *at = spelt + 1; *at;) {
        const size_t length = strcspn(at, "_");
        size_t taken = length;
        const int here = pass_at(at, length, at + length + 1, &taken);
        if (!here) text_format(&rest, "%s%.*s", rest.length ? "_" : "", (int)length, at);
        if (!pass) pass = here;
        at += taken + 1;
    }
    *stem = arena_take(arena, &rest);
    return **stem ? pass : 0;
}

// ---- synonyms of operands, dims and parameters, without underscores

static const struct {
    const char *name, *words;
} synonyms[] = {{"a", " lhs left inputa in0 src0 ina mata matrixa "},
    {"b", " rhs right inputb in1 src1 inb matb matrixb weight weights w "}, {"c", " matc matrixc "},
    {"w", " weight weights gamma scale g "}, {"gamma", " weight weights scale w g "}, {"beta", " bias shift b "},
    {"bias", " b "}, {"weight", " kernel filter filters weights w k "}, {"q", " query queries "},
    {"k", " key keys topk "}, {"v", " value values velocity "},
    {"table", " weight weights embeddings embedding wte emb "}, {"index", " indices ids idx tokens tokenids inputids "},
    {"mask", " attnmask attentionmask "}, {"gate", " x a x1 g "}, {"up", " y b x2 u "},
    {"target", " labels targets label "}, {"g", " grad grads gradient gradients "},
    {"dy", " gradoutput gradout dout gradoutputs gy "}, {"dx", " gradinput gradin dinput gx "},
    {"res", " residual skip r "}, {"cond", " condition mask "}, {"cache", " kvcache dst "},
    {"cos", " costable coscache "}, {"sin", " sintable sincache "}, {"mean", " runningmean mu "},
    {"var", " runningvar variance "},
    {"n", " ne ne0 numids idcount size count len length num total elements numelements numel nelements elementcount "
          "totalsize totalcount "
          "ncols n0 "},
    {"cols", " dim hidden hiddensize hiddendim ncols numcols width inner d features rowsize rowlen rowlength normsize "
             "normalizedsize vocab axissize n columns embeddim size len length count w c ncolumns numcolumns numcols "
             "ne0 ne00 intermediatesize "},
    {"rows", " batch nrows numrows outer tokens numtokens seq seqlen m batchsize b height h vocab vocabsize "
             "numembeddings ne1 ne01 "},
    {"m", " rows nrows mdim "}, {"eps", " epsilon "}, {"scale", " alpha factor softmaxscale smscale value s scalar "},
    {"heads", " nheads numheads h "}, {"kv_heads", " nkvheads numkvheads "},
    {"head_dim", " d dhead headsize hd dim headdim "}, {"queries", " qlen seqq seqlen seq n "},
    {"keys", " kvlen seqk seqkv kvseqlen seqlen seq "}, {"seq", " seqlen n tokens len length "},
    {"causal", " iscausal "}, {"position", " pos offset start "}, {"h", " height inh inheight ih "},
    {"w", " width inw inwidth iw "}, {"oh", " outh outheight "}, {"ow", " outw outwidth "},
    {"cin", " inchannels ic cin inputchannels "}, {"cout", " outchannels oc outputchannels "},
    {"kh", " kernelh kernelheight "}, {"kw", " kernelw kernelwidth kernelsize "}, {"pad", " padding "},
    {"stride", " strides "}, {"c", " channels numchannels "}, {"slope", " negativeslope alpha "},
    {"low", " min minval lo minvalue "}, {"high", " max maxval hi maxvalue "}, {"batch", " batchsize b n "},
    {"s", " scalar value "}, {"value", " v fillvalue scalar "}, {"lr", " learningrate "},
    {"p", " prob probability rate dropoutp "}};

static const char outputs[] = " output out dst result y dest res o c z ";
static const char inputs[] = " input in src x data inp a in0 src0 ";
static const char *const ends[] = {"buffer", "buf", "tensor", "data", "array", "ptr", NULL};

// Reduces a name to lower-case letters and digits, and removes endings such as "buffer".
static void squeeze(const char *name, char out[NAME]) {
    size_t length = 0;
    for (; *name && length + 1 < NAME; name++)
        if (isalnum((unsigned char)*name)) out[length++] = (char)tolower((unsigned char)*name);
    out[length] = '\0';
    for (int i = 0; ends[i]; i++) {
        const size_t end = strlen(ends[i]);
        if (length > end && strcmp(out + length - end, ends[i]) == 0) out[length - end] = '\0';
    }
}

int guess_fits(const struct op *op, const char *wanted, const char *name) {
    char found[NAME], same[NAME];
    const int operand = operator_operand_index(op, wanted);
    squeeze(name, found);
    squeeze(wanted, same);
    const size_t length = strlen(found);
    if (strcmp(found, same) == 0) return 3;
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        if (strcmp(synonyms[i].name, wanted) == 0 && guess_among(synonyms[i].words, found, length)) return 2;
    if (operand < 0) return 0;
    const bool out = op->operands[operand].role != ROLE_IN;
    if (!guess_among(out ? outputs : inputs, found, length)) return 0;
    int alike = 0;
    for (int i = 0; i < operator_operands(op); i++) alike += (op->operands[i].role != ROLE_IN) == out;
    return alike == 1 ? 2 : 1;
}

bool guess_is_pad(const char *name) {
    char found[NAME];
    squeeze(name, found);
    return *name == '_' || strncmp(found, "pad", 3) == 0 || guess_among("unused reserved dummy", found, strlen(found));
}
