// Double precision, on devices that have it.
// devices pvc bmg

#pragma OPENCL FP_CONTRACT OFF

// run double_arithmetic --global 256 --local 64
//   o double 256 out
//   x double 256 -100..100
//   y double 256 -100..100
KERNEL void double_arithmetic(global double *o, global const double *x, global const double *y) {
    int i = get_global_id(0);
    double p = x[i] * y[i];
    o[i] = fma(p + x[255 - i], 3.0, -y[i]);
}

// run double_divide --global 256 --local 64
//   o double 512 out
//   x double 256 -100..100
//   y double 256 0.1..100
KERNEL void double_divide(global double *o, global const double *x, global const double *y) {
    int i = get_global_id(0);
    o[i * 2] = x[i] / y[i];
    o[i * 2 + 1] = sqrt(y[i]);
}

// run double_convert --global 128 --local 64
//   f float 128 out
//   n int 128 out
//   l long 128 out
//   d double 128 out
//   x double 128 -1e10..1e10
KERNEL void double_convert(global float *f, global int *n, global long *l, global double *d, global const double *x) {
    int i = get_global_id(0);
    double v = x[i] / (double)(1l << (i & 63));
    f[i] = convert_float(v);
    n[i] = convert_int_sat(v) + convert_int_sat_rte(v);
    l[i] = convert_long_sat(v * 1e5) ^ convert_ulong_sat(v);
    d[i] = convert_double(l[i]) + (double)n[i] + (double)f[i];
}

// run double_compare --global 128 --local 64
//   o int 128 out
//   x double 128 bits
//   y double 128 bits
KERNEL void double_compare(global int *o, global const double *x, global const double *y) {
    int i = get_global_id(0);
    double a = x[i], b = y[i];
    o[i] = (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | isnan(a) << 4 | isinf(b) << 5;
}

// run double_rounding --global 128 --local 64
//   o double 512 out
//   x double 128 -50..50
KERNEL void double_rounding(global double *o, global const double *x) {
    int i = get_global_id(0);
    o[i * 4] = floor(x[i]);
    o[i * 4 + 1] = ceil(x[i]);
    o[i * 4 + 2] = rint(x[i]);
    o[i * 4 + 3] = trunc(x[i]) + fmin(x[i], x[127 - i]);
}

// run double_sum --global 64 --local 64
//   o double 1 out
//   x double 64 -1..1
KERNEL void double_sum(global double *o, global const double *x) {
    local double sums[64];
    int t = get_local_id(0);
    sums[t] = x[t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s >>= 1) {
        if (t < s)
            sums[t] += sums[t + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        o[0] = sums[0];
}
