// IEEE operations, which are compared bit for bit.
// options -cl-fp32-correctly-rounded-divide-sqrt

#pragma OPENCL FP_CONTRACT OFF

// run arithmetic --global 256 --local 64
//   o float 256 out
//   x float 256 -100..100
//   y float 256 -100..100
KERNEL void arithmetic(global float *o, global const float *x, global const float *y) {
    int i = get_global_id(0);
    float a = x[i] * y[i];
    o[i] = a + x[255 - i] - y[i ^ 1];
}

// run special_arithmetic --global 512 --local 64
//   a float 512 out
//   b float 512 out
//   x float 512 bits
//   y float 512 bits
KERNEL void special_arithmetic(global float *a, global float *b, global const float *x, global const float *y) {
    int i = get_global_id(0);
    a[i] = x[i] + y[i];
    b[i] = x[i] * y[i];
}

// run divide --global 512 --local 64
//   a float 512 out
//   x float 512 -100..100
//   y float 512 -100..100
KERNEL void divide(global float *a, global const float *x, global const float *y) {
    int i = get_global_id(0);
    a[i] = x[i] / y[i];
}

// run special_divide --global 512 --local 64
//   a float 512 out
//   x float 512 bits
//   y float 512 bits
KERNEL void special_divide(global float *a, global const float *x, global const float *y) {
    int i = get_global_id(0);
    a[i] = x[i] / y[i];
}

// run square_root --global 512 --local 64
//   a float 512 out
//   b float 512 out
//   x float 512 0..1e6
//   y float 512 bits
KERNEL void square_root(global float *a, global float *b, global const float *x, global const float *y) {
    int i = get_global_id(0);
    a[i] = sqrt(x[i]);
    b[i] = sqrt(y[i]);
}

// run fused --global 256 --local 64
//   a float 256 out
//   b float 256 out
//   x float 256 -100..100
//   y float 256 bits
KERNEL void fused(global float *a, global float *b, global const float *x, global const float *y) {
    int i = get_global_id(0);
    a[i] = fma(x[i], x[255 - i], x[i ^ 3]);
    b[i] = fma(y[i], x[i], y[255 - i]);
}

// run round_values --global 256 --local 64
//   o float 1536 out
//   x float 256 -50..50
KERNEL void round_values(global float *o, global const float *x) {
    int i = get_global_id(0);
    float v = (i & 1) ? x[i] : floor(x[i]) + 0.5f;
    o[i * 6] = floor(v);
    o[i * 6 + 1] = ceil(v);
    o[i * 6 + 2] = rint(v);
    o[i * 6 + 3] = trunc(v);
    o[i * 6 + 4] = round(v);
    o[i * 6 + 5] = v - floor(v);
}

// run extremes --global 256 --local 64
//   o float 1024 out
//   x float 256 -50..50
KERNEL void extremes(global float *o, global const float *x) {
    int i = get_global_id(0);
    float a = x[i], b = x[255 - i];
    o[i * 4] = fmin(a, b);
    o[i * 4 + 1] = fmax(a, NAN);
    o[i * 4 + 2] = clamp(a, -10.0f, 20.0f);
    o[i * 4 + 3] = fabs(a) - copysign(b, a) + fdim(a, b);
}

// run classify --global 256 --local 64
//   o int 256 out
//   x float 256 bits
//   y float 256 bits
KERNEL void classify(global int *o, global const float *x, global const float *y) {
    int i = get_global_id(0);
    float a = x[i], b = y[i];
    int r = isnan(a) | isinf(a) << 1 | isfinite(a) << 2 | isnormal(a) << 3 | signbit(a) << 4;
    r |= (a < b) << 5 | (a <= b) << 6 | (a > b) << 7 | (a >= b) << 8 | (a == b) << 9 | (a != b) << 10;
    o[i] = r | isunordered(a, b) << 11 | islessgreater(a, b) << 12;
}

// run exponents --global 128 --local 64
//   o float 128 out
//   e int 128 out
//   x float 128 -1e6..1e6
KERNEL void exponents(global float *o, global int *e, global const float *x) {
    int i = get_global_id(0);
    int n;
    float m = frexp(x[i], &n);
    o[i] = ldexp(m, (i & 15) - 7) + nextafter(x[i], 0.0f);
    e[i] = n + ilogb(x[i]);
}

// run polynomial --global 128 --local 64
//   o float 128 out
//   x float 128 -1..1
KERNEL void polynomial(global float *o, global const float *x) {
    int i = get_global_id(0);
    float r = 0.0f;
    for (int k = 9; k >= 0; k--)
        r = fma(r, x[i], 1.0f / (k + 1));
    o[i] = r;
}

// run dot_products --global 64 --local 32
//   o float 64 out
//   x float 256 -8..8
KERNEL void dot_products(global float *o, global const float4 *x) {
    int i = get_global_id(0);
    float4 a = x[i], b = x[63 - i];
    float4 p = a * b;
    o[i] = (p.x + p.y) + (p.z + p.w);
}

// The operands of half arithmetic are halves, and each result is rounded once.
// run half_arithmetic --global 256 --local 64
//   a half 256 out
//   b half 256 out
//   x half 256 -30..30
//   y half 256 -30..30
KERNEL void half_arithmetic(global half *a, global half *b, global const half *x, global const half *y) {
    int i = get_global_id(0);
#ifdef REFERENCE
    vstore_half(vload_half(i, x) * vload_half(i, y), i, a);
    vstore_half(vload_half(i, x) + vload_half(255 - i, y), i, b);
#else
    a[i] = x[i] * y[i];
    b[i] = x[i] + y[255 - i];
#endif
}

// run half_compare --global 128 --local 64
//   o int 128 out
//   x half 128 bits
//   y half 128 bits
KERNEL void half_compare(global int *o, global const half *x, global const half *y) {
    int i = get_global_id(0);
#ifdef REFERENCE
    float a = vload_half(i, x), b = vload_half(i, y);
#else
    half a = x[i], b = y[i];
#endif
    o[i] = (a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a > b) << 4;
}
