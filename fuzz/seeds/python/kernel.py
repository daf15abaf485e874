# A Triton kernel for several targets.
import triton
import triton.language as tl

LANES = 16
ROUND = f"rnde (M1, {LANES}) $0(0,0)<1> $1(0,0)<1;1,0>"


@triton.jit
def to_integers(x):
    return tl.inline_asm_elementwise(ROUND, "=rw,rw", [x.to(tl.float32)], tl.float32, True, 1)


@triton.jit
def sum_of_bytes(x, y):
    return tl.inline_asm_elementwise(
        """
        add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $2(1,0)<1;1,0>
        """,
        "=rw,rw,rw",
        [x.to(tl.uint8), y.to(tl.uint8)],
        dtype=tl.uint8,
        is_pure=True,
        pack=4,
    )


@triton.jit
def tanh(x):
    return tl.inline_asm_elementwise(
        "tanh.approx.f32 $0, $1;", "=r,r", [x], dtype=tl.float32, is_pure=True, pack=1
    )
