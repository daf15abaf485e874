// Matrix products of sub-groups. The reference is a plain loop.
// devices dg2 pvc bmg
// widths 8 16

#if SG == 16
// A lane has a column of 8 words of A.
typedef short8 A;
#define UNSIGNED as_ushort8
#else
typedef int8 A;
#define UNSIGNED as_uint8
#endif

#ifdef REFERENCE
// Returns element (row, k) of the matrix that starts at the item of lane 0; each lane has `per_lane` elements of a row.
int element_a(global const A *a, int first, int row, int k, int bits) {
#if SG == 16
    int per_lane = 16 / bits;
    int word = ((global const ushort *)a)[(first + k / per_lane) * 8 + row];
#else
    int per_lane = 32 / bits;
    int word = ((global const int *)a)[(first + k / per_lane) * 8 + row];
#endif
    return word >> k % per_lane * bits & ((1 << bits) - 1);
}
int element_b(global const int8 *b, int item, int k, int bits) {
    int per_dword = 32 / bits;
    return ((global const int *)b)[item * 8 + k / per_dword] >> k % per_dword * bits & ((1 << bits) - 1);
}
float of_bf16(int x) { return as_float(x << 16); }
#endif

// run dpas_bf16 --global 64 --local 32
//   c float 512 -100..100 integers out
//   a bf16 1024 -9..9 integers
//   b bf16 1024 -9..9 integers
KERNEL void dpas_bf16(global float8 *c, global const A *a, global const int8 *b) {
    int i = get_global_id(0);
#ifdef REFERENCE
    for (int r = 0; r < 8; r++) {
        float sum = ((global float *)c)[i * 8 + r];
        for (int k = 0; k < 16; k++)
            sum += of_bf16(element_a(a, i / SG * SG, r, k, 16)) * of_bf16(element_b(b, i, k, 16));
        ((global float *)c)[i * 8 + r] = sum;
    }
#else
    c[i] = intel_sub_group_bf16_bf16_matrix_mad_k16(a[i], b[i], c[i]);
#endif
}

// run dpas_half --global 64 --local 32
//   c float 512 -100..100 integers out
//   a half 1024 -9..9 integers
//   b half 1024 -9..9 integers
KERNEL void dpas_half(global float8 *c, global const A *a, global const int8 *b) {
    int i = get_global_id(0);
#ifdef REFERENCE
    for (int r = 0; r < 8; r++) {
        float sum = ((global float *)c)[i * 8 + r];
        for (int k = 0; k < 16; k++) {
            ushort x = element_a(a, i / SG * SG, r, k, 16), y = element_b(b, i, k, 16);
            sum += vload_half(0, (private half *)&x) * vload_half(0, (private half *)&y);
        }
        ((global float *)c)[i * 8 + r] = sum;
    }
#else
    c[i] = intel_sub_group_f16_f16_matrix_mad_k16(a[i], b[i], c[i]);
#endif
}

// run dpas_s8 --global 64 --local 32
//   c int 512 out
//   a char 2048
//   b char 2048
KERNEL void dpas_s8(global int8 *c, global const A *a, global const int8 *b) {
    int i = get_global_id(0);
#ifdef REFERENCE
    for (int r = 0; r < 8; r++) {
        int sum = ((global int *)c)[i * 8 + r];
        for (int k = 0; k < 32; k++)
            sum += (char)element_a(a, i / SG * SG, r, k, 8) * (char)element_b(b, i, k, 8);
        ((global int *)c)[i * 8 + r] = sum;
    }
#else
    c[i] = intel_sub_group_i8_i8_matrix_mad_k32(a[i], b[i], c[i]);
#endif
}

// run dpas_u8 --global 64 --local 32
//   c int 512 out
//   a uchar 2048
//   b uchar 2048
KERNEL void dpas_u8(global int8 *c, global const A *a, global const int8 *b) {
    int i = get_global_id(0);
#ifdef REFERENCE
    for (int r = 0; r < 8; r++) {
        int sum = ((global int *)c)[i * 8 + r];
        for (int k = 0; k < 32; k++)
            sum += element_a(a, i / SG * SG, r, k, 8) * element_b(b, i, k, 8);
        ((global int *)c)[i * 8 + r] = sum;
    }
#else
    c[i] = intel_sub_group_u8_u8_matrix_mad_k32(UNSIGNED(a[i]), as_uint8(b[i]), c[i]);
#endif
}

// A product of matrices in row-major order: A is 8 x 32, B is 32 x SG.
// run dpas_multiply --global 16 --local 16
//   c float 128 out
//   a bf16 256 -9..9 integers
//   b bf16 512 -9..9 integers
KERNEL void dpas_multiply(global float *c, global const ushort *a, global const ushort *b) {
    int lane = get_global_id(0) % SG;
    int group = get_global_id(0) / SG;
#ifdef REFERENCE
    for (int r = 0; r < 8; r++) {
        float sum = 0;
        for (int k = 0; k < 32; k++)
            sum += of_bf16(a[r * 32 + k]) * of_bf16(b[k * 16 + group * SG + lane]);
        c[r * 16 + group * SG + lane] = sum;
    }
#else
    float8 sum = 0;
    for (int k = 0; k < 32; k += 16) {
        A x;
        int8 y;
        for (int r = 0; r < 8; r++) {
#if SG == 16
            ((private short *)&x)[r] = a[r * 32 + k + lane];
#else
            ((private int *)&x)[r] = a[r * 32 + k + lane * 2] | a[r * 32 + k + lane * 2 + 1] << 16;
#endif
            ((private int *)&y)[r] = b[(k + r * 2) * 16 + group * SG + lane] | b[(k + r * 2 + 1) * 16 + group * SG + lane] << 16;
        }
        sum = intel_sub_group_bf16_bf16_matrix_mad_k16(x, y, sum);
    }
    for (int r = 0; r < 8; r++)
        c[r * 16 + group * SG + lane] = ((private float *)&sum)[r];
#endif
}

// run dot_s8 --global 64 --local 32
//   o int 64 out
//   a char 256
//   b char 256
KERNEL void dot_s8(global int *o, global const char4 *a, global const char4 *b) {
    int i = get_global_id(0);
    char4 x = a[i], y = b[i];
    o[i] += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
}
