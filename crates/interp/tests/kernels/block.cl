// Blocks that a sub-group reads and writes together, which the compiler has up to 16 lanes on all devices.
// widths 8 16

#ifdef REFERENCE
#define FIRST(i) ((i) / SG * SG)
#endif

// run block_copy --global 128 --local 64
//   o uint 128 out
//   x uint 512
KERNEL void block_copy(global uint *o, global const uint *x) {
    int i = get_global_id(0);
#ifdef REFERENCE
    int first = FIRST(i) * 4, lane = i % SG;
    o[i] = x[first + lane] + x[first + SG + lane] * 3 + x[first + 2 * SG + lane] * 5 + x[first + 3 * SG + lane] * 7;
#else
    int first = (get_group_id(0) * 64 + get_sub_group_id() * SG);
    uint4 v = intel_sub_group_block_read4(x + first * 4);
    intel_sub_group_block_write(o + first, v.x + v.y * 3 + v.z * 5 + v.w * 7);
#endif
}

// run block_types --global 64 --local 64
//   o ushort 128 out
//   x ushort 128
//   l ulong 64 out
KERNEL void block_types(global ushort *o, global const ushort *x, global ulong *l) {
    int i = get_global_id(0);
#ifdef REFERENCE
    int first = FIRST(i) * 2, lane = i % SG;
    o[first + lane] = x[first + SG + lane];
    o[first + SG + lane] = x[first + lane] + 1;
    l[i] = l[i] * 3;
#else
    int first = get_sub_group_id() * SG;
    ushort2 v = intel_sub_group_block_read_us2(x + first * 2);
    intel_sub_group_block_write_us2(o + first * 2, (ushort2)(v.y, v.x + 1));
    ulong d = intel_sub_group_block_read_ul(l + first);
    intel_sub_group_block_write_ul(l + first, d * 3);
#endif
}
