#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""draw.py [--seed N] [--cases 150] [--out FILE]: draws a suite of cases that nobody could tune for. Each case is an
operator, a type and dims from ranges that models of 2025 and 2026 use: hidden sizes and vocabularies, odd numbers of
tokens, few pixels with many channels. The weights say how often models use an operator. The seed is part of the
suite's name; without --seed it is a new one."""
import argparse
import json
import math
import random
import secrets

MOST_ELEMENTS = 2**27  # of an operand
MOST_FLOPS = 3e11  # of a product, so that the slowest kernels still end
SMALL = 2**20  # of the product of all dims; three of four smaller cases are drawn again, because a barrier bounds them


def number(rng, low, high):
    """Draws a number, each order of magnitude as often as another."""
    return round(math.exp(rng.uniform(math.log(low), math.log(high))))


def width(rng, low, high):
    """Draws the width of a layer: three of four are multiples of 64 or 16, as models choose them."""
    step = rng.choice((64, 64, 16, 1))
    return min(max(number(rng, low, high) // step * step, low), high)


def rows(rng, low=64, high=262144):
    cols = width(rng, low, high)
    return {"rows": min(number(rng, 1, 5000), MOST_ELEMENTS // cols), "cols": cols}


def vector(rng):
    return {"n": width(rng, 4096, 2**26)}


def product(rng):
    m, n, k = number(rng, 1, 5000), width(rng, 64, 32768), width(rng, 64, 16384)
    return {"m": max(1, min(m, int(MOST_FLOPS / 2 / n / k))), "n": n, "k": k}


def vectors(rng):
    return {"rows": width(rng, 512, 152064), "cols": width(rng, 512, 16384) // 32 * 32}


def attention(rng):
    head_dim = rng.choice((32, 64, 64, 80, 96, 128, 128, 128, 192, 256))
    kv_heads = rng.choice((1, 2, 4, 8, 16))
    keys = number(rng, 64, 8192)
    decode = rng.random() < 0.4
    return {"batch": rng.choice((1, 1, 2)), "heads": kv_heads * rng.choice((1, 2, 4, 5, 7)), "kv_heads": kv_heads,
            "queries": 1 if decode else min(keys, 2048), "keys": keys if decode else min(keys, 2048),
            "head_dim": head_dim, "causal": 0 if decode else rng.choice((0, 1))}


def repeated_heads(rng):
    return {"batch": 1, "kv_heads": rng.choice((1, 2, 4, 8)), "repeats": rng.choice((2, 4, 5, 7, 8)),
            "seq": number(rng, 16, 4096), "head_dim": rng.choice((64, 80, 96, 128, 256))}


def heads(rng):
    return {"seq": number(rng, 1, 4096), "heads": rng.choice((8, 14, 20, 32, 40)),
            "head_dim": rng.choice((64, 80, 96, 128, 256))}


def picture(rng):
    side = number(rng, 7, 224)
    c = min(width(rng, 3, 2048), MOST_ELEMENTS // 64 // side**2)
    return {"n": rng.choice((1, 1, 2, 8)), "c": max(c, 3), "h": side, "w": side}


def groups(rng):
    dims = picture(rng)
    dims["c"] = max(dims["c"] // 32, 1) * 32
    return dims | {"groups": 32}


def window(rng):
    return picture(rng) | {"kh": 3, "kw": 3, "stride": 2, "pad": 1, "dilation": 1, "ceil": 0}


def convolution(rng):
    side, cin, cout = number(rng, 7, 128), width(rng, 3, 1280), width(rng, 16, 1280)
    k = rng.choice((1, 3, 3, 3, 5))
    n = max(1, min(rng.choice((1, 2, 8)), int(MOST_FLOPS / (2 * side**2 * cin * cout * k**2))))
    return {"n": n, "cin": cin, "h": side, "w": side, "cout": cout, "kh": k, "kw": k, "stride": rng.choice((1, 1, 2)),
            "pad": k // 2, "dilation": 1, "groups": 1}


def line_convolution(rng):
    return {"n": 1, "cin": width(rng, 16, 1280), "w": number(rng, 128, 6000), "cout": width(rng, 16, 1280), "kw": 3,
            "stride": rng.choice((1, 2)), "pad": 1, "dilation": 1, "groups": 1}


def axes(rng):
    d = [rng.choice((1, 2, 4)), number(rng, 8, 2048), rng.choice((8, 14, 32)), rng.choice((64, 80, 96, 128))]
    p = rng.choice(((0, 2, 1, 3), (0, 2, 3, 1), (0, 3, 1, 2)))
    return {f"d{i}": x for i, x in enumerate(d)} | {f"p{i}": x for i, x in enumerate(p)}


def parts(rng):
    inner = rng.choice((1, 1, 64, 64))
    return {"outer": number(rng, 1, 4096), "a_size": width(rng, 16, 4096), "b_size": width(rng, 16, 4096),
            "inner": inner}


def table(rng):
    return {"rows": width(rng, 1000, 152064), "cols": width(rng, 64, 5120) // 4 * 4, "n": number(rng, 1, 8192)}


def line(rng):
    return {"outer": number(rng, 1, 64), "n": number(rng, 16, 5000), "inner": width(rng, 16, 4096)}


def best(rng):
    dims = rows(rng, 128, 152064)
    return dims | {"k": min(rng.choice((1, 8, 40, 64)), dims["cols"])}


def short_rows(rng):
    return rows(rng, 64, 16384)


FLOATS = ("f32", "f16", "bf16")
# Weight, operators with this weight together, types, and dims.
DRAWS = [
    (14, ("add", "mul", "silu", "gelu_tanh", "swiglu", "add_scalar", "relu", "sigmoid"), FLOATS, vector),
    (10, ("rmsnorm", "add_rmsnorm", "layernorm", "softmax"), FLOATS, short_rows),
    (6, ("log_softmax", "softmax"), FLOATS, rows),
    (10, ("sum_rows", "mean_rows", "max_rows", "argmax_rows", "logsumexp", "variance_rows"), FLOATS, rows),
    (4, ("sum_axis", "mean_axis", "max_axis"), FLOATS, line),
    (2, ("sum_cols",), FLOATS, rows),
    (3, ("topk",), FLOATS, best),
    (2, ("argsort", "cumsum"), ("f32",), short_rows),
    (10, ("matmul_nt", "linear"), FLOATS, product),
    (6, ("matmul",), FLOATS, product),
    (5, ("matvec",), FLOATS + ("q8_0", "q4_0"), vectors),
    (1, ("q8_matvec",), ("q8_0", "q4_0"), vectors),
    (12, ("attention",), ("f16", "bf16", "f32"), attention),
    (3, ("repeat_kv",), FLOATS, repeated_heads),
    (4, ("rope_half",), FLOATS, heads),
    (5, ("permute",), FLOATS, axes),
    (3, ("transpose",), FLOATS, short_rows),
    (4, ("concat",), FLOATS, parts),
    (3, ("copy",), FLOATS, vector),
    (5, ("embedding",), FLOATS, table),
    (4, ("groupnorm",), FLOATS, groups),
    (3, ("batchnorm_inference",), FLOATS, picture),
    (3, ("max_pool2d",), FLOATS, window),
    (8, ("conv2d",), ("f32", "f16"), convolution),
    (2, ("conv1d",), ("f32", "f16"), line_convolution),
    (5, ("softmax_backward", "layernorm_backward", "rmsnorm_backward"), FLOATS, short_rows),
    (3, ("silu_backward", "gelu_tanh_backward"), FLOATS, vector),
    (3, ("cross_entropy",), ("f32",), short_rows),
    (2, ("mse",), ("f32",), vector),
    (2, ("rand_uniform", "rand_normal", "dropout"), ("f32",), vector),
]
WIDE = ("blocked", "sliced")
# The kernels of operators whose naive ones take seconds: of f32, then of types of 16 bits.
FAST = {"matmul": (WIDE, ("tensor*", "coop*")), "linear": (WIDE + ("rowwise",), ("tensor", "coop*", "rowwise")),
        "matmul_nt": (WIDE + ("rowwise",), ("tensor", "coop*", "few_rows", "rowwise")),
        "conv2d": (("tiled", "sliced", "nhwc"), ("coop*", "tensor", "sliced", "nhwc")),
        "attention": (("decode", "flash"), ("decode*", "flash*"))}


def draw(rng):
    (_, operators, types, dims), = rng.choices(DRAWS, [weight for weight, *_ in DRAWS])
    operator, dtype = rng.choice(operators), rng.choice(types)
    fast = FAST.get(operator)
    of = {"kernels": [f"{operator}.{one}" for one in fast[dtype != "f32"]]} if fast else {"operators": [operator]}
    case = dims(rng)
    while math.prod(max(size, 1) for size in case.values()) < SMALL and rng.random() < 0.75:
        case = dims(rng)
    return of | {"dtypes": [dtype], "dims": case, "shapes": "some"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    parser.add_argument("--cases", type=int, default=150)
    parser.add_argument("--out", default="-")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    with open("/dev/stdout" if options.out == "-" else options.out, "w", encoding="utf-8") as file:
        json.dump({"schema_version": 1, "name": f"peers-drawn-{options.seed}",
                   "summary": f"{options.cases} cases drawn by scripts/peers/draw.py with seed {options.seed}",
                   "settings": {"point_seconds": 0.02, "check_operations": 3e6, "reference_seconds": 0.002,
                                "some_shapes": 4, "least_samples": 10, "most_samples": 40},
                   "entries": [draw(rng) for _ in range(options.cases)]}, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
