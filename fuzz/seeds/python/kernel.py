ADD = '''add (M1, {n}) $0(0,0)<1> {a}'''
def f(x, y: int = 1, *rest):
    code = ADD.format(n=8, a="$1(0,0)<1;1,0>") + '\n' if y else r"mov (M1, 8) " f"{y}\x41"
    a, b = inline_asm_elementwise(x, asm_str=code, constraints="=rw,rw", dtype=torch.int32, is_pure=1, pack=2)
    return '\n'.join(["kernel void k() {", 'asm("barrier");', "}"]) % (a, b)
