// SPDX-License-Identifier: Apache-2.0
// Keys that order as unsigned integers what they stand for. An element's is 64 bits: its value's in
// x, and in y the complement of its place, so that of equal values the first is the greater and no
// two elements are equal.

// Turns a float's sign bit over, and all bits of a negative one. Both zeros have one key. All NaN have
// the greatest key. It has no branch, so that loads around it can overlap.
uint value_key(float value) {
    const uint bits = floatBitsToUint(value == 0.0 ? 0.0 : value);
    const uint key = bits ^ (uint(int(bits) >> 31) | 0x80000000u);
    return (bits & 0x7fffffffu) > 0x7f800000u ? 0xffffffffu : key;
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
