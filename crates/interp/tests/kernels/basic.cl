// Arguments, ids, and loads and stores of all types.

typedef struct {
    char a;
    short b;
    int c;
    float d;
    long e;
} Parameters;

constant int primes[16] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};

// run saxpy --global 1050 --local 50
//   y float 1000 -8..8 out
//   x float 1000 -8..8
//   a 2.5f
//   n 1000
KERNEL void saxpy(global float *y, global const float *x, float a, int n) {
    int i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}

// run ids --global 12,6,4 --local 6,3,2
//   o uint 3456 out
KERNEL void ids(global uint *o) {
    size_t i = get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2));
    global uint *p = o + i * 12;
    p[0] = get_local_id(0);
    p[1] = get_local_id(1);
    p[2] = get_local_id(2);
    p[3] = get_group_id(0);
    p[4] = get_group_id(1);
    p[5] = get_group_id(2);
    p[6] = get_local_size(0) + 100 * get_local_size(1) + 10000 * get_local_size(2);
    p[7] = get_num_groups(0) + 100 * get_num_groups(1) + 10000 * get_num_groups(2);
    p[8] = get_work_dim();
    p[9] = get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2);
    p[10] = get_global_size(0) + 100 * get_global_size(1) + 10000 * get_global_size(2);
    p[11] = get_global_offset(0) + get_global_offset(1) + get_global_offset(2);
}

// run scalars --global 64 --local 64
//   o long 64 out
//   a -5c
//   b 250uc
//   c -3000s
//   d 60000us
//   e -100000
//   f 4000000000u
//   g -5000000000l
//   h 0.75f
KERNEL void scalars(global long *o, char a, uchar b, short c, ushort d, int e, uint f, long g, float h) {
    int i = get_global_id(0);
    o[i] = a + b * 2 + c * 3 + d * 5 + (long)e * i + (long)f * 7 + g + (long)(h * 4.0f);
}

// run vectors --global 64 --local 16
//   o float 256 out
//   i int 64 -1000..1000
//   a 1f,2f,3f,4f
//   b -1,-2
//   c 1uc,2uc,3uc,4uc
KERNEL void vectors(global float4 *o, global const int *i, float4 a, int2 b, uchar4 c) {
    int g = get_global_id(0);
    o[g] = a * (float)i[g] + convert_float4(c) + (float4)(b.x, b.y, b.y, b.x);
}

// run structs --global 32 --local 32
//   o int 32 out
//   s 7c,0c,-8s,9,1.5f,0,-11l
KERNEL void structs(global int *o, Parameters s) {
    int i = get_global_id(0);
    o[i] = i * s.a + s.b + s.c + (int)(s.d * 2) + (int)s.e;
}

// run struct_buffer --global 40 --local 8
//   p int 240 out
KERNEL void struct_buffer(global Parameters *p) {
    int i = get_global_id(0);
    Parameters s = p[i];
    s.a += s.b;
    s.c ^= s.a;
    s.d = s.c & 0xffff;
    s.e = s.e * 3 + s.c;
    p[i] = s;
}

// run bytes --global 200 --local 40
//   o uchar 200 out
//   x uchar 200
//   y char 200
KERNEL void bytes(global uchar *o, global const uchar *x, global const char *y) {
    int i = get_global_id(0);
    o[i] = x[i] + y[199 - i] * 3;
}

// run words --global 200 --local 40
//   o short 200 out
//   x ushort 200
//   y short 200
KERNEL void words(global short *o, global const ushort *x, global const short *y) {
    int i = get_global_id(0);
    o[i] = (x[i] >> 3) - y[i] * 5;
}

// run quads --global 96 --local 32
//   o long 96 out
//   x ulong 96
KERNEL void quads(global long *o, global const ulong *x) {
    int i = get_global_id(0);
    o[i] = (x[i] ^ x[95 - i]) + ((long)x[i] >> 7) - (x[i] << 9);
}

// run byte_vectors --global 48 --local 16
//   o uchar 192 out
//   x uchar 192
KERNEL void byte_vectors(global uchar4 *o, global const uchar4 *x) {
    int i = get_global_id(0);
    uchar4 v = x[i];
    o[i] = (uchar4)(v.w, v.z, v.y, v.x) + x[47 - i];
}

// run three --global 64 --local 32
//   o float 192 out
//   x float 192 -8..8
KERNEL void three(global float *o, global const float *x) {
    int i = get_global_id(0);
    float3 v = vload3(i, x);
    vstore3(v.zxy + 1.0f, i, o);
}

// run wide --global 32 --local 32
//   o int 512 out
//   x int 512
KERNEL void wide(global int16 *o, global const int16 *x) {
    int i = get_global_id(0);
    o[i] = x[i].sfedcba9876543210 - x[31 - i];
}

// run gather --global 256 --local 64
//   o int 256 out
//   x int 256
//   n uint 256 0..255
KERNEL void gather(global int *o, global const int *x, global const uint *n) {
    int i = get_global_id(0);
    o[i] = x[n[i]];
}

// run strided --global 128 --local 32
//   o int 1024 out
//   s 8
KERNEL void strided(global int *o, int s) {
    int i = get_global_id(0);
    o[i * s + (i & 7)] = i * i;
}

// run table --global 64 --local 64
//   o int 64 out
//   x int 64 0..15
//   c int 16 -9..9
KERNEL void table(global int *o, global const int *x, constant int *c) {
    int i = get_global_id(0);
    o[i] = primes[x[i]] * c[x[63 - i]] + primes[i & 15];
}

// run choose --global 160 --local 32
//   o int 160 out
//   x int 160 -5..5
//   f float 160 -2..2
KERNEL void choose(global int *o, global const int *x, global const float *f) {
    int i = get_global_id(0);
    int a = f[i] > 0.5f ? x[i] : -x[i] * 3;
    o[i] = select(a, i, x[i] < 2) + (f[i] != f[159 - i]);
}
