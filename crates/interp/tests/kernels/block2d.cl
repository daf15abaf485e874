// 2D blocks of memory: transposed, with a transform, and outside of the surface.

// devices pvc bmg
// widths 16

#ifdef REFERENCE
// Returns an element of a surface; 0 outside of it.
uint element(const global uchar *base, int width, int height, int pitch, int x, int y, int size) {
    if (x < 0 || y < 0 || (x + 1) * size > width || y >= height)
        return 0;
    const global uchar *p = base + y * pitch + x * size;
    uint value = 0;
    for (int i = 0; i < size; i++)
        value |= (uint)p[i] << 8 * i;
    return value;
}
#else
ushort8 __builtin_IB_subgroup_block_read_flat_u16_m8k16v1(long base, int width_minus_one, int height_minus_one,
                                                         int pitch_minus_one, int2 coord);
uint8 __builtin_IB_subgroup_block_read_flat_transform_u16_k16(long base, int width_minus_one, int height_minus_one,
                                                             int pitch_minus_one, int2 coord);
uint8 __builtin_IB_subgroup_block_read_flat_transform_u8_k32(long base, int width_minus_one, int height_minus_one,
                                                            int pitch_minus_one, int2 coord);
uint8 __builtin_IB_subgroup_block_read_flat_transpose_u32_k8(long base, int width_minus_one, int height_minus_one,
                                                            int pitch_minus_one, int2 coord);
ushort16 __builtin_IB_subgroup_block_read_flat_u16_m8k16v2(long base, int width_minus_one, int height_minus_one,
                                                          int pitch_minus_one, int2 coord);
void __builtin_IB_subgroup_block_write_flat_u32_m8k16v1(long base, int width_minus_one, int height_minus_one,
                                                       int pitch_minus_one, int2 coord, uint8 data);
#endif

// run plain --global 128 --local 16
//   in ushort 2048
//   at int 16 -20..40
//   o ushort 1024 out
KERNEL void plain(global const ushort *in, global const int2 *at, global ushort8 *o) {
    int i = get_global_id(0);
    int2 p = at[get_group_id(0)];
    ushort8 v;
#ifdef REFERENCE
    ushort r[8];
    for (int y = 0; y < 8; y++)
        r[y] = element((const global uchar *)in, 80, 25, 128, p.x + get_local_id(0), p.y + y, 2);
    v = vload8(0, r);
#else
    v = __builtin_IB_subgroup_block_read_flat_u16_m8k16v1((long)in, 79, 24, 127, p);
#endif
    o[i] = v;
}

// run two_blocks --global 128 --local 16
//   in ushort 2048
//   at int 16 -20..40
//   o ushort 2048 out
KERNEL void two_blocks(global const ushort *in, global const int2 *at, global ushort16 *o) {
    int i = get_global_id(0);
    int2 p = at[get_group_id(0)];
    ushort16 v;
#ifdef REFERENCE
    ushort r[16];
    for (int y = 0; y < 16; y++)
        r[y] = element((const global uchar *)in, 80, 25, 128, p.x + y / 8 * 16 + get_local_id(0), p.y + y % 8, 2);
    v = vload16(0, r);
#else
    v = __builtin_IB_subgroup_block_read_flat_u16_m8k16v2((long)in, 79, 24, 127, p);
#endif
    o[i] = v;
}

// run transformed --global 128 --local 16
//   in ushort 2048
//   at int 16 -20..40
//   o uint 2048 out
KERNEL void transformed(global const ushort *in, global const int2 *at, global uint8 *o) {
    int i = get_global_id(0);
    int2 p = at[get_group_id(0)];
    uint8 words, bytes;
#ifdef REFERENCE
    const global uchar *base = (const global uchar *)in;
    uint r[8], s[8];
    for (int y = 0; y < 8; y++) {
        r[y] = s[y] = 0;
        for (int k = 0; k < 2; k++)
            r[y] |= element(base, 80, 25, 128, p.x + get_local_id(0), p.y + 2 * y + k, 2) << 16 * k;
        for (int k = 0; k < 4; k++)
            s[y] |= element(base, 80, 25, 128, p.x + get_local_id(0), p.y + 4 * y + k, 1) << 8 * k;
    }
    words = vload8(0, r);
    bytes = vload8(0, s);
#else
    words = __builtin_IB_subgroup_block_read_flat_transform_u16_k16((long)in, 79, 24, 127, p);
    bytes = __builtin_IB_subgroup_block_read_flat_transform_u8_k32((long)in, 79, 24, 127, p);
#endif
    o[i * 2] = words;
    o[i * 2 + 1] = bytes;
}

// run transposed --global 128 --local 16
//   in uint 1024
//   at int 16 -10..20
//   o uint 1024 out
KERNEL void transposed(global const uint *in, global const int2 *at, global uint8 *o) {
    int i = get_global_id(0);
    int2 p = at[get_group_id(0)];
    uint8 v;
#ifdef REFERENCE
    uint r[8];
    for (int x = 0; x < 8; x++)
        r[x] = element((const global uchar *)in, 80, 25, 128, p.x + x, p.y + get_local_id(0), 4);
    v = vload8(0, r);
#else
    v = __builtin_IB_subgroup_block_read_flat_transpose_u32_k8((long)in, 79, 24, 127, p);
#endif
    o[i] = v;
}

// run stored --global 16 --local 16
//   o uint 1024 out
//   at int 2 -3..20
//   v uint 128
KERNEL void stored(global uint *o, global const int2 *at, global const uint8 *v) {
    int lane = get_global_id(0);
    int2 p = at[0];
#ifdef REFERENCE
    uint r[8];
    vstore8(v[lane], 0, r);
    for (int y = 0; y < 8; y++) {
        int x = p.x + lane;
        if (x >= 0 && x < 20 && p.y + y >= 0 && p.y + y < 25)
            o[(p.y + y) * 32 + x] = r[y];
    }
#else
    __builtin_IB_subgroup_block_write_flat_u32_m8k16v1((long)o, 79, 24, 127, p, v[lane]);
#endif
}
