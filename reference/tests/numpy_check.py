#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the double references with NumPy and SciPy.

    numpy_check.py EVALUATE

EVALUATE is the program built from evaluate.c. Errors of sums are relative to the sum of the absolute
terms, because two orders of summation differ by that much. The limit of 1e-12 is far below any float
error.
"""
import subprocess
import sys

import numpy as np
import scipy.linalg
import scipy.ndimage
import scipy.signal
import scipy.special

LIMIT = 1e-12
rng = np.random.default_rng(1)
failures = 0


def random(*shape):
    return rng.uniform(-0.25, 1, shape)


def check(name, dims, inputs, want, magnitude=None, **choices):
    """Evaluates the operator on the inputs; `magnitude` defaults to |want|.

    Choices are parameters of the operator, or output= with the name of an operand."""
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
        check("matmul_nt", [m, n, k], [a, b.T], a @ b, np.abs(a) @ np.abs(b))
        check("matmul_tn", [m, n, k], [a.T, b], a @ b, np.abs(a) @ np.abs(b))
        check("outer", [m, n], [a[:, 0], b[0]], np.outer(a[:, 0], b[0]))
        check("dot", [k], [a[0], b[:, 0]], np.dot(a[0], b[:, 0]), np.abs(a[0]) @ np.abs(b[:, 0]))


def batches():
    for batch_a, batch_b, m, n, k in [(1, 1, 1, 1, 1), (3, 3, 4, 5, 7), (1, 6, 17, 3, 9), (5, 1, 2, 33, 8)]:
        a, b = random(batch_a, m, k), random(batch_b, k, n)
        check("bmm", [batch_a, batch_b, m, n, k], [a, b], a @ b, np.abs(a) @ np.abs(b))


def layers():
    for m, n, k in [(1, 1, 1), (3, 5, 7), (33, 17, 65)]:
        x, w, bias = random(m, k), random(n, k), random(n)
        want, size = x @ w.T + bias, np.abs(x) @ np.abs(w.T) + np.abs(bias)
        check("linear", [m, n, k], [x, w, bias], want, size)
        check("linear_relu", [m, n, k], [x, w, bias], np.maximum(want, 0), size)
        root = np.sqrt(2 / np.pi)
        gelu = want * scipy.special.expit(2 * root * (want + 0.044715 * want**3))
        check("linear_gelu", [m, n, k], [x, w, bias], gelu, size)
        gate, up, down = random(n, k), random(n, k) - 0.4, random(k, n) - 0.4
        z, u = x @ gate.T, x @ up.T
        hidden = z * scipy.special.expit(z)
        # Terms of z and u cancel, too, and the slope of silu is at most 1.1.
        size = (np.abs(x) @ np.abs(gate.T)) * (np.abs(x) @ np.abs(up.T)) * 1.1
        check("mlp", [m, k, n], [x, gate, up, down], (hidden * u) @ down.T, size @ np.abs(down.T))


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
        z = (x[..., ::2] + 1j * x[..., 1::2]) * np.exp(1j * angle)[:, None, :]
        want = np.stack([z.real, z.imag], axis=-1).reshape(x.shape)
        check("rope_interleaved", [seq, 3, d], [x, np.cos(angle), np.sin(angle)], want, np.ones_like(want))


def heads_attention():
    for batch, heads, kv_heads, queries, keys, d, causal in [
        (1, 1, 1, 1, 1, 1, 0),
        (2, 4, 2, 5, 9, 8, 0),
        (1, 3, 1, 7, 7, 80, 1),
        (2, 2, 2, 9, 5, 64, 1),
        (1, 8, 2, 1, 300, 128, 1),
    ]:
        q = random(batch, heads, queries, d)
        k, v = random(batch, kv_heads, keys, d), random(batch, kv_heads, keys, d)
        shared_k, shared_v = (x.repeat(heads // kv_heads, axis=1) for x in (k, v))
        scores = 0.3 * np.einsum("bhid,bhjd->bhij", q, shared_k)
        seen = np.tril(np.ones((queries, keys)), keys - queries)
        mask = np.where(seen > 0, 0, -np.inf)

        def attend(logits):
            some = np.isfinite(logits).any(axis=-1, keepdims=True)
            weights = scipy.special.softmax(np.where(some, logits, 0), axis=-1) * some
            return weights @ shared_v, weights @ np.abs(shared_v) + 1e-300

        dims = [batch, heads, kv_heads, queries, keys, d]
        check("attention", dims + [causal], [q, k, v], *attend(scores + causal * mask if causal else scores), scale=0.3)
        mask[0, 0], mask[-1] = 2.5, -np.inf
        check("attention_masked", dims, [q, k, v, mask], *attend(scores + mask), scale=0.3)


def indexing():
    for outer, size, inner, count in [(1, 5, 1, 3), (3, 7, 4, 9)]:
        dims, x = [outer, size, inner, count], random(outer, size, inner)
        flat, full = rng.integers(-1, size + 1, count), rng.integers(-1, size + 1, (outer, count, inner))
        good, row_good = (full >= 0) & (full < size), (flat >= 0) & (flat < size)
        taken = np.take(x, np.where(row_good, flat, 0), axis=1) * row_good[:, None]
        check("index_select", dims, [flat, x], taken)
        check("gather", dims, [full, x], np.take_along_axis(x, np.where(good, full, 0), axis=1) * good)
        rows = np.take(x[0], np.where(row_good, flat, 0), axis=0) * row_good[:, None]
        check("embedding", [size, inner, count], [flat, x[0]], rows)
        src, o, i = random(outer, count, inner), np.arange(outer)[:, None, None], np.arange(inner)
        where = [np.broadcast_to(part, full.shape)[good] for part in (o, full, i)]
        want = x.copy()
        np.add.at(want, tuple(where), src[good])
        check("scatter_add", dims, [full, src, x], want, np.full(want.shape, 10.0))
        want = x.copy()
        np.add.at(want, (slice(None), flat[row_good]), src[:, row_good])
        check("index_add", dims, [flat, src, x], want, np.full(want.shape, 10.0))


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


def softmax_forms():
    for rows, cols, mask_rows in [(1, 2, 1), (9, 33, 3), (4, 1000, 4)]:
        x = 8 * random(rows, cols) - 2
        sums = scipy.special.logsumexp(x, axis=1)
        check("logsumexp", [rows, cols], [x], sums, np.abs(sums) + 1)
        want = scipy.special.log_softmax(x, axis=1)
        check("log_softmax", [rows, cols], [x], want, np.abs(want) + 1)
        mask = np.where(random(mask_rows, cols) < 0, -np.inf, 0)
        mask[:, -1] = 0  # SciPy has no answer for a completely masked row
        want = scipy.special.softmax(0.5 * x + np.tile(mask, (rows // mask_rows, 1)), axis=1)
        check("softmax_masked", [rows, cols, mask_rows], [x, mask], want, scale=0.5)


def residual_norm():
    for rows, cols in [(1, 2), (7, 33), (5, 1000)]:
        x, res, w = random(rows, cols), random(rows, cols), random(cols)
        r = x + res
        root = np.sqrt(np.mean(r * r, axis=1, keepdims=True) + 1e-6)
        check("add_rmsnorm", [rows, cols], [x, res, w], r, output="r")
        check("add_rmsnorm", [rows, cols], [x, res, w], r * w / root, output="y", eps=1e-6)


def image_norms():
    for n, c, h, w, groups in [(1, 2, 1, 2, 1), (3, 6, 5, 7, 2), (4, 8, 16, 9, 8)]:
        x, gamma, beta = random(n, c, h, w), random(c), random(c)
        dims, inputs = [n, c, h, w], [x, gamma, beta]
        scale, shift = gamma[None, :, None, None], beta[None, :, None, None]

        def norm(mean, var):
            return (x - mean) / np.sqrt(var + 1e-5) * scale + shift

        size = 10 * np.ones_like(x)  # of the added terms
        parts = x.reshape(n, groups, -1)
        spread = [f(parts, axis=2).repeat(c // groups, axis=1)[:, :, None, None] for f in (np.mean, np.var)]
        check("groupnorm", dims + [groups], inputs, norm(*spread), size)
        spread = [f(x, axis=(2, 3), keepdims=True) for f in (np.mean, np.var)]
        check("instancenorm", dims, inputs, norm(*spread), size)
        old_mean, old_var = random(c), 1 + random(c)
        given = [s[None, :, None, None] for s in (old_mean, old_var)]
        check("batchnorm_inference", dims, inputs + [old_mean, old_var], norm(*given), size)
        mean, var = x.mean(axis=(0, 2, 3)), x.var(axis=(0, 2, 3))
        taken = [s[None, :, None, None] for s in (mean, var)]
        unbiased = x.var(axis=(0, 2, 3), ddof=1)
        for name, want in [
            ("y", norm(*taken)),
            ("mean", mean),
            ("var", var),
            ("running_mean", 0.75 * old_mean + 0.25 * mean),
            ("running_var", 0.75 * old_var + 0.25 * unbiased),
        ]:
            terms = 10 * np.ones_like(want)
            check("batchnorm_training", dims, inputs + [old_mean, old_var], want, terms, output=name, momentum=0.25)


def reductions():
    for rows, cols in [(1, 1), (1, 1000), (9, 33)]:
        x, flags = random(rows, cols), (random(rows, cols) > 0.9).astype(float)
        size = np.abs(x).sum(axis=1)
        for suffix, dims, axis in [("", [rows * cols], None), ("_rows", [rows, cols], 1)]:
            total = np.sum(size) if axis is None else size
            for name, function, magnitude in [
                ("sum", np.sum, total),
                ("mean", np.mean, total / (x.size if axis is None else cols)),
                ("prod", np.prod, None),
                ("max", np.max, None),
                ("min", np.min, None),
                ("argmax", np.argmax, None),
                ("argmin", np.argmin, None),
                ("variance", np.var, None),
                ("l2_norm", scipy.linalg.norm, None),
            ]:
                choices = {"correction": 0} if name == "variance" else {}
                want = np.asarray(function(x, axis=axis), dtype=float)
                check(name + suffix, dims, [x], want, magnitude, **choices)
            if x.size > 1 and (axis is None or cols > 1):
                want = np.asarray(np.var(x + 1000, axis=axis, ddof=1))
                # The sum 1e3 + x itself is rounded, by 1e-13 a term.
                check("variance" + suffix, dims, [x + 1000], want, 10 * want)
        check("any", [flags.size], [flags], np.asarray(flags.any(), dtype=float))
        check("all", [flags.size], [1 - flags], np.asarray((1 - flags).all(), dtype=float))


def orders():
    for rows, cols, k in [(1, 1, 1), (1, 1000, 17), (9, 33, 33)]:
        x = np.round(20 * random(rows, cols))  # many are equal
        check("cumsum", [rows, cols], [x], np.cumsum(x, axis=1), np.cumsum(np.abs(x), axis=1))
        order = np.argsort(x, axis=1, kind="stable")
        check("argsort", [rows, cols], [x], order.astype(float))
        largest = np.argsort(-x, axis=1, kind="stable")[:, :k]
        check("topk", [rows, cols, k], [x], largest.astype(float), output="indices")
        check("topk", [rows, cols, k], [x], np.take_along_axis(x, largest, axis=1))


def losses():
    for n in [1, 33, 1000]:
        x, target, dy = 4 * random(n) - 1, np.abs(random(n)), 1 + random(1)
        p = scipy.special.expit(x)
        terms = {
            "mse": (x - target) ** 2,
            "l1": np.abs(x - target),
            "bce_with_logits": -(target * np.log(p) + (1 - target) * np.log(1 - p)),
        }
        slopes = {"mse": 2 * (x - target), "l1": np.sign(x - target), "bce_with_logits": p - target}
        for name, term in terms.items():
            check(name, [n], [x, target], np.mean(term)[None], 1 + np.mean(np.abs(term))[None])
            check(name + "_backward", [n], [x, target, dy], dy * slopes[name] / n, 4 / n * np.ones(n))
        check("bce", [n], [p, target], np.mean(terms["bce_with_logits"])[None])
        want = dy * (p - target) / (p * (1 - p)) / n
        check("bce_backward", [n], [p, target, dy], want, dy / (p * (1 - p)) / n)


def class_losses():
    for rows, cols in [(1, 1), (7, 33), (40, 10)]:
        x, dy = 8 * random(rows, cols) - 3, 1 + random(1)
        target = rng.integers(0, cols, rows)
        target[1::5] = -100  # PyTorch's ignore_index
        target[2::7] = cols + 5  # out of range
        kept = (target >= 0) & (target < cols)
        label = np.zeros((rows, cols))
        label[kept, target[kept]] = 1
        count = kept.sum()
        check("nll", [rows, cols], [x, target], -np.sum(label * x)[None] / count, np.abs(x).mean()[None])
        check("nll_backward", [rows, cols], [target, dy], -label * dy / count)
        for s in [0, 0.125, 1]:
            soft = (1 - s) * label + s / cols * kept[:, None]
            losses = -soft * scipy.special.log_softmax(x, axis=1)
            dims, choices = [rows, cols], {"label_smoothing": s}
            check("cross_entropy", dims, [x, target], np.sum(losses)[None] / count, np.array([8.0]), **choices)
            p = scipy.special.softmax(x, axis=1) * kept[:, None]
            size = np.ones_like(x)
            check("cross_entropy_backward", dims, [x, target, dy], (p - soft) * dy / count, size, **choices)


def optimizers():
    n = 500
    w, g, m = 2 * random(n), random(n) - 0.4, random(n) - 0.4
    v, square = random(n) - 0.4, np.abs(random(n))
    # 16 binary places, so rounding a parameter to float changes nothing.
    lr, decay, eps, b1, b2 = 2.0**-4, 2.0**-6, 2.0**-16, 0.90625, 0.9990234375
    shared = {"lr": lr, "weight_decay": decay}
    decayed = g + decay * w

    def step(name, inputs, wants, **choices):
        for output, want in wants.items():
            check(name, [n], inputs, want, 1 + np.abs(want), output=output, **choices)

    for t in [1, 2, 1000]:
        for momentum, dampening, nesterov in [(0, 0, 0), (0.875, 0, 0), (0.875, 0.25, 0), (0.875, 0, 1)]:
            new = decayed if t == 1 else momentum * v + (1 - dampening) * decayed
            along = decayed if momentum == 0 else decayed + momentum * new if nesterov else new
            wants = {"w": w - lr * along, "v": v if momentum == 0 else new}
            rule = {"momentum": momentum, "dampening": dampening, "nesterov": nesterov}
            step("sgd", [w, v, g], wants, step=t, **rule, **shared)
        for name, grad, start in [("adam", decayed, w), ("adamw", g, w - lr * decay * w)]:
            first, second = b1 * m + (1 - b1) * grad, b2 * square + (1 - b2) * grad**2
            mean, root = first / (1 - b1**t), np.sqrt(second / (1 - b2**t))
            wants = {"w": start - lr * mean / (root + eps), "m": first, "v": second}
            rates = {"beta1": b1, "beta2": b2, "eps": eps}
            step(name, [w, m, square, g], wants, step=t, **rates, **shared)
        total, rate = square + decayed**2, lr / (1 + (t - 1) * 0.125)
        wants = {"w": w - rate * decayed / (np.sqrt(total) + eps), "s": total}
        step("adagrad", [w, square, g], wants, step=t, lr_decay=0.125, eps=eps, **shared)
    mean = b1 * square + (1 - b1) * decayed**2
    wants = {"w": w - lr * decayed / (np.sqrt(mean) + eps), "s": mean}
    step("rmsprop", [w, square, g], wants, alpha=b1, eps=eps, **shared)


def gradients():
    for n in [1, 33, 1000]:
        g, sums = random(n), random(n)
        check("grad_accumulate", [n], [sums, g], sums + g, np.ones(n))
        check("zero_grad", [n], [], np.zeros(n))
        norm = np.linalg.norm(g)
        for most in [0.5, 100]:
            want = g * min(1, most / (norm + 2.0**-10))
            check("grad_clip_norm", [n], [g], want, max_norm=most, eps=2.0**-10)
            check("grad_clip_norm", [n], [g], norm[None], output="norm", max_norm=most)
        for value in [0.5, np.nan, np.inf, -np.inf]:
            g[-1] = value
            found = np.array([float(not np.isfinite(value))])
            check("unscale_and_check", [n], [g], found, np.ones(1), output="found")


def augmentation():
    for n, c, h, w, oh, ow in [(1, 1, 1, 1, 1, 1), (3, 2, 9, 11, 5, 7), (2, 3, 4, 4, 9, 6)]:
        x, mean, std = random(n, c, h, w), random(c), 1 + random(c)
        scale, shift = 1 / std[:, None, None], mean[:, None, None]
        size = (np.abs(x) + np.abs(shift)) * scale
        check("normalise", [n, c, h, w], [x, mean, std], (x - shift) * scale, size)
        top, left = rng.integers(-3, h, n), rng.integers(-3, w, n)
        padded = np.pad(x, ((0, 0), (0, 0), (3, h + oh), (3, w + ow)))
        want = [padded[i, :, top[i] + 3 :][:, :oh, left[i] + 3 :][:, :, :ow] for i in range(n)]
        check("crop", [n, c, h, w, oh, ow], [x, top, left], np.array(want), np.ones((n, c, oh, ow)))


def conv2d(x, weight, stride, pad, dilation, groups):
    """Returns SciPy's correlation with a window spread by the dilation, at every stride-th output."""
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


def convolution_1d():
    for n, cin, w, cout, k, stride, pad, dilation, groups in [
        (1, 1, 5, 1, 3, 1, 0, 1, 1),
        (2, 4, 19, 6, 5, 2, 3, 2, 2),
        (1, 6, 8, 6, 3, 3, 5, 2, 6),
    ]:
        x, weight, bias = random(n, cin, w), random(cout, cin // groups, k), random(cout)
        shape = (stride, pad, dilation, groups)

        def row(x, weight):
            padded = np.pad(x, ((0, 0), (0, 0), (pad, pad)))
            return conv2d(padded[:, :, None], weight[:, :, None], stride, 0, dilation, groups)[:, :, 0]

        offset = bias[None, :, None]
        magnitude = row(np.abs(x), np.abs(weight)) + np.abs(offset)
        check("conv1d", [n, cin, w, cout, k, *shape], [x, weight, bias], row(x, weight) + offset, magnitude)


def transposed(x, weight, stride, pad, output_pad, dilation, groups):
    """Puts zeros between the inputs, then returns SciPy's full convolution, cut by the padding."""
    n, cin, h, w = x.shape
    per_in, per_out, kh, kw = cin // groups, *weight.shape[1:]
    apart = np.zeros((n, cin, (h - 1) * stride + 1, (w - 1) * stride + 1))
    apart[..., ::stride, ::stride] = x
    spread = np.zeros((cin, per_out, (kh - 1) * dilation + 1, (kw - 1) * dilation + 1))
    spread[..., ::dilation, ::dilation] = weight
    full = np.zeros((n, groups * per_out, apart.shape[2] + spread.shape[2] - 1, apart.shape[3] + spread.shape[3] - 1))
    for i, c, o in np.ndindex(n, cin, per_out):
        full[i, c // per_in * per_out + o] += scipy.signal.convolve(apart[i, c], spread[c, o], "full", "direct")
    full = np.pad(full, ((0, 0), (0, 0), (0, output_pad), (0, output_pad)))
    return full[:, :, pad : full.shape[2] - pad, pad : full.shape[3] - pad]


def transposed_convolution():
    for n, cin, h, w, cout, kh, kw, stride, pad, output_pad, dilation, groups in [
        (1, 1, 3, 3, 1, 2, 2, 1, 0, 0, 1, 1),
        (2, 3, 5, 7, 4, 3, 5, 2, 1, 1, 1, 1),
        (1, 4, 6, 4, 6, 3, 2, 3, 1, 2, 2, 2),
    ]:
        x, weight, bias = random(n, cin, h, w), random(cin, cout // groups, kh, kw), random(cout)
        shape = (stride, pad, output_pad, dilation, groups)
        offset = bias[None, :, None, None]
        want = transposed(x, weight, *shape) + offset
        magnitude = transposed(np.abs(x), np.abs(weight), *shape) + np.abs(offset)
        dims = [n, cin, h, w, cout, kh, kw, *shape]
        check("conv_transpose2d", dims, [x, weight, bias], want, magnitude)
        row, taps, pads = x[:, :, :1], weight[:, :, :1], (stride, 0, output_pad, dilation, groups)
        cut = slice(pad, -pad or None)
        want = transposed(row, taps, *pads)[:, :, 0, cut] + offset[..., 0]
        magnitude = transposed(np.abs(row), np.abs(taps), *pads)[:, :, 0, cut] + np.abs(offset[..., 0])
        dims = [n, cin, w, cout, kw, *shape]
        check("conv_transpose1d", dims, [row, taps, bias], want, magnitude)


def windows(x, kh, kw, stride, pad, dilation, ceil, border):
    """Returns the windows of a picture, [n, c, oh, ow, kh, kw], with `border` outside. Their number is PyTorch's."""
    counts = []
    for size, k in zip(x.shape[2:], (kh, kw)):
        steps = (size + 2 * pad - dilation * (k - 1) - 1) / stride
        count = int(np.ceil(steps) if ceil else np.floor(steps)) + 1
        counts.append(count - (ceil and (count - 1) * stride >= size + pad))
    room = stride + max(kh, kw) * dilation  # more than any window reaches
    x = np.pad(x, ((0, 0), (0, 0), (pad, pad + room), (pad, pad + room)), constant_values=border)
    reach = ((kh - 1) * dilation + 1, (kw - 1) * dilation + 1)
    views = np.lib.stride_tricks.sliding_window_view(x, reach, axis=(2, 3))
    views = views[:, :, ::stride, ::stride, ::dilation, ::dilation]
    return views[:, :, : counts[0], : counts[1]]


def pooling():
    for n, c, h, w, kh, kw, stride, pad, ceil in [
        (1, 1, 4, 4, 2, 2, 2, 0, 0),
        (2, 3, 9, 12, 3, 4, 2, 1, 0),
        (2, 3, 9, 12, 3, 4, 2, 1, 1),
        (1, 2, 11, 7, 5, 3, 3, 1, 1),
    ]:
        x = random(n, c, h, w)
        dims = [n, c, h, w, kh, kw, stride, pad]
        for dilation in (1, 2):
            view = windows(x - 1, kh, kw, stride, pad, dilation, ceil, -np.inf)
            check("max_pool2d", dims + [dilation, ceil], [x - 1], view.max(axis=(4, 5)))
        sums = windows(x, kh, kw, stride, pad, 1, ceil, 0).sum(axis=(4, 5))
        sizes = windows(np.abs(x), kh, kw, stride, pad, 1, ceil, 0).sum(axis=(4, 5))
        inside = windows(np.ones_like(x), kh, kw, stride, pad, 1, ceil, 0).sum(axis=(4, 5))
        framed = np.ones((n, c, h + 2 * pad, w + 2 * pad))
        padded = windows(framed, kh, kw, stride, 0, 1, True, 0).sum(axis=(4, 5))
        padded = padded[:, :, : sums.shape[2], : sums.shape[3]]
        for counts, include in ((inside, 0), (padded, 1)):
            check("avg_pool2d", dims + [ceil], [x], sums / counts, sizes / counts, count_include_pad=include)
        mean = x.mean(axis=(2, 3))
        check("global_avg_pool", [n, c, h, w], [x], mean, np.abs(x).mean(axis=(2, 3)))


def resampling():
    for n, c, h, w, oh, ow in [(1, 1, 2, 2, 4, 4), (2, 3, 5, 7, 13, 10), (1, 2, 9, 8, 4, 3), (1, 1, 4, 5, 1, 1)]:
        x, dims = random(n, c, h, w), [n, c, h, w, oh, ow]
        rows, cols = np.arange(oh) * h // oh, np.arange(ow) * w // ow
        check("upsample_nearest", dims, [x], x[:, :, rows][..., cols])
        corners = [np.linspace(0, size - 1, count) for size, count in ((h, oh), (w, ow))]
        halves = [np.clip((np.arange(b) + 0.5) * a / b - 0.5, 0, None) for a, b in ((h, oh), (w, ow))]
        for places, aligned in ((halves, 0), (corners, 1)):
            grid = np.meshgrid(*places, indexing="ij")
            want = [scipy.ndimage.map_coordinates(p, grid, order=1, mode="nearest") for p in x.reshape(-1, h, w)]
            want = np.array(want).reshape(n, c, oh, ow)
            check("upsample_bilinear", dims, [x], want, np.ones_like(want), align_corners=aligned)


def unfolding():
    for n, c, h, w, kh, kw, stride, pad, dilation in [(1, 1, 3, 3, 2, 2, 1, 0, 1), (2, 3, 8, 9, 3, 2, 2, 1, 2)]:
        x = random(n, c, h, w)
        view = windows(x, kh, kw, stride, pad, dilation, False, 0)
        want = view.transpose(0, 1, 4, 5, 2, 3).reshape(n, c * kh * kw, -1)
        check("im2col", [n, c, h, w, kh, kw, stride, pad, dilation], [x], want)


def elementwise():
    x = 8 * random(1000) - 2
    check("silu", [1000], [x], x * scipy.special.expit(x))
    check("tanh", [1000], [x], np.tanh(x))
    check("exp", [1000], [x], np.exp(x))
    gelu = x * scipy.special.expit(2 * np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))
    check("gelu_tanh", [1000], [x], gelu, np.abs(x))
    check("sigmoid", [1000], [x], scipy.special.expit(x))
    check("erf", [1000], [x], scipy.special.erf(x))
    check("gelu_erf", [1000], [x], x * scipy.special.ndtr(x), np.abs(x))
    check("gelu_quick", [1000], [x], x * scipy.special.expit(1.702 * x))
    check("elu", [1000], [x], np.where(x > 0, x, np.expm1(x)), np.maximum(np.abs(x), 1))
    check("softplus", [1000], [x], np.logaddexp(0, x), np.maximum(np.abs(x), 1))
    check("hardswish", [1000], [x], x * np.clip(x / 6 + 0.5, 0, 1), np.abs(x))
    a, b = random(1000) + 0.3, 8 * random(1000) - 2
    check("pow", [1000], [a, b], np.exp2(b * np.log2(a)))
    check("swiglu", [1000], [b, a], b * scipy.special.expit(b) * a)
    for name in ("log", "sqrt", "reciprocal", "square", "floor", "ceil", "neg", "abs", "sign"):
        check(name, [1000], [a], getattr(np, {"neg": "negative"}.get(name, name))(a))
    for name in ("sin", "cos"):
        check(name, [1000], [a], getattr(np, name)(a))
    check("round", [1000], [b], np.round(b))


def movement():
    a, b = random(2, 1, 4, 5), random(1, 3, 4, 1)
    check("broadcast_add", [*a.shape, *b.shape], [a, b], a + b, np.abs(a) + np.abs(b))
    check("broadcast_mul", [*a.shape, *b.shape], [a, b], a * b)
    x = random(2, 3, 4, 5)
    for order in ((0, 1, 2, 3), (0, 2, 1, 3), (3, 1, 0, 2), (1, 3, 2, 0)):
        check("permute", [*x.shape, *order], [x], np.transpose(x, order))
    x = random(3, 7, 2)
    check("slice", [3, 7, 2, 1, 2, 3], [x], x[:, 1:6:2])
    check("flip", [3, 7, 2], [x], np.flip(x, 1))
    check("concat", [3, 7, 4, 2], [x, x[:, :4]], np.concatenate([x, x[:, :4]], 1))
    padded = np.pad(x, ((0, 0), (1, 2), (0, 3)), constant_values=0.25)
    check("pad", [3, 7, 2, 1, 2, 0, 3], [x], padded)
    check("tile", [3, 7, 2, 4], [x[..., 0]], np.tile(x[..., 0], (2, 4)))


for family in (
    matrix,
    batches,
    layers,
    attention,
    heads_attention,
    indexing,
    norms,
    softmax_forms,
    residual_norm,
    image_norms,
    reductions,
    orders,
    convolution,
    convolution_1d,
    transposed_convolution,
    unfolding,
    pooling,
    resampling,
    elementwise,
    movement,
    losses,
    class_losses,
    optimizers,
    gradients,
    augmentation,
):
    family()
sys.exit(failures > 0)
