#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the double references with NumPy and SciPy.

    numpy_check.py EVALUATE

EVALUATE is the program made of evaluate.c. Errors are relative to the sum of the absolute terms
where terms are added, as two orders of summation differ by that much; 1e-12 is far below any float
error.
"""
import subprocess
import sys

import numpy as np
import scipy.signal
import scipy.special

LIMIT = 1e-12
rng = np.random.default_rng(1)
failures = 0


def random(*shape):
    return rng.uniform(-0.25, 1, shape)


def check(name, dims, inputs, want, magnitude=None, **choices):
    """Evaluates the operator on the inputs; `magnitude` defaults to |want|.

    Choices are parameters of the operator, or output= and the name of an operand."""
    global failures
    program = [sys.argv[1], name] + [str(d) for d in dims]
    program += [f"{key}={value}" for key, value in choices.items()]
    data = b"".join(np.ascontiguousarray(x, dtype=np.float64).tobytes() for x in inputs)
    output = subprocess.run(program, input=data, stdout=subprocess.PIPE, check=True).stdout
    got = np.frombuffer(output).reshape(want.shape)
    scale = np.abs(want) if magnitude is None else magnitude
    error = np.max(np.abs(got - want) / np.maximum(scale, 1e-300))
    ok = error <= LIMIT  # false for NaN
    failures += not ok
    print(f"{'ok' if ok else 'WRONG':5} {name:17} {error:.1e}  {','.join(map(str, dims))}")


def matrix():
    for m, n, k in [(1, 1, 1), (3, 5, 7), (33, 17, 65)]:
        a, b = random(m, k), random(k, n)
        check("matmul", [m, n, k], [a, b], a @ b, np.abs(a) @ np.abs(b))
        check("matvec", [m, k], [a, b[:, 0]], a @ b[:, 0], np.abs(a) @ np.abs(b[:, 0]))


def attention():
    for seq, d in [(1, 2), (17, 8), (100, 64)]:
        q, k, w = random(d), random(seq, d), random(seq)
        magnitude = 0.125 * (np.abs(k) @ np.abs(q))
        check("attention_scores", [seq, d], [q, k], 0.125 * (k @ q), magnitude)
        check("weighted_sum", [seq, d], [w, k], w @ k, np.abs(w) @ np.abs(k))
        x = random(seq, 3, d)
        angle = np.arange(seq)[:, None] * 10000.0 ** (-np.arange(d // 2) / (d // 2))
        # A rotation of complex numbers, the first half real and the second imaginary.
        z = (x[..., : d // 2] + 1j * x[..., d // 2 :]) * np.exp(1j * angle)[:, None, :]
        want = np.concatenate([z.real, z.imag], axis=-1)
        check("rope_half", [seq, 3, d], [x, np.cos(angle), np.sin(angle)], want, np.ones_like(want))


def norms():
    for rows, cols in [(1, 2), (7, 33), (5, 1000)]:
        x, w, b = random(rows, cols), random(cols), random(cols)
        check("softmax", [rows, cols], [8 * x], scipy.special.softmax(8 * x, axis=1))
        root = np.sqrt(np.mean(x * x, axis=1, keepdims=True) + 1e-5)
        check("rmsnorm", [rows, cols], [x, w], x * w / root)
        mean, var = x.mean(axis=1, keepdims=True), x.var(axis=1, keepdims=True)
        scale = w / np.sqrt(var + 1e-5)
        magnitude = np.abs(scale) * (np.abs(x) + np.abs(mean)) + np.abs(b)
        check("layernorm", [rows, cols], [x, w, b], (x - mean) * scale + b, magnitude)


def conv2d(x, weight, stride, pad, dilation, groups):
    """SciPy's correlation with a window spread by the dilation, then every stride-th output."""
    n, cin, cout = x.shape[0], x.shape[1], weight.shape[0]
    kh, kw = weight.shape[2:]
    spread = np.zeros(weight.shape[:2] + ((kh - 1) * dilation + 1, (kw - 1) * dilation + 1))
    spread[..., ::dilation, ::dilation] = weight
    padded = np.pad(x, ((0, 0), (0, 0), (pad, pad), (pad, pad)))
    per_in, per_out = cin // groups, cout // groups
    images = []
    for i in range(n):
        for o in range(cout):
            first = o // per_out * per_in
            image = padded[i, first : first + per_in]
            plane = scipy.signal.correlate(image, spread[o], "valid", "direct")[0]
            images.append(plane[::stride, ::stride])
    return np.array(images).reshape((n, cout) + images[0].shape)


def convolution():
    for n, cin, h, w, cout, kh, kw, stride, pad, dilation, groups in [
        (1, 1, 5, 5, 1, 3, 3, 1, 0, 1, 1),
        (2, 3, 9, 11, 4, 3, 5, 2, 1, 1, 1),
        (1, 4, 12, 7, 6, 3, 2, 1, 2, 2, 2),
        (2, 6, 8, 8, 6, 3, 3, 3, 5, 2, 6),
        (1, 8, 6, 6, 4, 1, 1, 1, 0, 1, 1),
    ]:
        x, weight, bias = random(n, cin, h, w), random(cout, cin // groups, kh, kw), random(cout)
        shape = (stride, pad, dilation, groups)
        offset = bias[None, :, None, None]
        want = conv2d(x, weight, *shape) + offset
        magnitude = conv2d(np.abs(x), np.abs(weight), *shape) + np.abs(offset)
        check("conv2d", [n, cin, h, w, cout, kh, kw, *shape], [x, weight, bias], want, magnitude)


def elementwise():
    x = 8 * random(1000) - 2
    check("silu", [1000], [x], x * scipy.special.expit(x))
    check("tanh", [1000], [x], np.tanh(x))
    check("exp", [1000], [x], np.exp(x))
    gelu = x * scipy.special.expit(2 * np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))
    check("gelu_tanh", [1000], [x], gelu, np.abs(x))


for family in (matrix, attention, norms, convolution, elementwise):
    family()
sys.exit(failures > 0)
