// Reductions, scans and histograms in shared local memory.

#pragma OPENCL FP_CONTRACT OFF

// run sum_tree --global 256 --local 64
//   o float 4 out
//   x float 256 -8..8
//   l local 256
KERNEL void sum_tree(global float *o, global const float *x, local float *l) {
    uint t = get_local_id(0);
    l[t] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (t < s)
            l[t] += l[t + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        o[get_group_id(0)] = l[0];
}

// run maximum --global 200 --local 50
//   o int 8 out
//   x int 200
KERNEL void maximum(global int *o, global const int *x) {
    local int values[64], places[64];
    uint t = get_local_id(0);
    values[t] = x[get_global_id(0)];
    places[t] = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) {
        int best = values[0], place = 0;
        for (uint k = 1; k < get_local_size(0); k++) {
            if (values[k] > best) {
                best = values[k];
                place = places[k];
            }
        }
        o[get_group_id(0) * 2] = best;
        o[get_group_id(0) * 2 + 1] = place;
    }
}

// run scan_inclusive --global 128 --local 64
//   o int 128 out
//   x int 128 -100..100
KERNEL void scan_inclusive(global int *o, global const int *x) {
    local int a[2][64];
    int t = get_local_id(0), from = 0;
    a[0][t] = x[get_global_id(0)];
    for (int d = 1; d < 64; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        a[1 - from][t] = t >= d ? a[from][t] + a[from][t - d] : a[from][t];
        from = 1 - from;
    }
    o[get_global_id(0)] = a[from][t];
}

// run scan_exclusive --global 64 --local 64
//   o uint 128 out
//   x uint 128 0..100
KERNEL void scan_exclusive(global uint *o, global const uint *x) {
    local uint a[128];
    uint t = get_local_id(0), d = 1;
    a[2 * t] = x[2 * t];
    a[2 * t + 1] = x[2 * t + 1];
    for (uint n = 64; n > 0; n >>= 1, d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < n)
            a[d * (2 * t + 2) - 1] += a[d * (2 * t + 1) - 1];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0)
        a[127] = 0;
    for (uint n = 1; n <= 64; n *= 2) {
        d >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < n) {
            uint v = a[d * (2 * t + 1) - 1];
            a[d * (2 * t + 1) - 1] = a[d * (2 * t + 2) - 1];
            a[d * (2 * t + 2) - 1] += v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    o[2 * t] = a[2 * t];
    o[2 * t + 1] = a[2 * t + 1];
}

// run segmented_sum --global 16 --local 16
//   o int 16 out
//   start int 17 ramp 8
//   x int 128 -50..50
KERNEL void segmented_sum(global int *o, global const int *start, global const int *x) {
    int i = get_global_id(0), sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
        sum += x[k];
    o[i] = sum;
}

// run histogram --global 256 --local 64
//   o uint 16 0..0 out
//   x uchar 256
KERNEL void histogram(global uint *o, global const uchar *x) {
    local uint bins[16];
    int t = get_local_id(0);
    if (t < 16)
        bins[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[x[get_global_id(0)] >> 4]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 16)
        atomic_add(&o[t], bins[t]);
}

// run two_locals --global 64 --local 32
//   o int 64 out
//   x int 64
//   a local 128
//   b local 128
KERNEL void two_locals(global int *o, global const int *x, local int *a, local int *b) {
    local int c[32];
    int t = get_local_id(0), g = get_global_id(0);
    a[t] = x[g];
    b[t] = x[g] * 2;
    c[t] = x[g] ^ t;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[g] = a[t ^ 1] + b[t ^ 2] + c[31 - t];
}

// run local_types --global 64 --local 64
//   o long 64 out
//   x long 64
KERNEL void local_types(global long *o, global const long *x) {
    local uchar c[64];
    local short s[64];
    local long l[64];
    local float4 f[64];
    int t = get_local_id(0);
    c[t] = x[t];
    s[t] = x[t] >> 8;
    l[t] = x[t];
    f[t] = (float4)(t, t + 1, t + 2, t + 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    o[t] = c[63 - t] + s[t ^ 5] + l[t ^ 9] + (long)f[t ^ 17].z;
}

// run variance --global 64 --local 64 --ulp 4
//   o float 2 out
//   x float 64 -8..8
KERNEL void variance(global float *o, global const float *x) {
    local float a[64], b[64];
    int t = get_local_id(0);
    a[t] = x[t];
    b[t] = x[t] * x[t];
    for (int s = 32; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < s) {
            a[t] += a[t + s];
            b[t] += b[t + s];
        }
    }
    if (t == 0) {
        o[0] = a[0] / 64;
        o[1] = b[0] / 64 - o[0] * o[0];
    }
}
