// Sub-groups. The reference computes from the values of all lanes in memory.

#ifdef REFERENCE
#define FIRST(i) ((i) / SG * SG)
#endif

// run subgroup_reduce --global 128 --local 64
//   o int 384 out
//   x int 128 -1000..1000
KERNEL void subgroup_reduce(global int *o, global const int *x) {
    int i = get_global_id(0);
#ifdef REFERENCE
    int sum = 0, most = x[FIRST(i)], least = x[FIRST(i)];
    for (int k = FIRST(i); k < FIRST(i) + SG; k++) {
        sum += x[k];
        most = max(most, x[k]);
        least = min(least, x[k]);
    }
#else
    int sum = sub_group_reduce_add(x[i]), most = sub_group_reduce_max(x[i]), least = sub_group_reduce_min(x[i]);
#endif
    o[i * 3] = sum;
    o[i * 3 + 1] = most;
    o[i * 3 + 2] = least;
}

// run subgroup_scan --global 128 --local 64
//   o int 256 out
//   x int 128 -1000..1000
KERNEL void subgroup_scan(global int *o, global const int *x) {
    int i = get_global_id(0);
#ifdef REFERENCE
    int before = 0;
    for (int k = FIRST(i); k < i; k++)
        before += x[k];
    o[i * 2] = before;
    o[i * 2 + 1] = before + x[i];
#else
    o[i * 2] = sub_group_scan_exclusive_add(x[i]);
    o[i * 2 + 1] = sub_group_scan_inclusive_add(x[i]);
#endif
}

// run subgroup_float --global 128 --local 64
//   o float 256 out
//   x float 128 -100..100
KERNEL void subgroup_float(global float *o, global const float *x) {
    int i = get_global_id(0);
#ifdef REFERENCE
    float most = x[FIRST(i)], scan = x[FIRST(i)];
    for (int k = FIRST(i); k < FIRST(i) + SG; k++)
        most = fmax(most, x[k]);
    for (int k = FIRST(i); k <= i; k++)
        scan = fmin(scan, x[k]);
#else
    float most = sub_group_reduce_max(x[i]), scan = sub_group_scan_inclusive_min(x[i]);
#endif
    o[i * 2] = most;
    o[i * 2 + 1] = scan;
}

// run subgroup_broadcast --global 128 --local 64
//   o int 256 out
//   x int 128
//   lane 5
KERNEL void subgroup_broadcast(global int *o, global const int *x, int lane) {
    int i = get_global_id(0);
#ifdef REFERENCE
    o[i * 2] = x[FIRST(i) + 3];
    o[i * 2 + 1] = x[FIRST(i) + lane];
#else
    o[i * 2] = sub_group_broadcast(x[i], 3);
    o[i * 2 + 1] = sub_group_broadcast(x[i], lane);
#endif
}

// run subgroup_shuffle --global 128 --local 64
//   o int 384 out
//   x int 128
KERNEL void subgroup_shuffle(global int *o, global const int *x) {
    int i = get_global_id(0);
#ifdef REFERENCE
    int lane = i % SG;
    o[i * 3] = x[FIRST(i) + (lane * 5 + 1) % SG];
    o[i * 3 + 1] = x[FIRST(i) + (lane ^ 3)];
    o[i * 3 + 2] = lane + 2 < SG ? x[i + 2] : x[FIRST(i) + lane + 2 - SG] + 1;
#else
    int lane = get_sub_group_local_id();
    o[i * 3] = intel_sub_group_shuffle(x[i], (lane * 5 + 1) % SG);
    o[i * 3 + 1] = intel_sub_group_shuffle_xor(x[i], 3);
    o[i * 3 + 2] = intel_sub_group_shuffle_down(x[i], x[i] + 1, 2u);
#endif
}

// run subgroup_shuffle_types --global 64 --local 64
//   o ulong 64 out
//   b ushort 64 out
//   x ulong 64
KERNEL void subgroup_shuffle_types(global ulong *o, global ushort *b, global const ulong *x) {
    int i = get_global_id(0);
#ifdef REFERENCE
    o[i] = x[FIRST(i) + (i % SG ^ 1)];
    b[i] = x[FIRST(i) + SG - 1 - i % SG];
#else
    int lane = get_sub_group_local_id();
    o[i] = intel_sub_group_shuffle_xor(x[i], 1);
    b[i] = intel_sub_group_shuffle((ushort)x[i], SG - 1 - lane);
#endif
}

// run subgroup_vote --global 128 --local 64
//   o int 128 out
//   x int 128 -1..30
KERNEL void subgroup_vote(global int *o, global const int *x) {
    int i = get_global_id(0);
#ifdef REFERENCE
    int any = 0, all = 1;
    for (int k = FIRST(i); k < FIRST(i) + SG; k++) {
        any |= x[k] > 28;
        all &= x[k] >= 0;
    }
#else
    int any = sub_group_any(x[i] > 28) != 0, all = sub_group_all(x[i] >= 0) != 0;
#endif
    o[i] = any + 2 * all;
}

// run subgroup_ballot --global 128 --local 64
//   o uint 256 out
//   x int 128 -50..50
KERNEL void subgroup_ballot(global uint *o, global const int *x) {
    int i = get_global_id(0);
#ifdef REFERENCE
    uint bits = 0, sum = 0;
    for (int k = 0; k < SG; k++) {
        bits |= (uint)(x[FIRST(i) + k] > 0) << k;
        if (x[FIRST(i) + k] > 10)
            sum += x[FIRST(i) + k];
    }
    o[i * 2] = bits;
    o[i * 2 + 1] = x[i] > 10 ? sum : 0;
#else
    o[i * 2] = sub_group_ballot(x[i] > 0).x;
    o[i * 2 + 1] = 0;
    if (x[i] > 10)
        o[i * 2 + 1] = sub_group_non_uniform_reduce_add(x[i]);
#endif
}

// run subgroup_ids --global 96 --local 48
//   o uint 288 out
KERNEL void subgroup_ids(global uint *o) {
    int i = get_global_id(0), t = get_local_id(0);
#ifdef REFERENCE
    o[i * 3] = t / SG;
    o[i * 3 + 1] = t % SG;
    o[i * 3 + 2] = (48 + SG - 1) / SG * 100 + min(SG, 48 - t / SG * SG);
#else
    o[i * 3] = get_sub_group_id();
    o[i * 3 + 1] = get_sub_group_local_id();
    o[i * 3 + 2] = get_num_sub_groups() * 100 + get_sub_group_size();
#endif
}

// run subgroup_loop --global 128 --local 64
//   o int 128 out
//   x int 128 0..40
KERNEL void subgroup_loop(global int *o, global const int *x) {
    int i = get_global_id(0), steps = 0;
#ifdef REFERENCE
    int most = 0;
    for (int k = FIRST(i); k < FIRST(i) + SG; k++)
        most = max(most, x[k]);
    steps = (most + 2) / 3;
#else
    for (int v = x[i]; sub_group_any(v > 0); v -= 3)
        steps++;
#endif
    o[i] = steps;
}
