// Rectangles of bytes of images, which a sub-group reads and writes together.

// devices tgllp dg2 bmg
// widths 8 16

// run dwords --global 64,4 --local 64,1
//   in 2d r32-uint 64,32,1
//   o 2d r32-uint 64,32,1 out
KERNEL void dwords(read_only image2d_t in, write_only image2d_t o) {
    int x = get_global_id(0) / SG * SG, y = get_global_id(1) * 8;
#ifdef REFERENCE
    int lane = get_global_id(0) % SG;
    for (int row = 0; row < 8; row++) {
        int2 p = (int2)(x + lane, y + row);
        write_imageui(o, p, read_imageui(in, p).x * 3 + row);
    }
#else
    int2 p = (int2)(x * 4, y);
    uint8 v = intel_sub_group_block_read8(in, p);
    intel_sub_group_block_write8(o, p, v * 3 + (uint8)(0, 1, 2, 3, 4, 5, 6, 7));
#endif
}

// run words --global 64,4 --local 64,1
//   in 2d r16-uint 64,32,1
//   o 2d r16-uint 64,32,1 out
KERNEL void words(read_only image2d_t in, write_only image2d_t o) {
    int x = get_global_id(0) / SG * SG, y = get_global_id(1) * 8;
#ifdef REFERENCE
    int lane = get_global_id(0) % SG;
    for (int row = 0; row < 8; row++) {
        int2 p = (int2)(x + lane, y + row);
        write_imageui(o, p, (ushort)(read_imageui(in, p).x + row * 1000));
    }
#else
    int2 p = (int2)(x * 2, y);
    ushort8 v = intel_sub_group_block_read_us8(in, p);
    intel_sub_group_block_write_us8(o, p, v + (ushort8)(0, 1000, 2000, 3000, 4000, 5000, 6000, 7000));
#endif
}

// run unaligned --global 48,2 --local 48,1
//   in 2d rgba8-uint 64,8,1
//   o uint 192 out
KERNEL void unaligned(read_only image2d_t in, global uint2 *o) {
    int i = get_global_id(0) + 48 * get_global_id(1);
    int x = get_global_id(0) / SG * SG, y = get_global_id(1) * 2;
    uint2 v;
#ifdef REFERENCE
    uint4 a = read_imageui(in, (int2)(x + 5 + (int)(get_global_id(0) % SG), y + 1));
    uint4 b = read_imageui(in, (int2)(x + 5 + (int)(get_global_id(0) % SG), y + 2));
    v.x = a.x | a.y << 8 | a.z << 16 | a.w << 24;
    v.y = b.x | b.y << 8 | b.z << 16 | b.w << 24;
#else
    v = intel_sub_group_block_read2(in, (int2)(x * 4 + 20, y + 1));
#endif
    o[i] = v;
}
