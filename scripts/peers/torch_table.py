# SPDX-License-Identifier: Apache-2.0
"""The PyTorch call for each operator: an expression of the names of operands, dims and parameters.

An operator is missing here if PyTorch has no call for the same work. It is left out, and this is the reason given.
"""

SAME_NAME = """abs sign square reciprocal sqrt rsqrt exp log sin cos floor ceil round erf sigmoid tanh minimum maximum
pow neg eq ne lt le gt ge logical_and logical_or logical_xor logical_not""".split()
FUNCTIONAL = """relu silu softplus hardswish hardsigmoid softsign elu leaky_relu""".split()

CALLS = {
    "add": "a + b", "sub": "a - b", "mul": "a * b", "div": "a / b", "fma": "torch.addcmul(c, a, b)",
    "mul_add_sqrt": "torch.sqrt(torch.addcmul(c, a, b))", "scale": "x * scale", "affine": "x * m + a",
    "add_scalar": "x + s", "broadcast_add": "a + b", "broadcast_mul": "a * b",
    "where": "torch.where(cond.bool(), a, b)", "clamp": "torch.clamp(x, low, high)",
    "gelu_tanh": "F.gelu(x, approximate='tanh')", "gelu_erf": "F.gelu(x)", "gelu_quick": "x * torch.sigmoid(1.702 * x)",
    "swiglu": "F.silu(gate) * up", "geglu": "F.gelu(gate, approximate='tanh') * up", "reglu": "F.relu(gate) * up",
    "copy": "x.clone()", "cast": "x.to(case)", "cast_f32": "x.float()", "transpose": "x.t().contiguous()",
    "permute": "x.permute(p0, p1, p2, p3).contiguous()", "flip": "x.flip(1)", "concat": "torch.cat((a, b), 1)",
    "slice": "x[:, start:start + step * (length - 1) + 1:step].contiguous()",
    "sum": "x.sum()", "sum_rows": "x.sum(1)", "sum_cols": "x.sum(0)", "mean": "x.mean()", "mean_rows": "x.mean(1)",
    "prod": "x.prod()", "prod_rows": "x.prod(1)", "l2_norm": "torch.linalg.vector_norm(x)",
    "l2_norm_rows": "torch.linalg.vector_norm(x, dim=1)", "max": "x.max()", "max_rows": "x.amax(1)", "min": "x.min()",
    "min_rows": "x.amin(1)", "argmax": "x.argmax()", "argmax_rows": "x.argmax(1)", "argmin": "x.argmin()",
    "argmin_rows": "x.argmin(1)", "any": "x.any()", "all": "x.all()",
    "variance": "x.var(correction=int(correction))", "variance_rows": "x.var(1, correction=int(correction))",
    "sum_axis": "x.sum(1)", "mean_axis": "x.mean(1)", "max_axis": "x.amax(1)", "logsumexp": "x.logsumexp(1)", "cumsum": "x.cumsum(1)", "topk": "x.topk(k, 1)", "argsort": "x.argsort(1)",
    "softmax": "F.softmax(x, 1)", "log_softmax": "F.log_softmax(x, 1)",
    "rmsnorm": "F.rms_norm(x, (cols,), w, eps)", "layernorm": "F.layer_norm(x, (cols,), gamma, beta, eps)",
    "groupnorm": "F.group_norm(x, groups, gamma, beta, eps)",
    "instancenorm": "F.instance_norm(x, None, None, gamma, beta, True, 0.1, eps)",
    "batchnorm_inference": "F.batch_norm(x, mean, var, gamma, beta, False, 0.1, eps)",
    "matvec": "torch.mv(w, x)", "matmul": "a @ b", "matmul_nt": "a @ b.t()", "matmul_tn": "a.t() @ b",
    "bmm": "torch.matmul(a, b)", "outer": "torch.outer(a, b)", "dot": "torch.dot(a, b)",
    "linear": "F.linear(x, w, bias)", "linear_relu": "F.relu(F.linear(x, w, bias))",
    "linear_gelu": "F.gelu(F.linear(x, w, bias), approximate='tanh')",
    "mlp": "(F.silu(x @ gate.t()) * (x @ up.t())) @ down.t()",
    "attention": "F.scaled_dot_product_attention(q, k, v, is_causal=bool(causal), scale=scale,"
                 " enable_gqa=heads != kv_heads)",
    "attention_masked":
        "F.scaled_dot_product_attention(q, k, v, mask, scale=scale, enable_gqa=heads != kv_heads)",
    "repeat_kv": "x.repeat_interleave(repeats, 1)",
    "rope_half": "torch.cat((x[..., :half] * cos[:, None] - x[..., half:] * sin[:, None],"
                 " x[..., half:] * cos[:, None] + x[..., :half] * sin[:, None]), -1)",
    "embedding": "F.embedding(index, table)", "index_select": "x.index_select(1, index)",
    "gather": "x.gather(1, index)", "gather_random": "x[index]",
    "conv1d": "F.conv1d(x, weight, bias, stride, pad, dilation, groups)",
    "conv2d": "F.conv2d(x, weight, bias, stride, pad, dilation, groups)",
    "conv_transpose1d": "F.conv_transpose1d(x, weight, bias, stride, pad, output_pad, groups, dilation)",
    "conv_transpose2d": "F.conv_transpose2d(x, weight, bias, stride, pad, output_pad, groups, dilation)",
    "im2col": "F.unfold(x, (kh, kw), dilation, pad, stride)",
    "max_pool1d": "F.max_pool1d(x, kw, stride, pad, dilation, bool(ceil))",
    "max_pool2d": "F.max_pool2d(x, (kh, kw), stride, pad, dilation, bool(ceil))",
    "avg_pool1d": "F.avg_pool1d(x, kw, stride, pad, bool(ceil), bool(count_include_pad))",
    "avg_pool2d": "F.avg_pool2d(x, (kh, kw), stride, pad, bool(ceil), bool(count_include_pad))",
    "global_avg_pool": "x.mean((2, 3))", "upsample_nearest": "F.interpolate(x, (oh, ow))",
    "upsample_bilinear": "F.interpolate(x, (oh, ow), mode='bilinear', align_corners=bool(align_corners))",
    "conv2d_backward_input": "torch.nn.grad.conv2d_input((n, cin, h, w), weight, dy, stride, pad, dilation, groups)",
    "conv2d_backward_weight":
        "torch.nn.grad.conv2d_weight(x, (cout, cin // groups, kh, kw), dy, stride, pad, dilation, groups)",
    "conv2d_backward_bias": "dy.sum((0, 2, 3))", "softmax_backward": "torch._softmax_backward_data(dy, y, 1, dy.dtype)",
    "log_softmax_backward": "torch._log_softmax_backward_data(dy, y, 1, dy.dtype)",
    "mse": "F.mse_loss(x, target)", "l1": "F.l1_loss(x, target)",
    "bce_with_logits": "F.binary_cross_entropy_with_logits(x, target)",
    "add_rmsnorm": "(r := x + res, F.rms_norm(r, (cols,), w, eps))", "bce": "F.binary_cross_entropy(x.abs(), target.abs())",
    "normalise": "(x - mean[:, None, None]) / std[:, None, None]", "attention_scores": "torch.mv(k, q) * scale",
    "weighted_sum": "torch.mv(v.t(), w)", "relu_backward": "torch.ops.aten.threshold_backward(dy, x, 0)",
    "sigmoid_backward": "torch.ops.aten.sigmoid_backward(dy, y)",
    "tanh_backward": "torch.ops.aten.tanh_backward(dy, y)",
    "silu_backward": "torch.ops.aten.silu_backward(dy, x)",
    "gelu_tanh_backward": "torch.ops.aten.gelu_backward(dy, x, approximate='tanh')",
    "gelu_erf_backward": "torch.ops.aten.gelu_backward(dy, x)",
    "elu_backward": "torch.ops.aten.elu_backward(dy, alpha, 1, 1, False, x)",
    "mse_backward": "torch.ops.aten.mse_loss_backward(dy, x, target, 1)",
    "embedding_backward": "torch.ops.aten.embedding_dense_backward(dy, index, rows, -1, False)",
    "scatter": "y.scatter_(1, index, src)", "scatter_add": "y.scatter_add_(1, index, src)",
    "index_add": "y.index_add_(1, index, src)", "nll": "F.nll_loss(x, target)",
    "cross_entropy": "F.cross_entropy(x, target, label_smoothing=label_smoothing)",
    "q8_matvec": "torch.mv(w, x)", "q8_matmul_nt": "a @ b.t()",
    "matmul_i8": "torch._int_mm(a, b)", "tile": "x.tile((down, across))", "fill": "torch.full((n,), value, dtype=case,"
    " device=device)", "pad": "F.pad(x, (left, right, top, bottom), value=value)",
    "kv_append": "cache[:, :, position:position + seq].copy_(x)", "dropout": "F.dropout(x, p)",
    "rand_uniform": "torch.rand((n,), dtype=case, device=device)",
    "rand_normal": "torch.randn((n,), dtype=case, device=device)",
    "batchnorm_training": "F.batch_norm(x, running_mean, running_var, gamma, beta, True, momentum, eps)",
    "layernorm_backward": "torch.ops.aten.native_layer_norm_backward(dy, x, [cols], mean, rstd, gamma, gamma,"
                          " [True, True, True])",
    "rmsnorm_backward": "torch.ops.aten._fused_rms_norm_backward(dy, x, [cols], rstd, w, [True, True])",
    "batchnorm_backward": "torch.ops.aten.native_batch_norm_backward(dy, x, gamma, None, None, mean, invstd, True, eps,"
                          " [True, True, True])",
    "max_pool2d_backward": "torch.ops.aten.max_pool2d_with_indices_backward(dy, x, [kh, kw], [stride, stride],"
                           " [pad, pad], [dilation, dilation], bool(ceil), index)",
    "avg_pool2d_backward": "torch.ops.aten.avg_pool2d_backward(dy, x, [kh, kw], [stride, stride], [pad, pad],"
                           " bool(ceil), bool(count_include_pad), None)",
    "attention_backward": "torch.ops.aten._scaled_dot_product_efficient_attention_backward(do, q, k, v, None, o,"
                          " logsumexp, seed, offset, 0.0, [True, True, True, False], bool(causal), scale=scale)",
}
# Statements run once before the timed call: the values that PyTorch's forward call keeps for its backward call.
BEFORE = {
    "layernorm_backward": "_, mean, rstd = torch.ops.aten.native_layer_norm(x, [cols], gamma, gamma, eps)",
    "rmsnorm_backward": "_, rstd = torch.ops.aten._fused_rms_norm(x, [cols], w, eps)",
    "batchnorm_backward": "mean, invstd = mean.float(), torch.rsqrt(var.float() + eps)",
    "max_pool2d_backward": "_, index = torch.ops.aten.max_pool2d_with_indices(x, [kh, kw], [stride, stride], [pad, pad],"
                           " [dilation, dilation], bool(ceil))",
    "avg_pool2d_backward": "x = torch.empty((n, c, h, w), dtype=dy.dtype, device=device)\n"
                           "x = x.contiguous(memory_format=torch.channels_last) if dy.is_contiguous("
                           "memory_format=torch.channels_last) else x",
    "attention_backward": "o, logsumexp, seed, offset = torch.ops.aten._scaled_dot_product_efficient_attention(q, k, v,"
                          " None, True, 0.0, bool(causal), scale=scale)",
}
CALLS.update({name: f"torch.{name}({{}})" for name in SAME_NAME})
CALLS.update({name: f"F.{name}({{}})" for name in FUNCTIONAL})
CALLS["elu"] = "F.elu(x, alpha)"
CALLS["leaky_relu"] = "F.leaky_relu(x, slope)"

# The dims that bound the indices.
BELOW = {"embedding": "rows", "index_select": "size", "gather": "size", "gather_random": "n", "nll": "cols",
         "cross_entropy": "cols", "embedding_backward": "rows", "scatter": "size", "scatter_add": "size",
         "index_add": "size"}


def call_of(operator, inputs):
    """Returns the expression for an operator with inputs of these names, or None."""
    call = CALLS.get(operator)
    return call.format(", ".join(inputs)) if call and "{}" in call else call


def derived(dims):
    """Returns the dims and those derived from them, as far as shapes of inputs and calls need them."""
    out = dict(dims)
    if "groups" in dims and "cin" in dims:
        out.setdefault("cin_group", dims["cin"] // dims["groups"])
        out.setdefault("cout_group", dims["cout"] // dims["groups"])
    if "head_dim" in dims:
        out.setdefault("half", dims["head_dim"] // 2)
    for size, window, result in (("h", "kh", "oh"), ("w", "kw", "ow")):
        if size in dims and window in dims and "output_pad" not in dims:
            reach = dims.get("dilation", 1) * (dims[window] - 1) + 1
            room = dims[size] + 2 * dims["pad"] - reach
            out.setdefault(result, (room + (dims["stride"] - 1 if dims.get("ceil") else 0)) // dims["stride"] + 1)
    for i in range(4):
        if f"a{i}" in dims and f"b{i}" in dims:
            out.setdefault(f"y{i}", max(dims[f"a{i}"], dims[f"b{i}"]))
    return out
