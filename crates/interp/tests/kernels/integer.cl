// Integer arithmetic of all types, and hashes.

// run add_types --global 64 --local 32
//   c char 64 out
//   s short 64 out
//   n int 64 out
//   l long 64 out
KERNEL void add_types(global char *c, global short *s, global int *n, global long *l) {
    int i = get_global_id(0);
    c[i] = c[i] * 3 + (char)s[i];
    s[i] = s[i] * 7 - (short)n[i];
    n[i] = n[i] * 11 + (int)l[i];
    l[i] = l[i] * 1234567890123l - n[i];
}

// run divide_int --global 128 --local 32
//   q int 128 out
//   r int 128 out
//   x int 128
//   y int 128 1..100000
KERNEL void divide_int(global int *q, global int *r, global const int *x, global const int *y) {
    int i = get_global_id(0);
    q[i] = x[i] / y[i] + x[127 - i] / -y[i];
    r[i] = x[i] % y[i];
}

// run divide_uint --global 128 --local 32
//   q uint 128 out
//   r uint 128 out
//   x uint 128
//   y uint 128 1..70000
KERNEL void divide_uint(global uint *q, global uint *r, global const uint *x, global const uint *y) {
    int i = get_global_id(0);
    q[i] = x[i] / y[i];
    r[i] = x[i] % y[i];
}

// run divide_long --global 64 --local 32
//   q long 64 out
//   r ulong 64 out
//   x long 64
//   y long 64 1..1000000007
KERNEL void divide_long(global long *q, global ulong *r, global const long *x, global const long *y) {
    int i = get_global_id(0);
    q[i] = x[i] / y[i];
    r[i] = (ulong)x[i] % (ulong)y[i];
}

// run divide_small --global 64 --local 32
//   c char 64 out
//   s ushort 64 out
//   y uchar 64 1..100
KERNEL void divide_small(global char *c, global ushort *s, global const uchar *y) {
    int i = get_global_id(0);
    c[i] = c[i] / (char)y[i] + c[i] % (char)y[i];
    s[i] = s[i] / y[i] + s[i] % y[i];
}

// run divide_constant --global 128 --local 32
//   o int 128 out
//   x int 128
KERNEL void divide_constant(global int *o, global const int *x) {
    int i = get_global_id(0);
    o[i] = x[i] / 7 + x[i] % 10 + (int)((uint)x[i] / 1000000007u) + x[i] / 16;
}

// run mul_high --global 64 --local 32
//   a int 64 out
//   b uint 64 out
//   c long 64 out
//   d ulong 64 out
//   e short 64 out
KERNEL void mul_high(global int *a, global uint *b, global long *c, global ulong *d, global short *e) {
    int i = get_global_id(0);
    a[i] = mul_hi(a[i], (int)b[i]) + mul24(a[i] >> 9, 5) + mad24(a[i] >> 10, 3, 4);
    b[i] = mul_hi(b[i], (uint)c[i]);
    c[i] = mul_hi(c[i], (long)d[i]);
    d[i] = mul_hi(d[i], (ulong)c[i]);
    e[i] = mul_hi(e[i], (short)a[i]);
}

// run saturate --global 64 --local 32
//   a char 64 out
//   b uchar 64 out
//   c short 64 out
//   d ushort 64 out
//   e int 64 out
//   f uint 64 out
KERNEL void saturate(global char *a, global uchar *b, global short *c, global ushort *d, global int *e, global uint *f) {
    int i = get_global_id(0);
    a[i] = add_sat(a[i], (char)b[i]);
    b[i] = sub_sat(b[i], (uchar)c[i]);
    c[i] = sub_sat(c[i], (short)d[i]);
    d[i] = add_sat(d[i], (ushort)e[i]);
    e[i] = add_sat(e[i], (int)f[i]) ^ sub_sat(e[i], (int)f[i]);
    f[i] = sub_sat(f[i], (uint)i << 25) ^ add_sat(f[i], (uint)i << 25);
}

// run saturate_long --global 64 --local 32
//   a long 64 out
//   b ulong 64 out
KERNEL void saturate_long(global long *a, global ulong *b) {
    int i = get_global_id(0);
    long x = a[i];
    ulong y = b[i];
    a[i] = add_sat(x, (long)y) ^ sub_sat(x, (long)y);
    b[i] = add_sat((ulong)x, y) ^ sub_sat((ulong)x, y);
}

// run averages --global 64 --local 32
//   a int 64 out
//   b uint 64 out
//   c short 64 out
//   d uchar 64 out
KERNEL void averages(global int *a, global uint *b, global short *c, global uchar *d) {
    int i = get_global_id(0);
    a[i] = hadd(a[i], (int)b[i]) ^ rhadd(a[i], (int)b[i]);
    b[i] = hadd(b[i], (uint)i * 99991u) ^ abs_diff(b[i], (uint)a[i]);
    c[i] = rhadd(c[i], (short)a[i]) + (short)abs(c[i]);
    d[i] = hadd(d[i], (uchar)c[i]) + abs_diff(d[i], (uchar)(i * 5));
}

// run counts --global 64 --local 32
//   a uint 64 out
//   b ulong 64 out
//   c ushort 64 out
//   d uchar 64 out
KERNEL void counts(global uint *a, global ulong *b, global ushort *c, global uchar *d) {
    int i = get_global_id(0);
    uint x = a[i] >> (i & 31);
    ulong y = b[i] >> i;
    a[i] = popcount(x) + 100 * clz(x) + 10000 * clz((int)~x);
    b[i] = popcount(y) + 100 * clz(y);
    c[i] = popcount(c[i]) + 100 * clz((ushort)(c[i] >> (i & 15)));
    d[i] = popcount(d[i]) + 16 * clz((uchar)(d[i] >> (i & 7)));
}

// run shifts --global 96 --local 32
//   a int 96 out
//   b uint 96 out
//   c long 96 out
//   d short 96 out
KERNEL void shifts(global int *a, global uint *b, global long *c, global short *d) {
    int i = get_global_id(0);
    a[i] = (a[i] << (b[i] & 31)) ^ (a[i] >> (i & 31));
    b[i] = (b[i] >> (c[i] & 31)) + rotate(b[i], (uint)i) + rotate(b[i], 7u);
    c[i] = (c[i] << (i & 63)) ^ (c[i] >> (i & 63)) ^ (long)((ulong)c[i] >> (63 - (i & 63))) ^ rotate(c[i], (long)i);
    d[i] = (short)(d[i] << (i & 7)) ^ rotate(d[i], (short)i) ^ (d[i] >> (i & 15));
}

// run bits --global 64 --local 32
//   a uint 64 out
//   b uint 64
KERNEL void bits(global uint *a, global const uint *b) {
    int i = get_global_id(0);
    uint x = a[i], y = b[i], z = b[63 - i];
    uint r = x;
    r = ((r >> 1) & 0x55555555) | ((r & 0x55555555) << 1);
    r = ((r >> 2) & 0x33333333) | ((r & 0x33333333) << 2);
    r = ((r >> 4) & 0x0f0f0f0f) | ((r & 0x0f0f0f0f) << 4);
    r = ((r >> 8) & 0x00ff00ff) | ((r & 0x00ff00ff) << 8);
    r = (r >> 16) | (r << 16);
    a[i] = r ^ bitselect(x, y, z) ^ ((x & y) | (~x & z)) ^ ((x & y) ^ (x & z) ^ (y & z));
}

// run compare_types --global 64 --local 32
//   o uint 64 out
//   a char 64
//   b ushort 64
//   c long 64
KERNEL void compare_types(global uint *o, global const char *a, global const ushort *b, global const long *c) {
    int i = get_global_id(0), j = 63 - i;
    uint r = (a[i] < a[j]) | (a[i] >= (char)b[j]) << 1 | ((uchar)a[i] > (uchar)a[j]) << 2;
    r |= (b[i] <= b[j]) << 3 | ((short)b[i] < (short)b[j]) << 4 | (b[i] == (ushort)c[i]) << 5;
    r |= (c[i] < c[j]) << 6 | ((ulong)c[i] < (ulong)c[j]) << 7 | (c[i] != c[j]) << 8 | (c[i] >= a[i]) << 9;
    o[i] = r + (max(a[i], a[j]) + min(b[i], b[j])) * 1024 + (uint)max(c[i], c[j]) + (uint)min((ulong)c[i], (ulong)c[j]) + clamp((int)a[i], -5, 9);
}

// run crc32 --global 40 --local 8
//   o uint 40 out
//   x uchar 640
KERNEL void crc32(global uint *o, global const uchar *x) {
    int i = get_global_id(0);
    uint crc = 0xffffffff;
    for (int k = 0; k < 16; k++) {
        crc ^= x[i * 16 + k];
        for (int b = 0; b < 8; b++)
            crc = (crc >> 1) ^ (0xedb88320 & -(crc & 1));
    }
    o[i] = ~crc;
}

// run fnv --global 64 --local 16
//   o ulong 64 out
//   x uchar 1024
KERNEL void fnv(global ulong *o, global const uchar *x) {
    int i = get_global_id(0);
    ulong h = 0xcbf29ce484222325ul;
    for (int k = 0; k < 16; k++)
        h = (h ^ x[i + 64 * k]) * 0x100000001b3ul;
    o[i] = h;
}

// run murmur --global 64 --local 32
//   o uint 64 out
//   x uint 256
KERNEL void murmur(global uint *o, global const uint *x) {
    int i = get_global_id(0);
    uint h = 42 + i;
    for (int k = 0; k < 4; k++) {
        uint v = x[i * 4 + k] * 0xcc9e2d51;
        h ^= rotate(v, 15u) * 0x1b873593;
        h = rotate(h, 13u) * 5 + 0xe6546b64;
    }
    h ^= h >> 16;
    h *= 0x85ebca6b;
    h ^= h >> 13;
    h *= 0xc2b2ae35;
    o[i] = h ^ h >> 16;
}

constant uint sha_constants[16] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7,
    0xc19bf174};

// The first sixteen rounds of SHA-256, which use the message as it is.
// run sha256_rounds --global 32 --local 16
//   o uint 256 out
//   x uint 512
KERNEL void sha256_rounds(global uint *o, global const uint *x) {
    int i = get_global_id(0);
    uint a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a;
    uint e = 0x510e527f, f = 0x9b05688c, g = 0x1f83d9ab, h = 0x5be0cd19;
    for (int k = 0; k < 16; k++) {
        uint s1 = rotate(e, 26u) ^ rotate(e, 21u) ^ rotate(e, 7u);
        uint t1 = h + s1 + ((e & f) ^ (~e & g)) + sha_constants[k] + x[i * 16 + k];
        uint s0 = rotate(a, 30u) ^ rotate(a, 19u) ^ rotate(a, 10u);
        uint t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g; g = f; f = e; e = d + t1; d = c; c = b; b = a; a = t1 + t2;
    }
    vstore8((uint8)(a, b, c, d, e, f, g, h), i, o);
}

// run xorshift --global 64 --local 64
//   s ulong 64 out
KERNEL void xorshift(global ulong *s) {
    int i = get_global_id(0);
    ulong x = s[i] | 1;
    for (int k = 0; k < 10; k++) {
        x ^= x >> 12;
        x ^= x << 25;
        x ^= x >> 27;
        x *= 2685821657736338717ul;
    }
    s[i] = x;
}

// run modpow --global 32 --local 32
//   o uint 32 out
//   b uint 32
//   e uint 32 0..100
KERNEL void modpow(global uint *o, global const uint *b, global const uint *e) {
    int i = get_global_id(0);
    ulong r = 1, x = b[i] % 65521u;
    for (uint n = e[i]; n; n >>= 1) {
        if (n & 1)
            r = r * x % 65521u;
        x = x * x % 65521u;
    }
    o[i] = r;
}
