# SPDX-License-Identifier: Apache-2.0
"""The ways in which PyTorch can do the work of a case: the eager call, the same call compiled, and special ones.

Two calls of one way do equal work. A way that this PyTorch lacks raises an error, which its user reports."""
import ast
import contextlib
import dataclasses

import torch_table

QUANTISED = ("q8_0", "q4_0")
PICTURES = """conv2d conv_transpose2d max_pool2d avg_pool2d upsample_nearest upsample_bilinear global_avg_pool groupnorm
instancenorm batchnorm_inference batchnorm_training conv2d_backward_input conv2d_backward_weight max_pool2d_backward
avg_pool2d_backward batchnorm_backward""".split()
ATTENTION = {"FlashAttention": "FLASH_ATTENTION", "cuDNN attention": "CUDNN_ATTENTION",
             "efficient attention": "EFFICIENT_ATTENTION"}


@dataclasses.dataclass(frozen=True)
class Way:
    """One way: `before` is run once and not timed, `call` is timed."""
    name: str
    call: str
    before: str = ""
    compiled: bool = False
    attention: str = ""  # the only allowed backend of scaled_dot_product_attention


# The product of few rows x[m, k] with the weights w[n, k], by the names of each operator.
ROWS = {"matmul_nt": ("m", "n", "k"), "linear": ("m", "n", "k"), "q8_matmul_nt": ("m", "n", "k"),
        "matvec": ("1", "rows", "cols"), "q8_matvec": ("1", "rows", "cols")}


def quantised_ways(operator, dtype, call):
    """Yields the ways of a product with quantised weights. PyTorch has neither layout, so the nearest counts."""
    m, n, k = ROWS[operator]
    if call:
        yield Way("f16 weights", call)
    if dtype == "q4_0":
        yield Way("int4 weights", "torch._weight_int4pack_mm(x4, w4, 32, scales)",
                  f"x4 = torch.rand(({m}, {k}), device=device).to(torch.bfloat16)\n"
                  f"w4 = torch.randint(0, 255, ({n}, {k} // 2), dtype=torch.uint8, device=device)\n"
                  "w4 = torch._convert_weight_to_int4pack(w4, 8)\n"
                  f"scales = torch.rand(({k} // 32, {n}, 2), device=device).to(torch.bfloat16)")
    else:
        yield Way("int8 weights", "torch._weight_int8pack_mm(x8, w8, scales)",
                  f"x8 = torch.rand(({m}, {k}), device=device).to(torch.bfloat16)\n"
                  f"w8 = torch.randint(-128, 127, ({n}, {k}), dtype=torch.int8, device=device)\n"
                  f"scales = torch.rand(({n},), device=device).to(torch.bfloat16)")


def channels_last(inputs):
    """Returns the statements that turn the pictures among the inputs to NHWC."""
    return "\n".join(f"{name} = {name}.contiguous(memory_format=torch.channels_last)"
                     for name in inputs if name in ("x", "weight", "dy"))


def ways_of(operator, dtype, inputs):
    """Returns the ways for an operator with inputs of these names. The first is the eager call, if PyTorch has one."""
    call, before = torch_table.call_of(operator, inputs), torch_table.BEFORE.get(operator, "")
    if dtype in QUANTISED:
        return list(quantised_ways(operator, dtype, call)) if operator in ROWS else []
    if not call:
        return []
    out = [Way("eager", call, before), Way("torch.compile", call, before, compiled=True)]
    if operator in ("attention", "attention_masked"):
        out += [Way(name, call, before, attention=backend) for name, backend in ATTENTION.items()]
    if operator in PICTURES:
        out.append(Way("channels_last", call, "\n".join(filter(None, (channels_last(inputs), before)))))
    if operator == "matmul_i8":
        out.append(Way("b column-major", call, "b = b.t().contiguous().t()"))
    return out


class Numbers(ast.NodeTransformer):
    """Puts numbers in place of their names, so that a compiler sees constants."""

    def __init__(self, names):
        self.names = names

    def visit_Name(self, node):
        value = self.names.get(node.id)
        constant = isinstance(node.ctx, ast.Load) and isinstance(value, (int, float))
        return ast.copy_location(ast.Constant(value), node) if constant else node


def function_of(call, names):
    """Returns a function without arguments that evaluates the call. Tensors are arguments of an inner function."""
    tree = Numbers(names).visit(ast.parse(call, mode="eval"))
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    tensors = [name for name in sorted(used) if hasattr(names.get(name), "shape")]
    source = f"def work({', '.join(tensors)}):\n    return {ast.unparse(tree)}\n"
    place = dict(names)
    exec(compile(source, "<call>", "exec"), place)
    return place["work"], [names[name] for name in tensors]


@contextlib.contextmanager
def only_attention(torch, backend):
    if not backend:
        yield
        return
    with torch.nn.attention.sdpa_kernel(getattr(torch.nn.attention.SDPBackend, backend)):
        yield


def prepare(torch, way, names):
    """Returns a function without arguments that does the work in this way. Changes no name of the caller."""
    names = dict(names)
    if way.before:
        exec(way.before, names)
    function, tensors = function_of(way.call, names)
    if way.compiled:
        function = torch.compile(function, dynamic=False)

    def work():
        with only_attention(torch, way.attention):
            return function(*tensors)
    return work
