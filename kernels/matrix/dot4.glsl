// SPDX-License-Identifier: Apache-2.0
// sum + a.x b.x + ... + a.w b.w of four signed bytes each, packed into words.
//
//     DOT     by an instruction of GL_EXT_integer_dot_product; else byte by byte
#ifndef VKASSAY_DOT4
#define VKASSAY_DOT4

#ifdef DOT
int dot4(uint a, uint b, int sum) {
    return sum + dotPacked4x8EXT(int(a), int(b));
}
#else
int signed_byte(uint word, int at) {
    return bitfieldExtract(int(word), at * 8, 8);
}

int dot4(uint a, uint b, int sum) {
    [[unroll]] for (int i = 0; i < 4; i++) sum += signed_byte(a, i) * signed_byte(b, i);
    return sum;
}
#endif

#endif
