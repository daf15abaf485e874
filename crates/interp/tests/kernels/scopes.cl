// Variables of the program, with and without values, and private variables that stay in memory.
// options -cl-std=CL3.0

#ifdef REFERENCE
#define TABLES                                                                                                         \
    int table[4] = {1, 2, 3, 4};                                                                                       \
    int counters[64] = {0};
#else
#define TABLES
global int table[4] = {1, 2, 3, 4};
global int counters[64];
global int more[3];
#endif

// run globals --global 64 --local 32
//   o int 64 out
kernel void globals(global int *o) {
    TABLES
    int g = get_global_id(0);
    counters[g] += g;
    o[g] = counters[g] * table[g & 3];
#ifndef REFERENCE
    o[g] += more[g % 3];
#endif
}

constant int zero_table[16] = {0};

// run zeros --global 64 --local 32
//   o int 64 out
//   a int 64
kernel void zeros(global int *o, global const int *a) {
    int i = get_global_id(0);
    o[i] = zero_table[a[i] & 15] + i;
}

// run kept --global 64 --local 32
//   o int 64 out
kernel void kept(global int *o) {
    volatile int k = get_global_id(0);
    k = k + 1;
    o[get_global_id(0)] = k;
}

// run exchanged --global 64 --local 32
//   o int 64 out
//   a int 64
kernel void exchanged(global int *o, global const int *a) {
    volatile int k[5];
    int i = get_global_id(0);
    for (int j = 0; j < 5; j++)
        k[j] = a[(i + j) & 63];
    barrier(CLK_LOCAL_MEM_FENCE);
    int s = 0;
    for (int j = 0; j < 5; j++)
        s = s * 3 + k[(j + i) % 5];
    o[i] = s;
}
