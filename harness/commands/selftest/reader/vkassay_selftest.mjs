// SPDX-License-Identifier: Apache-2.0
// The self-test of a page that ships compute kernels, as vkassay_selftest.h for C.
//
//     const cases = await (await fetch("selftest.json")).json(); // vkassay export result.jsonl --format selftest-json
//     const failures = await selftest(cases, async (one, operands) => { ... });
//
// `run` gets a case {kernel, type, dims, params, operands} and a Uint8Array for each operand: inputs, and outputs
// filled with 0xff (NaN), which are uploaded too. It returns false if the kernel is not used here; it throws if it
// cannot be run. Each failure is {kernel, type, reason}.

function decode(text) {
    return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
}

function floatOf(bits) {
    return new Float32Array(new Uint32Array([bits]).buffer)[0];
}

// Returns element i of a buffer of f32, f16 or bf16.
function load(type, bytes, i) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (type === "f32") return view.getFloat32(4 * i, true);
    const half = view.getUint16(2 * i, true);
    if (type === "bf16") return floatOf(half * 65536);
    const rest = half & 0x7fff, sign = half & 0x8000 ? -1 : 1;
    if (rest >= 0x7c00) return rest === 0x7c00 ? sign * Infinity : NaN;
    return sign * floatOf(rest << 13) * 2 ** 112;
}

// Returns the reason why an output is wrong, or undefined.
function wrong(operand, got) {
    const want = decode(operand.want), allowed = operand.allowed && decode(operand.allowed);
    for (let i = 0; allowed && i < operand.elements; i++) {
        const is = load(operand.type, got, i), wanted = load("f32", want, i), error = load("f32", allowed, i);
        if (!(Math.abs(is - wanted) <= error) && !Object.is(is + 0, wanted + 0) && !(error > 1e38))
            return `${operand.name}[${i}]: got ${is}, want ${wanted} +- ${error}`;
    }
    for (let i = 0; !allowed && i < operand.bytes; i++)
        if (got[i] !== want[i]) return `${operand.name}: byte ${i} is ${got[i]}, want ${want[i]}`;
    return undefined;
}

export async function selftest(cases, run) {
    const failures = [];
    for (const one of cases) {
        const operands = one.operands.map((o) => (o.data ? decode(o.data) : new Uint8Array(o.bytes).fill(0xff)));
        let reason;
        try {
            const used = (await run(one, operands)) !== false;
            for (const [i, o] of one.operands.entries()) if (used && o.want) reason ??= wrong(o, operands[i]);
        } catch (error) {
            reason = `it could not be run: ${error.message}`;
        }
        if (reason) failures.push({ kernel: one.kernel, type: one.type, reason });
    }
    return failures;
}
