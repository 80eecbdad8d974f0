#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""peers_check.py PROGRAM: tests times of other programs on small known inputs: logs, a made-up PyTorch, and the figures
shown by the program."""
import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

HERE = pathlib.Path(__file__).resolve().parents[1]
ROOT = HERE.parents[1]
RESULT = ROOT / "reports/examples/nvidia-h200/quick.json"
PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())

GGML = """Backend 1/1: Vulkan0
  MUL_MAT(type_a=f16,type_b=f32,m=4096,n=512,k=14336,bs=[1,1],nr=[1,1],per=[0,1,2,3],k_v=0,o=1): \
   126 runs -   401.25 us/run -  60.13 GFLOP/run - \x1b[1;34m 149.85 TFLOPS\x1b[0m
  MUL_MAT(type_a=q4_0,type_b=f32,m=14336,n=1,k=4096,bs=[1,1],nr=[1,1]):   852 runs -    22.20 us/run - 117.44 MFLOP/run
  MUL_MAT(type_a=f16,type_b=f32,m=64,n=64,k=64,bs=[4,1],nr=[1,1]):   852 runs -    2.00 us/run
  MUL_MAT(type_a=iq2_xs,type_b=f32,m=4096,n=1,k=14336,bs=[1,1],nr=[1,1]):   852 runs -   130.00 us/run
  FLASH_ATTN_EXT(hsk=128,hsv=128,nh=8,nr23=[4,1],kv=4096,nb=1,mask=0,sinks=0,type_KV=f16): 100 runs -  15.10 us/run
  SOFT_MAX(type=f32,ne=[4096,4096,5,1],mask=0,sinks=0,m_prec=f32): 2080 runs -   480.81 us/run - 655360 kB/run
  ADD(type=f32,ne=[4096,1,1,1],nr=[1,1,1,1],nf=1): 9000 runs -  1.10 us/run
"""
GGML_TIMES = {
    ("matmul_nt", "f16", ("k", 14336), ("m", 512), ("n", 4096)): 401250.0,
    ("matvec", "q4_0", ("cols", 4096), ("rows", 14336)): 22200.0,
    ("attention", "f16", ("batch", 1), ("causal", 0), ("head_dim", 128), ("heads", 32), ("keys", 4096),
     ("kv_heads", 8), ("queries", 1)): 15100.0,
    ("softmax", "f32", ("cols", 4096), ("rows", 20480)): 480810.0,
}
MATRIX = """
shader: shaders/shmemfp32.spv

cooperativeMatrixProps = 16x8x16   A = float16_t B = float16_t C = float32_t D = float32_t scope = subgroup 
TILE_M=128 TILE_N=128, TILE_K=16 BColMajor=0 workgroupSize=256   150.000000 TFlops
TILE_M=128 TILE_N=256, TILE_K=16 BColMajor=0 workgroupSize=256   177.000000 TFlops
TILE_M=192 TILE_N=128, TILE_K=16 BColMajor=0 workgroupSize=256   900.000000 TFlops

shader: shaders/shmemfp16.spv

cooperativeMatrixProps = 16x8x16   A = float16_t B = float16_t C = float16_t D = float16_t scope = subgroup 
TILE_M=128 TILE_N=256, TILE_K=32 BColMajor=0 workgroupSize=256   282.000000 TFlops
"""

# A stand-in for PyTorch on the processor. Its tensors only have shapes. Each call takes the time that it says, and
# attention is fastest by the backend FLASH. It has no torch.compile and no int8 products.
TORCH = '''
import time
chosen = []
class Tensor:
    def __init__(self, shape, last=False): self.shape, self.last = tuple(shape), last
    def to(self, kind): return self
    def contiguous(self, memory_format): return Tensor(self.shape, True)
    def numel(self):
        count = 1
        for size in self.shape: count *= size
        return count
    def __mul__(self, other): return self
    def __add__(self, other): return self
    def __matmul__(self, other): return Tensor((self.shape[0], other.shape[1]))
    def t(self): return Tensor(self.shape[::-1])
def rand(shape, device): return Tensor(shape)
def randint(low, high, shape, device, dtype=None): return Tensor(shape)
def _convert_weight_to_int4pack(w, tiles): return w
def _weight_int4pack_mm(x, w, group, scales): return Tensor((x.shape[0], w.shape[0]))
class no_grad:
    def __enter__(self): pass
    def __exit__(self, *ignored): pass
class nn:
    class functional:
        @staticmethod
        def softmax(x, dim): return Tensor((1,)) # of another size: must be left out
        @staticmethod
        def max_pool2d(x, *ignored):
            time.sleep(0.001 if x.last else 0.01)
            return Tensor((x.shape[0], x.shape[1], x.shape[2] // 2, x.shape[3] // 2))
        @staticmethod
        def scaled_dot_product_attention(q, k, v, is_causal, scale, enable_gqa):
            if chosen == ["cuDNN"]: raise RuntimeError("no cuDNN here")
            time.sleep(0.001 if chosen == ["FLASH"] else 0.01)
            return q
    class attention:
        class SDPBackend: FLASH_ATTENTION, CUDNN_ATTENTION, EFFICIENT_ATTENTION = "FLASH", "cuDNN", "EFFICIENT"
        class sdpa_kernel:
            def __init__(self, backend): self.backend = backend
            def __enter__(self): chosen.append(self.backend)
            def __exit__(self, *ignored): chosen.pop()
class backends:
    class cuda:
        class matmul: pass
    class cudnn: pass
class cuda:
    @staticmethod
    def is_available(): return False
float32, float16, bfloat16, int32, uint8, int8, channels_last = range(7)
__version__ = "0.made-up"
'''
POOL = {"n": 1, "c": 2, "h": 4, "w": 4, "kh": 2, "kw": 2, "stride": 2, "pad": 0, "dilation": 1, "ceil": 0}
HEADS = {"batch": 1, "heads": 2, "kv_heads": 2, "queries": 3, "keys": 3, "head_dim": 4, "causal": 0}
CASES = (("matmul", "f32", {"m": 3, "n": 5, "k": 7}, "pass"), ("matmul", "f32", {"m": 3, "n": 5, "k": 7}, "pass"),
         ("matmul", "f32", {"m": 4, "n": 5, "k": 7}, "fail"), ("softmax", "f32", {"rows": 4, "cols": 6}, "pass"),
         ("matmul_nt", "q4_0", {"m": 4, "n": 8, "k": 32}, "pass"), ("matvec", "q8_0", {"rows": 4, "cols": 32}, "pass"),
         ("cos", "f32", {"n": 9}, "pass"), ("max_pool2d", "f16", POOL, "pass"), ("attention", "f16", HEADS, "pass"),
         ("matmul_i8", "i8", {"m": 3, "n": 5, "k": 8}, "pass"), ("copy2d", "f32", {"rows": 2}, "pass"))


def run(*words, **more):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, **more).stdout


def keyed(peers, name):
    return {(one["operator"], one["dtype"], *sorted(one["dims"].items())): one["median_ns"]
            for one in peers["times"] if one["peer"] == name}


def expect(what, got, want):
    if got != want:
        sys.exit(f"{what}: expected {want}, found {got}")


def logs_are_read(folder):
    (folder / "ggml.log").write_text(GGML, encoding="utf-8")
    (folder / "matrix.log").write_text(MATRIX, encoding="utf-8")
    run(sys.executable, HERE / "read.py", folder / "ggml.log", folder / "matrix.log", "--out", folder / "peers.json")
    peers = json.loads((folder / "peers.json").read_text(encoding="utf-8"))
    expect("ggml", keyed(peers, "ggml"), GGML_TIMES)
    matrix = keyed(peers, "vk_cooperative_matrix_perf")
    key = ("matmul", "f16", ("k", 4096), ("m", 4096), ("n", 4096))
    expect("cases of vk_cooperative_matrix_perf", list(matrix), [key])
    expect("its best tile", round(matrix[key]), round(2 * 4096 ** 3 / 177e3))


def by_peer(peers, name):
    return {one["operator"]: one for one in peers["times"] if one["peer"] == name}


def reasons(peers, name):
    return {one["operator"]: one["reason"] for one in peers["left_out"] if one["peer"] == name}


def made_up(folder):
    """A made-up PyTorch times each case in the ways that it has, and says which ways failed and why."""
    (folder / "lib").mkdir()
    (folder / "lib/torch.py").write_text(TORCH, encoding="utf-8")
    (folder / "run").mkdir()
    times = {"compute": {"median_ns": 5.0}}
    records = [{"operator": operator, "dtype": dtype, "dims": dims, "status": status, "time": times}
               for operator, dtype, dims, status in CASES]
    (folder / "run/result.json").write_text(json.dumps({"records": records}), encoding="utf-8")
    run(sys.executable, HERE / "torch.py", folder / "run/result.json", "--program", PROGRAM, "--seconds", "0.001",
        "--into", folder / "peers.json", "--out", folder / "both.json",
        env={"PYTHONPATH": str(folder / "lib"), "PATH": "/usr/bin:/bin"})
    peers = json.loads((folder / "both.json").read_text(encoding="utf-8"))
    expect("other programs stay", keyed(peers, "ggml"), GGML_TIMES)
    schema = json.loads((ROOT / "reports/schema/peers.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator(schema).validate(peers)
    eager, best, nhwc = (by_peer(peers, name) for name in ("PyTorch", "PyTorch best", "PyTorch NHWC"))
    expect("cases with an eager call", sorted(eager), ["attention", "matmul", "max_pool2d"])
    expect("cases with any call", sorted(best), ["attention", "matmul", "matmul_nt", "max_pool2d"])
    expect("pictures in NHWC", list(nhwc), ["max_pool2d"])
    expect("the fastest attention", best["attention"]["call"].partition(":")[0], "FlashAttention")
    expect("the fastest pool", best["max_pool2d"]["call"].partition(":")[0], "channels_last")
    for operator in ("attention", "max_pool2d"):
        expect(f"{operator}: the best is faster", best[operator]["median_ns"] < eager[operator]["median_ns"] / 2, True)
    expect("one way is both", best["matmul"]["median_ns"], eager["matmul"]["median_ns"])
    ways = {one["way"]: one.get("reason") for one in best["attention"]["ways"]}
    expect("ways of attention", sorted(ways), ["FlashAttention", "cuDNN attention", "eager", "efficient attention",
                                              "torch.compile"])
    expect("a way that fails", ways["cuDNN attention"], "no cuDNN here")
    expect("a way that this PyTorch lacks", "compile" in ways["torch.compile"], True)
    expect("weights of 4 bits", {one["way"] for one in best["matmul_nt"]["ways"] if "median_ns" in one},
           {"f16 weights", "int4 weights"})
    expect("why no eager time", reasons(peers, "PyTorch"), {
        "softmax": "F.softmax(x, 1): another number of elements", "matmul_nt": "PyTorch has no eager call for q4_0",
        "matvec": "PyTorch has no eager call for q8_0", "cos": "torch.cos(x): module 'torch' has no attribute 'cos'",
        "matmul_i8": "torch._int_mm(a, b): module 'torch' has no attribute '_int_mm'",
        "copy2d": "PyTorch has no call of the same work"})
    expect("cases without any time", sorted(reasons(peers, "PyTorch best")), ["copy2d", "cos", "matmul_i8", "matvec", "softmax"])


def wide_cases_have_calls():
    """PyTorch has a call for each operator of the suite peers-wide, peaks apart."""
    sys.path.insert(0, str(HERE))
    import torch_table
    entries = json.loads((ROOT / "suites/peers-wide.json").read_text(encoding="utf-8"))["entries"]
    names = {name.partition(".")[0] for one in entries if "peak" not in one
             for name in one.get("kernels", [one.get("kernel")])}
    expect("operators of peers-wide without a call", sorted(names - set(torch_table.CALLS)), [])


def suites_are_drawn(folder):
    """A drawn suite is the same for the same seed, valid, of the number of cases asked for, and known to PyTorch."""
    import draw
    import torch_table
    drawn = [name for _, operators, *_ in draw.DRAWS for name in operators]
    expect("operators without a call", sorted(set(drawn) - set(torch_table.CALLS)), [])

    def text(seed, name):
        run(sys.executable, HERE / "draw.py", "--seed", seed, "--cases", 1000, "--out", folder / name)
        return (folder / name).read_text(encoding="utf-8")
    suite = text(5, "a.json")
    expect("the same suite of one seed", text(5, "b.json"), suite)
    expect("another one of another", text(6, "b.json") == suite, False)
    points = run(PROGRAM, "list", "points", "--suite", folder / "a.json").split()
    expect("cases with points", {point.partition(".")[0] for point in points if "/" in point} >= set(drawn), True)


def a_figure_stands_beside_its_case(folder):
    """A time of half ours is shown as 0.50x at its case, and nowhere else."""
    records = json.loads(RESULT.read_text(encoding="utf-8"))["records"]
    record = next(one for one in records
                  if one["operator"] == "rope_half_backward" and (one["time"] or {}).get("compute"))
    points = [one for one in records if one["operator"] == record["operator"] and one["dims"] == record["dims"]]
    half = {"peer": "Other", "operator": record["operator"], "dtype": record["dtype"], "dims": record["dims"],
            "median_ns": record["time"]["compute"]["median_ns"] / 2}
    path = folder / "half.json"
    path.write_text(json.dumps({"schema_version": 1, "peers": [{"name": "Other"}], "times": [half], "left_out": []}),
                    encoding="utf-8")
    text = run(PROGRAM, "export", RESULT, "--peers", path, "--format", "markdown")
    expect("mentions in markdown", text.count("Other 0.50x"), 1)
    rows = run(PROGRAM, "export", RESULT, "--peers", path, "--format", "csv").splitlines()
    expect("the column in CSV", rows[0].split(",")[-1], "others_ns.Other")
    expect("cells with a time", sum(1 for row in rows[1:] if not row.endswith(",")), len(points))
    few = {**json.loads(RESULT.read_text(encoding="utf-8")), "records": points}
    (folder / "few.json").write_text(json.dumps(few), encoding="utf-8")
    text = run(PROGRAM, "report", folder / "few.json", "--peers", path, "--out", folder / "page")
    expect("the terminal", "Other 0.50x" in text and "others: their time / time of the best shape" in text, True)
    expect("the chart of its family, and of no other",
           [one.name for one in sorted((folder / "page/data").glob("peers-*"))], ["peers-backward.dat"])
    page = (folder / "page/report.html").read_text(encoding="utf-8")
    expect("the page", "Other 0.50x" in page and "backward: against others" in page, True)
    expect("without it", "Other" in run(PROGRAM, "export", RESULT, "--format", "markdown"), False)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        logs_are_read(folder)
        made_up(folder)
        wide_cases_have_calls()
        suites_are_drawn(folder)
        a_figure_stands_beside_its_case(folder)
    print("peers: all as known")


if __name__ == "__main__":
    main()
