// The source of races-bmg.bin: ocloc compile -file races.cl -device bmg -exclude_ir -output_no_suffix
// -options "-cl-std=CL3.0" -internal_options "-ze-emit-zebin-visa-sections" -output races-bmg

// Kernels with and without races.

// Of work-items that run in one thread.
__attribute__((reqd_work_group_size(16, 1, 1)))
kernel void barrier_of_one_thread(global int *a, local int *t) {
  int l = get_local_id(0);
  t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[15 - l];
}

kernel void sub_group_barrier_between(global int *a, local int *t) {
  int l = get_local_id(0);
  t[l] = a[l];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[l ^ 1];
}

kernel void no_barrier(global int *a, local int *t) {
  int l = get_local_id(0);
  t[l] = a[l];
  a[l] = t[get_local_size(0) - 1 - l];
}

kernel void neighbor_is_overwritten(global int *a, local int *t) {
  int l = get_local_id(0);
  a[l] = a[l + 1];
}

kernel void last_lane_overwrites(global int *a, local int *t) {
  int l = get_local_id(0);
  t[l] = 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  int first = t[a[l] >> 8]; // element 0, which the compiler does not know
  if (l == get_local_size(0) - 1) t[0] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = first + t[l];
}

kernel void same_value(global int *a, local int *t) {
  if (a[get_local_id(0)] == 0) t[0] = 1;
}

// Of atomic operations and other accesses.
kernel void increment_without_atomic(global int *a, local int *t) {
  if (get_global_id(0) % 64 == 0) a[0]++;
  else if (get_local_id(0) % 64 == 1) atomic_inc(a);
}

kernel void read_without_atomic(global int *a, local int *t) {
  atomic_inc(a);
  if (get_local_id(0) == 0) a[1 + get_group_id(0)] = a[0];
}

kernel void histogram(global int *a, local int *t) {
  int l = get_local_id(0);
  t[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&t[a[get_global_id(0)] & 15]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) atomic_add(&a[256 + l], t[l]);
}

kernel void histogram_without_barrier(global int *a, local int *t) {
  int l = get_local_id(0);
  t[l] = 0;
  atomic_inc(&t[a[get_global_id(0)] & 15]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) atomic_add(&a[256 + l], t[l]);
}

kernel void last_group_adds(global int *a, local int *t) {
  int l = get_local_id(0), n = get_global_size(0);
  a[1 + get_global_id(0)] = l;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (l == 0) t[0] = atomic_inc(a) == get_num_groups(0) - 1;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (t[0] && l == 0) {
    int sum = 0;
    for (int k = 0; k < n; k++) sum += a[1 + k];
    a[1 + n] = sum;
  }
}

kernel void all_groups_add(global int *a, local int *t) {
  int l = get_local_id(0), n = get_global_size(0);
  a[1 + get_global_id(0)] = l;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (l == 0) {
    atomic_inc(&a[get_group_id(0) + 2 + n]);
    int sum = 0;
    for (int k = 0; k < n; k++) sum += a[1 + k];
    a[1 + n] = sum;
  }
}

kernel void lock(global int *a, local int *t) {
  if (get_local_id(0) == 0) {
    while (atomic_cmpxchg(a, 0, 1) != 0) {}
    a[1]++;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(a, 0);
  }
}

kernel void unlock_only(global int *a, local int *t) {
  if (get_local_id(0) == 0) {
    a[1]++;
    atomic_xchg(a, 0);
  }
}

// Of two arrays in shared local memory, with `u` of 64 bytes.
kernel void end_of_local_argument(global int *a, local int *t, local int *u) {
  u[0] = 0;
  t[get_local_id(0)] = a[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[get_local_id(0) + 1] + u[0];
}
