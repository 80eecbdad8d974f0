// SPDX-License-Identifier: Apache-2.0
// Indices as three digits, the last running fastest: the place of an element in a tensor of three dims. Counting on by
// a fixed step needs no division.
//
// It subtracts, because SPIRV-Tools folded -(x / 2) to x / -2, wrong for unsigned numbers, until 2024 (its issue 5822).
#ifndef VKASSAY_DIGITS
#define VKASSAY_DIGITS

uvec3 digits_of(uint index, uint middle, uint last) {
    return uvec3(index / (middle * last), index / last % middle, index % last);
}

uvec3 count_on(uvec3 digits, uvec3 step, uint middle, uint last) {
    digits += step;
    if (digits.z >= last) digits = uvec3(digits.x, digits.y + 1, digits.z - last);
    if (digits.y >= middle) digits = uvec3(digits.x + 1, digits.y - middle, digits.z);
    return digits;
}

#endif
