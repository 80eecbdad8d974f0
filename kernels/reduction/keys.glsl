// SPDX-License-Identifier: Apache-2.0
// Keys: unsigned integers with the order of the values they stand for. An element's key has 64 bits: the key of its
// value in x, and the complement of its place in y. So the first of equal values has the greatest key, and no two keys
// are equal.

// Flips a float's sign bit, and all bits of a negative float. Both zeros have the same key; every NaN has the greatest
// key. There is no branch, so that loads around it can overlap.
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
