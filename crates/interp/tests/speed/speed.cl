// Kernels that benches/run.rs measures. `speed-bmg.bin` is compiled from this file:
// ocloc compile -file speed.cl -device bmg -internal_options -ze-emit-zebin-visa-sections

kernel void saxpy(global float *y, global const float *x, float a, uint n)
{
    size_t i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + y[i];
}

kernel void mandel(global uint *counts, uint width, uint limit)
{
    uint i = get_global_id(0);
    uint row = i / width, column = i - row * width;
    float re = column * 3.0f / width - 2.0f;
    float im = row * 2.0f / width - 1.0f;
    float a = 0, b = 0;
    uint count = 0;
    while (count < limit && a * a + b * b < 4.0f) {
        float next = a * a - b * b + re;
        b = 2 * a * b + im;
        a = next;
        count++;
    }
    counts[i] = count;
}

#define TILE 16

kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul(global float *c, global const float *a, global const float *b, uint n)
{
    local float of_a[TILE][TILE], of_b[TILE][TILE];
    uint column = get_local_id(0), row = get_local_id(1);
    size_t x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (uint first = 0; first < n; first += TILE) {
        of_a[row][column] = a[y * n + first + column];
        of_b[row][column] = b[(first + row) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++)
            sum += of_a[row][k] * of_b[k][column];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}

kernel void hash(global uint *hashes, global const uint *words, uint rounds)
{
    size_t i = get_global_id(0);
    uint state = 0x811c9dc5, word = words[i];
    for (uint round = 0; round < rounds; round++) {
        uint choice = (word & state) | (~word & 0x5bd1e995);
        state = (rotate(state, 5u) ^ choice) + bitselect(state, word, 0x33cc55aau);
        word = word * 1103515245u + 12345u;
    }
    hashes[i] = state;
}

kernel void nbody(global float4 *accelerations, global const float4 *bodies, uint count)
{
    size_t i = get_global_id(0);
    float4 own = bodies[i];
    float x = 0, y = 0, z = 0;
    for (uint j = 0; j < count; j++) {
        float4 other = bodies[j];
        float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
        float square = dx * dx + dy * dy + dz * dz + 0.01f;
        float scale = other.w * native_rsqrt(square * square * square);
        x += dx * scale;
        y += dy * scale;
        z += dz * scale;
    }
    accelerations[i] = (float4)(x, y, z, 0);
}
