// Conversions between all types.

// run narrow --global 128 --local 32
//   c char 128 out
//   uc uchar 128 out
//   s short 128 out
//   us ushort 128 out
//   n int 128 out
//   x long 128
KERNEL void narrow(global char *c, global uchar *uc, global short *s, global ushort *us, global int *n, global const long *x) {
    int i = get_global_id(0);
    long v = x[i] >> (i & 63);
    c[i] = convert_char_sat(v) + convert_char((short)v);
    uc[i] = convert_uchar_sat((int)v) + convert_uchar(v);
    s[i] = convert_short_sat(v);
    us[i] = convert_ushort_sat((int)v);
    n[i] = convert_int_sat(v) ^ (int)convert_uint_sat(v);
}

// run widen --global 64 --local 32
//   l long 64 out
//   u ulong 64 out
//   c char 64
//   uc uchar 64
//   s short 64
//   us ushort 64
//   n int 64
KERNEL void widen(global long *l, global ulong *u, global const char *c, global const uchar *uc, global const short *s, global const ushort *us, global const int *n) {
    int i = get_global_id(0);
    l[i] = ((long)c[i] << 40) + ((long)uc[i] << 30) + ((long)s[i] << 20) + ((long)us[i] << 10) + n[i];
    u[i] = (ulong)c[i] ^ (ulong)s[i] ^ (ulong)n[i] ^ (ulong)(uint)n[i] ^ convert_ulong_sat(n[i]);
}

// run float_to_small --global 128 --local 32
//   c char 128 out
//   uc uchar 128 out
//   s short 128 out
//   us ushort 128 out
//   f float 128 -300..300
KERNEL void float_to_small(global char *c, global uchar *uc, global short *s, global ushort *us, global const float *f) {
    int i = get_global_id(0);
    c[i] = convert_char_sat_rte(f[i]);
    uc[i] = convert_uchar_sat_rtp(f[i]);
    s[i] = convert_short_sat_rtn(f[i] * 200.0f);
    us[i] = convert_ushort_sat_rtz(f[i] * 400.0f);
}

// run float_to_int --global 128 --local 32
//   a int 128 out
//   b int 128 out
//   c int 128 out
//   d int 128 out
//   f float 128 -5e9..5e9
KERNEL void float_to_int(global int *a, global int *b, global int *c, global int *d, global const float *f) {
    int i = get_global_id(0);
    float v = f[i] / (float)(1 << (i & 31));
    a[i] = convert_int_sat(v);
    b[i] = convert_int_sat_rte(v);
    c[i] = convert_int_sat_rtp(v);
    d[i] = convert_int_sat_rtn(v);
}

// run float_to_uint --global 128 --local 32
//   a uint 128 out
//   b uint 128 out
//   c ulong 128 out
//   d long 128 out
//   f float 128 -5e9..5e9
KERNEL void float_to_uint(global uint *a, global uint *b, global ulong *c, global long *d, global const float *f) {
    int i = get_global_id(0);
    float v = f[i] / (float)(1 << (i & 31));
    a[i] = convert_uint_sat(v);
    b[i] = convert_uint_sat_rte(v);
    c[i] = convert_ulong_sat(v * 1e6f);
    d[i] = convert_long_sat_rte(v * 1e6f);
}

// run special_to_int --global 128 --local 32
//   a int 128 out
//   b uint 128 out
//   c uchar 128 out
//   f float 128 bits
KERNEL void special_to_int(global int *a, global uint *b, global uchar *c, global const float *f) {
    int i = get_global_id(0);
    a[i] = convert_int_sat(f[i]);
    b[i] = convert_uint_sat(f[i]);
    c[i] = convert_uchar_sat(f[i]);
}

// run int_to_float --global 128 --local 32
//   a float 128 out
//   b float 128 out
//   c float 128 out
//   d float 128 out
//   x int 128
KERNEL void int_to_float(global float *a, global float *b, global float *c, global float *d, global const int *x) {
    int i = get_global_id(0);
    a[i] = convert_float(x[i]);
    b[i] = convert_float_rtz(x[i]);
    c[i] = convert_float_rtp(x[i]);
    d[i] = convert_float_rtn((uint)x[i]);
}

// run long_to_float --global 128 --local 32
//   a float 128 out
//   b float 128 out
//   x long 128
KERNEL void long_to_float(global float *a, global float *b, global const long *x) {
    int i = get_global_id(0);
    long v = x[i] >> (i & 63);
    a[i] = convert_float(v);
    b[i] = convert_float((ulong)v);
}

// run small_to_float --global 64 --local 32
//   a float 64 out
//   c char 64
//   uc uchar 64
//   s short 64
//   us ushort 64
KERNEL void small_to_float(global float *a, global const char *c, global const uchar *uc, global const short *s, global const ushort *us) {
    int i = get_global_id(0);
    a[i] = (float)c[i] + (float)uc[i] * 256.0f + (float)s[i] / 256.0f + (float)us[i];
}

// run half_to_float --global 128 --local 32
//   o float 128 out
//   h half 128 bits
KERNEL void half_to_float(global float *o, global const half *h) {
    int i = get_global_id(0);
    o[i] = vload_half(i, h);
}

// run float_to_half --global 128 --local 32
//   a half 128 out
//   b half 128 out
//   c half 128 out
//   d half 128 out
//   f float 128 -70000..70000
KERNEL void float_to_half(global half *a, global half *b, global half *c, global half *d, global const float *f) {
    int i = get_global_id(0);
    float v = f[i] / (float)(1 << (i & 31));
    vstore_half(v, i, a);
    vstore_half_rtz(v, i, b);
    vstore_half_rtp(v, i, c);
    vstore_half_rtn(v, i, d);
}

// run special_to_half --global 128 --local 32
//   a half 128 out
//   f float 128 bits
KERNEL void special_to_half(global half *a, global const float *f) {
    int i = get_global_id(0);
    vstore_half(f[i], i, a);
}

// run convert_vectors --global 32 --local 32
//   o uchar 128 out
//   s short 128 out
//   f float 128 -40000..40000
KERNEL void convert_vectors(global uchar4 *o, global short4 *s, global const float4 *f) {
    int i = get_global_id(0);
    o[i] = convert_uchar4_sat_rte(f[i] / 150.0f);
    s[i] = convert_short4_sat(f[i]);
}

// run reinterpret --global 64 --local 32
//   o uint 64 out
//   f float 64 bits
//   b uchar 256
KERNEL void reinterpret(global uint *o, global const float *f, global const uchar4 *b) {
    int i = get_global_id(0);
    o[i] = as_uint(f[i]) + as_uint(b[i]) + as_ushort2(f[i]).y;
}
