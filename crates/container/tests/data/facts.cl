// ocloc compile -file facts.cl -device dg2 -output_no_suffix -output facts-dg2
// It says: compiled SIMD32 allocated 128 regs and spilled around 298

__attribute__((intel_reqd_sub_group_size(16)))
__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void reversed(__global int *out, __global const int *in, __local int *scratch) {
    __local int fixed[256];
    const int id = get_local_id(0);
    fixed[id] = in[get_global_id(0)];
    scratch[id] = fixed[id];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = fixed[63 - id] + scratch[63 - id];
}

__attribute__((intel_reqd_sub_group_size(32)))
__kernel void sorted(__global float *data, read_only image2d_t picture, sampler_t filter, float4 scale) {
    float kept[64];
    for (int i = 0; i < 64; i++)
        kept[i] = data[get_global_id(0) * 64 + i] * scale.x;
    for (int i = 0; i < 64; i++)
        for (int j = i + 1; j < 64; j++)
            if (kept[j] < kept[i]) {
                float other = kept[i];
                kept[i] = kept[j];
                kept[j] = other;
            }
    float4 texel = read_imagef(picture, filter, (float2)(kept[0], kept[1]));
    for (int i = 0; i < 64; i++)
        data[get_global_id(0) * 64 + i] = kept[i] + texel.y;
}

__attribute__((intel_reqd_sub_group_size(32)))
__kernel void spilled(__global float *data) {
    float kept[48];
    __attribute__((opencl_unroll_hint)) for (int i = 0; i < 48; i++)
        kept[i] = data[get_global_id(0) * 48 + i];
    for (int n = 0; n < 100; n++)
        __attribute__((opencl_unroll_hint)) for (int i = 0; i < 48; i++)
            kept[i] = fma(kept[i], kept[(i * 7 + 5) % 48], kept[(i + 1) % 48]);
    __attribute__((opencl_unroll_hint)) for (int i = 0; i < 48; i++)
        data[get_global_id(0) * 48 + i] = kept[i];
}
