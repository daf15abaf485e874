// Sorting and searching.

// run bitonic --global 64 --local 64
//   x int 64 out
KERNEL void bitonic(global int *x) {
    local int a[64];
    int t = get_local_id(0);
    a[t] = x[t];
    for (int k = 2; k <= 64; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            int other = t ^ j;
            int mine = a[t], theirs = a[other];
            barrier(CLK_LOCAL_MEM_FENCE);
            bool wants_low = (t < other) == ((t & k) == 0);
            a[t] = wants_low ? min(mine, theirs) : max(mine, theirs);
        }
    x[t] = a[t];
}

// run bitonic_step --global 64 --local 32
//   x float 128 -100..100 out
//   j 8
//   k 16
KERNEL void bitonic_step(global float *x, uint j, uint k) {
    uint i = get_global_id(0);
    uint a = 2 * i - (i & (j - 1)), b = a + j;
    bool ascending = (a & k) == 0;
    if ((x[a] > x[b]) == ascending) {
        float t = x[a];
        x[a] = x[b];
        x[b] = t;
    }
}

// run odd_even --global 32 --local 32
//   x uint 64 out
KERNEL void odd_even(global uint *x) {
    local uint a[64];
    int t = get_local_id(0);
    a[2 * t] = x[2 * t];
    a[2 * t + 1] = x[2 * t + 1];
    for (int k = 0; k < 64; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int i = 2 * t + (k & 1);
        if (i < 63 && a[i] > a[i + 1]) {
            uint v = a[i];
            a[i] = a[i + 1];
            a[i + 1] = v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    x[2 * t] = a[2 * t];
    x[2 * t + 1] = a[2 * t + 1];
}

// run insertion --global 16 --local 16
//   x int 192 out
KERNEL void insertion(global int *x) {
    int a[12];
    int i = get_global_id(0);
    for (int k = 0; k < 12; k++) {
        int v = x[i * 12 + k], j = k;
        for (; j > 0 && a[j - 1] > v; j--)
            a[j] = a[j - 1];
        a[j] = v;
    }
    for (int k = 0; k < 12; k++)
        x[i * 12 + k] = a[k];
}

// run rank --global 96 --local 32
//   o int 96 out
//   x int 96 0..50
KERNEL void rank(global int *o, global const int *x) {
    int i = get_global_id(0), r = 0;
    for (int k = 0; k < 96; k++)
        r += x[k] < x[i] || (x[k] == x[i] && k < i);
    o[r] = x[i];
}

// run radix_digit --global 64 --local 64
//   o uint 64 out
//   x uint 64
//   shift 5
KERNEL void radix_digit(global uint *o, global const uint *x, uint shift) {
    local uint zeros[64];
    uint t = get_local_id(0), v = x[t], bit = (v >> shift) & 1;
    zeros[t] = 1 - bit;
    for (uint d = 1; d < 64; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint s = zeros[t] + (t >= d ? zeros[t - d] : 0);
        barrier(CLK_LOCAL_MEM_FENCE);
        zeros[t] = s;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint before = zeros[t] - (1 - bit);
    o[bit ? zeros[63] + t - before : before] = v;
}

// run binary_search --global 64 --local 32
//   o int 64 out
//   x int 64 ramp 7
//   key int 64 -10..500
KERNEL void binary_search(global int *o, global const int *x, global const int *key) {
    int i = get_global_id(0), low = 0, high = 64;
    while (low < high) {
        int middle = (low + high) / 2;
        if (x[middle] < key[i])
            low = middle + 1;
        else
            high = middle;
    }
    o[i] = low;
}

// run merge --global 16 --local 16
//   o int 128 out
//   a int 64 ramp 5
//   b int 64 ramp 3
KERNEL void merge(global int *o, global const int *a, global const int *b) {
    int i = get_global_id(0), x = i * 4, y = i * 4;
    for (int k = 0; k < 8; k++) {
        bool first = y == i * 4 + 4 || (x < i * 4 + 4 && a[x] <= b[y]);
        o[i * 8 + k] = first ? a[x] : b[y];
        x += first;
        y += !first;
    }
}
