// SPDX-License-Identifier: Apache-2.0
// Keys that order as unsigned integers what they stand for. An element's is 64 bits: its value's in
// x, and in y the complement of its place, so that of equal values the first is the greater and no
// two elements are equal.

// Of a float: the sign turned over, and all bits of a negative one. Both zeros are one value, and so
// are all NaN, which is the greatest.
uint value_key(float value) {
    const uint bits = floatBitsToUint(value == 0.0 ? 0.0 : value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0xffffffffu;
    return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u;
}

float key_value(uint key) {
    return uintBitsToFloat((key & 0x80000000u) != 0u ? key & 0x7fffffffu : ~key);
}

uvec2 element_key(float value, uint place) {
    return uvec2(value_key(value), ~place);
}

uint key_place(uvec2 key) {
    return ~key.y;
}

bool above(uvec2 a, uvec2 b) {
    return a.x > b.x || (a.x == b.x && a.y > b.y);
}
