// Elements of bytes that the compiler combines to larger ones at any address, and members of packed
// structures.

// run three --global 32 --local 32
//   o uchar 96 out
//   a uchar 96
kernel void three(global uchar *o, global const uchar *a) {
    local uchar t[96];
    int x = get_local_id(0);
    for (int i = 0; i < 3; i++)
        t[3 * x + i] = a[3 * x + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 3; i++)
        o[3 * x + i] = t[95 - 3 * x - i] + i;
}

// run nine --global 32 --local 32
//   o uchar 288 out
//   a uchar 288
kernel void nine(global uchar *o, global const uchar *a) {
    local uchar t[288];
    int x = get_local_id(0);
    for (int i = 0; i < 9; i++)
        t[9 * x + i] = a[9 * x + i] ^ i;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 9; i++)
        o[9 * x + i] = t[9 * (31 - x) + i];
}

// run vectors --global 32 --local 32
//   o uint 32 out
//   a uchar 256
//   t local 512
kernel void vectors(global uint *o, global const uchar *a, local uchar *t) {
    int x = get_local_id(0);
    vstore4(vload4(x, a), 0, t + 5 * x);
    vstore2(vload2(x, (global const ushort *)a), 0, (local ushort *)(t + 200 + 6 * x));
    barrier(CLK_LOCAL_MEM_FENCE);
    o[x] = as_uint(vload4(0, t + 5 * (31 - x))) + as_uint(vload2(0, (local ushort *)(t + 386 - 6 * x)));
}

typedef struct __attribute__((packed)) {
    char c;
    uint4 v;
    long l;
    short s;
} packed_t;

// run packed --global 32 --local 32
//   o uchar 864 out
//   a uchar 864
kernel void packed(global packed_t *o, global const packed_t *a) {
    local packed_t t[32];
    int x = get_local_id(0);
    t[x] = a[x];
    barrier(CLK_LOCAL_MEM_FENCE);
    packed_t r = t[31 - x];
    r.l += x;
    r.s ^= r.c;
    o[x] = r;
}

typedef struct __attribute__((packed, aligned(4))) {
    int c;
    long l;
    ulong m;
} dwords_t;

// run dwords --global 32 --local 32
//   o uint 160 out
//   a uint 160
kernel void dwords(global dwords_t *o, global const dwords_t *a) {
    local dwords_t t[32];
    int x = get_local_id(0);
    t[x] = a[x];
    barrier(CLK_LOCAL_MEM_FENCE);
    dwords_t r = t[31 - x];
    r.l += r.c;
    r.m -= x;
    o[x] = r;
}

// run prints --global 64 --local 32
//   o int 64 out
kernel void prints(global int *o) {
    int g = get_global_id(0);
    printf("g=%d a=%d %f\n", g, g + 1, g * 0.5f);
    o[g] = g;
}
