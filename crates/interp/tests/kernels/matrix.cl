// Matrices, grids and stencils.

#pragma OPENCL FP_CONTRACT OFF

// run transpose --global 24,16 --local 8,8
//   o int 384 out
//   x int 384
KERNEL void transpose(global int *o, global const int *x) {
    int i = get_global_id(0), j = get_global_id(1);
    o[i * 16 + j] = x[j * 24 + i];
}

// run transpose_tiled --global 32,32 --local 8,8
//   o float 1024 out
//   x float 1024 -9..9
KERNEL void transpose_tiled(global float *o, global const float *x) {
    local float tile[8][9];
    int a = get_local_id(0), b = get_local_id(1);
    tile[b][a] = x[get_global_id(1) * 32 + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[(get_group_id(0) * 8 + b) * 32 + get_group_id(1) * 8 + a] = tile[a][b];
}

// run multiply --global 16,12 --local 8,4
//   c float 192 out
//   a float 240 -4..4
//   b float 320 -4..4
//   k 20
KERNEL void multiply(global float *c, global const float *a, global const float *b, int k) {
    int i = get_global_id(0), j = get_global_id(1);
    float sum = 0;
    for (int n = 0; n < k; n++)
        sum += a[j * k + n] * b[n * 16 + i];
    c[j * 16 + i] = sum;
}

// run multiply_tiled --global 16,16 --local 8,8
//   c float 256 out
//   a float 256 -4..4
//   b float 256 -4..4
KERNEL void multiply_tiled(global float *c, global const float *a, global const float *b) {
    local float x[8][8], y[8][8];
    int i = get_local_id(0), j = get_local_id(1);
    int gi = get_global_id(0), gj = get_global_id(1);
    float sum = 0;
    for (int n = 0; n < 16; n += 8) {
        x[j][i] = a[gj * 16 + n + i];
        y[j][i] = b[(n + j) * 16 + gi];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 8; k++)
            sum += x[j][k] * y[k][i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[gj * 16 + gi] = sum;
}

// run matrix_vector --global 48 --local 16
//   o int 48 out
//   m int 1536 -100..100
//   v int 32 -100..100
KERNEL void matrix_vector(global int *o, global const int *m, constant int *v) {
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k < 32; k++)
        sum += m[i * 32 + k] * v[k];
    o[i] = sum;
}

// run sparse --global 32 --local 32
//   o int 32 out
//   row int 33 ramp 4
//   col int 128 0..31
//   val int 128 -100..100
//   x int 32 -100..100
KERNEL void sparse(global int *o, global const int *row, global const int *col, global const int *val, global const int *x) {
    int i = get_global_id(0), sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++)
        sum += val[k] * x[col[k]];
    o[i] = sum;
}

// run convolve --global 16,16 --local 16,4
//   o int 256 out
//   x int 256 -100..100
KERNEL void convolve(global int *o, global const int *x) {
    int i = get_global_id(0), j = get_global_id(1), sum = 0;
    for (int b = -1; b <= 1; b++)
        for (int a = -1; a <= 1; a++) {
            int u = clamp(i + a, 0, 15), v = clamp(j + b, 0, 15);
            sum += x[v * 16 + u] * (a + 2 * b + 4);
        }
    o[j * 16 + i] = sum;
}

// run life --global 16,16 --local 8,8
//   o uchar 256 out
//   x uchar 256 0..1
KERNEL void life(global uchar *o, global const uchar *x) {
    int i = get_global_id(0), j = get_global_id(1), n = 0;
    for (int b = 15; b <= 17; b++)
        for (int a = 15; a <= 17; a++)
            n += x[((j + b) & 15) * 16 + ((i + a) & 15)];
    int alive = x[j * 16 + i];
    o[j * 16 + i] = n - alive == 3 || (alive && n == 3);
}

// run laplace --global 8,8,8 --local 4,4,2
//   o float 512 out
//   x float 512 -9..9
KERNEL void laplace(global float *o, global const float *x) {
    int i = get_global_id(0), j = get_global_id(1), k = get_global_id(2);
    int at = (k * 8 + j) * 8 + i;
    bool inner = i > 0 && i < 7 && j > 0 && j < 7 && k > 0 && k < 7;
    o[at] = inner ? ((x[at - 1] + x[at + 1]) + (x[at - 8] + x[at + 8])) + (x[at - 64] + x[at + 64]) - 6.0f * x[at] : 0.0f;
}

// run floyd --global 16 --local 16
//   d int 256 1..99 out
KERNEL void floyd(global int *d) {
    local int m[256];
    int i = get_local_id(0);
    for (int j = 0; j < 16; j++)
        m[i * 16 + j] = i == j ? 0 : d[i * 16 + j];
    for (int k = 0; k < 16; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i != k)
            for (int j = 0; j < 16; j++)
                m[i * 16 + j] = min(m[i * 16 + j], m[i * 16 + k] + m[k * 16 + j]);
    }
    for (int j = 0; j < 16; j++)
        d[i * 16 + j] = m[i * 16 + j];
}

// run gray --global 60,5 --local 20,1
//   o uchar 300 out
//   x uchar 1200
KERNEL void gray(global uchar *o, global const uchar4 *x) {
    int i = get_global_id(1) * 60 + get_global_id(0);
    uint4 p = convert_uint4(x[i]);
    o[i] = (p.x * 77 + p.y * 150 + p.z * 29) >> 8;
}
