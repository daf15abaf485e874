// Atomic operations. Results do not depend on the order.

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

// run atomics_int --global 128 --local 32
//   o int 8 out
//   x int 128
KERNEL void atomics_int(global int *o, global const int *x) {
    int v = x[get_global_id(0)];
    atomic_add(&o[0], v);
    atomic_sub(&o[1], v);
    atomic_min(&o[2], v);
    atomic_max(&o[3], v);
    atomic_and(&o[4], v | 0x0f0f0f0f);
    atomic_or(&o[5], v & 0x10101010);
    atomic_xor(&o[6], v);
    atomic_inc(&o[7]);
}

// run atomics_uint --global 128 --local 32
//   o uint 4 out
//   x uint 128
KERNEL void atomics_uint(global uint *o, global const uint *x) {
    uint v = x[get_global_id(0)];
    atomic_min(&o[0], v);
    atomic_max(&o[1], v);
    atomic_dec(&o[2]);
    atomic_add(&o[3], v);
}

// run atomics_local --global 128 --local 64
//   o int 10 out
//   x int 128
KERNEL void atomics_local(global int *o, global const int *x) {
    local int a[5];
    int t = get_local_id(0), v = x[get_global_id(0)];
    if (t < 5)
        a[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&a[0], v);
    atomic_max(&a[1], v);
    atomic_xor(&a[2], v);
    atomic_dec(&a[3]);
    atomic_or(&a[4], 1 << (v & 31));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 5)
        o[get_group_id(0) * 5 + t] = a[t];
}

// run atomics_exchange --global 64 --local 32
//   o uint 64 0..0 out
//   x uint 64
KERNEL void atomics_exchange(global uint *o, global const uint *x) {
    uint i = get_global_id(0);
    uint before = atomic_xchg(&o[i ^ 1], x[i]);
    if (before != 0)
        atomic_xchg(&o[i ^ 1], before);
}

// run atomics_compare --global 128 --local 32
//   o uint 2 out
//   x uint 128 0..1000
KERNEL void atomics_compare(volatile global uint *o, global const uint *x) {
    uint v = x[get_global_id(0)];
    for (uint old = atomic_or(&o[0], 0);;) {
        uint seen = atomic_cmpxchg(&o[0], old, old + v);
        if (seen == old)
            break;
        old = seen;
    }
    atomic_cmpxchg(&o[1], 0xffffffff, v);
}

// run atomics_float --global 64 --local 32
//   o float 1 0..0 out
//   x int 64 -1000..1000
KERNEL void atomics_float(volatile global uint *o, global const int *x) {
    float v = x[get_global_id(0)];
    uint old = atomic_or(o, 0);
    for (;;) {
        uint seen = atomic_cmpxchg(o, old, as_uint(as_float(old) + v));
        if (seen == old)
            break;
        old = seen;
    }
}

// run atomics_long --global 64 --local 32
//   o long 4 out
//   x long 64
KERNEL void atomics_long(global long *o, global const long *x) {
    long v = x[get_global_id(0)];
    atom_add(&o[0], v);
    atom_max(&o[1], v);
    atom_xor(&o[2], v);
    atom_inc(&o[3]);
}

// run append --global 128 --local 32
//   count uint 1 0..0 out
//   sum uint 1 0..0 out
//   x uint 128 0..100
KERNEL void append(global uint *count, global uint *sum, global const uint *x) {
    uint v = x[get_global_id(0)];
    if (v > 40) {
        uint place = atomic_inc(count);
        atomic_add(sum, place + v);
    }
}

// run vote --global 96 --local 32
//   o uint 32 0..0 out
//   x uint 96
KERNEL void vote(global uint *o, global const uint *x) {
    uint v = x[get_global_id(0)];
    for (int k = 0; k < 32; k++)
        if (v >> k & 1)
            atomic_inc(&o[k]);
}
