// Private arrays, generic pointers, constants and unaligned accesses.

#pragma OPENCL FP_CONTRACT OFF

constant int table_a[8] = {1, 5, 2, 7, 3, 9, 4, 8};
constant float table_b[4] = {0.5f, 1.5f, -2.0f, 3.25f};
constant char text[8] = "genvisa";

// run private_array --global 64 --local 32
//   o int 64 out
//   x int 64
KERNEL void private_array(global int *o, global const int *x) {
    int t[16];
    int i = get_global_id(0);
    for (int k = 0; k < 16; k++)
        t[k] = x[(i + k) & 63];
    for (int k = 0; k < 16; k++)
        t[x[k] & 15] += k * i;
    o[i] = t[x[i] & 15] + t[i & 15];
}

// run volatile_array --global 64 --local 16
//   o int 64 out
//   x int 64
KERNEL void volatile_array(global int *o, global const int *x) {
    volatile int t[16];
    int i = get_global_id(0);
    for (int k = 0; k < 16; k++)
        t[k] = x[k] * i;
    o[i] = t[x[i] & 15];
}

// run private_bytes --global 64 --local 32
//   o uint 64 out
//   x uchar 64
KERNEL void private_bytes(global uint *o, global const uchar *x) {
    uchar t[32];
    int i = get_global_id(0);
    for (int k = 0; k < 32; k++)
        t[k] = x[(i + k) & 63];
    for (int k = 31; k > 0; k--) {
        int j = t[k] % (k + 1);
        uchar v = t[k];
        t[k] = t[j];
        t[j] = v;
    }
    o[i] = t[i & 31] | t[(i + 1) & 31] << 8 | t[3] << 16;
}

// run private_doubled --global 32 --local 32
//   o long 32 out
//   x long 32
KERNEL void private_doubled(global long *o, global const long *x) {
    long t[8];
    int i = get_global_id(0);
    for (int k = 0; k < 8; k++)
        t[k] = x[(i * k) & 31];
    o[i] = t[x[i] & 7] * t[(x[i] >> 3) & 7];
}

// run constants --global 64 --local 64
//   o float 64 out
//   x int 64 0..7
KERNEL void constants(global float *o, global const int *x) {
    int i = get_global_id(0);
    o[i] = table_a[x[i]] * table_b[x[i] & 3] + text[x[63 - i]];
}

// run generic_pointer --global 64 --local 32
//   o int 64 out
//   x int 64
//   l local 128
//   z 3
KERNEL void generic_pointer(global int *o, global const int *x, local int *l, int z) {
    int t = get_local_id(0), i = get_global_id(0);
    int mine[4];
    for (int k = 0; k < 4; k++)
        mine[k] = x[(i + k) & 63] + k;
    l[t] = x[i] * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
#ifdef REFERENCE
    int v = i % 3 == 0 ? mine[z] : i % 3 == 1 ? l[(z + t) & 31] : x[z];
#else
    const int *p = i % 3 == 0 ? (const int *)mine : i % 3 == 1 ? (const int *)l : (const int *)x;
    int v = i % 3 == 1 ? p[(z + t) & 31] : p[z];
#endif
    o[i] = v;
}

// run unaligned --global 64 --local 32
//   o uchar 257 out
//   x uchar 260
KERNEL void unaligned(global uchar *o, global const uchar *x) {
    int i = get_global_id(0);
    uchar4 v = vload4(0, x + i * 4 + 1);
    vstore3(v.wyx, 0, o + i * 4 + 1);
}

// run scatter_short --global 64 --local 32
//   o short 128 out
//   x short 128
KERNEL void scatter_short(global short *o, global const short *x) {
    int i = get_global_id(0);
    o[i * 2 + (x[i] & 1)] = x[127 - i];
}

// run pointers --global 64 --local 32
//   a int 64 out
//   b int 64 out
//   c int 64
KERNEL void pointers(global int *a, global int *b, global const int *c) {
    int i = get_global_id(0);
    global int *p = c[i] & 1 ? a : b;
    *(p + i) = c[i] ^ 77;
}

// run linked_list --global 32 --local 32
//   o int 32 out
//   next int 32 0..31
KERNEL void linked_list(global int *o, global const int *next) {
    int i = get_global_id(0), at = i, sum = 0;
    for (int k = 0; k < 20; k++) {
        sum = sum * 3 + at;
        at = next[at];
    }
    o[i] = sum;
}

// run fourier --global 8 --local 8 --absolute 1e-4 --ulp 16
//   o float 32 out
//   x float 32 -1..1
KERNEL void fourier(global float2 *o, global const float2 *x) {
    local float2 a[16];
    int t = get_local_id(0);
    for (int k = 0; k < 2; k++) {
        int i = t * 2 + k;
        int r = (i & 1) << 3 | (i & 2) << 1 | (i & 4) >> 1 | (i & 8) >> 3;
        a[r] = x[i];
    }
    for (int h = 1; h < 16; h *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int i = t / h * h * 2 + t % h;
        float angle = -3.14159265f * (t % h) / h;
        float2 w = (float2)(cos(angle), sin(angle)), u = a[i], v = a[i + h];
        float2 p = (float2)(v.x * w.x - v.y * w.y, v.x * w.y + v.y * w.x);
        a[i] = u + p;
        a[i + h] = u - p;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    o[t] = a[t];
    o[t + 8] = a[t + 8];
}

// run split_barrier --global 64 --local 32
//   o int 64 out
//   x int 64
KERNEL void split_barrier(global int *o, global const int *x) {
    local int a[32];
    int t = get_local_id(0), i = get_global_id(0);
    a[t] = x[i];
#ifdef REFERENCE
    barrier(CLK_LOCAL_MEM_FENCE);
    int own = x[i] * 3;
#else
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    int own = x[i] * 3;
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
#endif
    o[i] = a[31 - t] + own;
}

// run fixed_group --global 16,8,2 --local 8,4,1
//   o int 256 out
__attribute__((reqd_work_group_size(8, 4, 1))) KERNEL void fixed_group(global int *o) {
    int i = get_global_id(0) + 16 * (get_global_id(1) + 8 * get_global_id(2));
    o[i] = get_local_id(0) + get_local_id(1) * 100 + get_group_id(2) * 10000;
}
