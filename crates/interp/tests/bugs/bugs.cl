// Thirty mistakes. With BUG, each kernel has the mistake that the line before it describes; the arguments of
// `genvisa run` follow.
#ifdef BUG
#define PICK(correct, mistake) mistake
#else
#define PICK(correct, mistake) correct
#endif
#define GROUP __attribute__((intel_reqd_sub_group_size(16)))

// A write beyond the last element: the bound is compared with `<=`
// --global 80 --local 16 --arg o=zero:256 --arg n=64
GROUP kernel void oob_write_end(global int *o, int n) {
  int i = get_global_id(0);
  if (i PICK(<, <=) n) o[i] = i;
}

// A read before the first element
// --global 64 --local 16 --arg o=zero:256 --arg a=zero:256
GROUP kernel void oob_read_neg(global int *o, global int *a) {
  int i = get_global_id(0);
  o[i] = PICK(i > 0?a[i-1]:0, a[i-1]);
}

// A read with a stride leaves the buffer
// --global 64 --local 16 --arg o=zero:256 --arg a=zero:256 --arg s=2
GROUP kernel void oob_read_stride(global int *o, global int *a, int s) {
  int i = get_global_id(0);
  o[i] = a[i*PICK(1, s)];
}

// A variable is set in one branch only
// --global 16 --local 16 --arg o=zero:64
GROUP kernel void uninit_var(global int *o) {
  int i = get_global_id(0);
  int x;
  if (i < 8) x = 3;
  PICK(else x = 4; ,) o[i] = x;
}

// A sum does not begin with 0
// --global 16 --local 16 --arg o=zero:64 --arg a=zero:256
GROUP kernel void uninit_acc(global float *o, global float *a) {
  int i = get_global_id(0);
  volatile float s PICK(=0,);
  for (int j = 0; j < 4; j++) s += a[i*4+j];
  o[i] = s;
}

// Half of a local array is not written
// --global 64 --local 64 --arg o=zero:256
GROUP kernel void uninit_local(global int *o) {
  local int t[64];
  int l = get_local_id(0);
  PICK(t[l] = l; , if (l < 32) t[l] = l;) barrier(1);
  o[get_global_id(0)] = t[63-l];
}

// The last element of a private array is not written
// --global 16 --local 16 --arg o=zero:64 --arg n=0
GROUP kernel void uninit_private_array(global int *o, int n) {
  int t[8];
  for (int j = 0; j < PICK(8, 7); j++) t[j] = j;
  int i = get_global_id(0);
  o[i] = t[(i+n)&7];
}

// The barrier between writing and reading local memory is missing
// --global 64 --local 64 --arg o=zero:256
GROUP kernel void missing_barrier(global int *o) {
  local int t[64];
  int l = get_local_id(0);
  t[l] = l;
  PICK(barrier(1); ,) o[get_global_id(0)] = t[63-l];
}

// The barrier in the loop of a reduction is missing
// --global 64 --local 64 --arg o=zero:4 --arg a=zero:256
GROUP kernel void missing_barrier_loop(global int *o, global int *a) {
  local int t[64];
  int l = get_local_id(0);
  t[l] = a[l];
  barrier(1);
  for (int s = 32; s > 0; s /= 2){ if (l < s) t[l] += t[l+s]; PICK(barrier(1); ,) } if (l == 0) o[get_group_id(0)] = t[0];
}

// The barrier before local memory is written again is missing
// --global 64 --local 64 --arg o=zero:256 --arg a=zero:256
GROUP kernel void missing_barrier_reuse(global int *o, global int *a) {
  local int t[64];
  int l = get_local_id(0);
  t[l] = a[l];
  barrier(1);
  int x = t[63-l];
  PICK(barrier(1); ,) t[l] = x+1;
  barrier(1);
  o[get_global_id(0)] = t[l^1];
}

// Half of the group waits at a barrier
// --global 64 --local 64 --arg o=zero:256
GROUP kernel void divergent_barrier(global int *o) {
  local int t[64];
  int l = get_local_id(0);
  t[l] = l;
  PICK(barrier(1); , if (l < 32) barrier(1);) o[get_global_id(0)] = t[l^1];
}

// Items without work return before a barrier
// --global 64 --local 64 --arg o=zero:256 --arg n=40
GROUP kernel void early_return(global int *o, int n) {
  local int t[64];
  int l = get_local_id(0), i = get_global_id(0);
  PICK(, if (i >= n) return;) t[l] = l;
  barrier(1);
  if (i < n) o[i] = t[l^1];
}

// All items write to one element
// --global 64 --local 16 --arg o=zero:4
GROUP kernel void race_same_element(global int *o) {
  PICK(if (get_global_id(0) == 0),) o[0] = get_global_id(0);
}

// An increment is not atomic
// --global 64 --local 16 --arg o=zero:4
GROUP kernel void race_count(global int *o) {
  PICK(atomic_inc(o), o[0] = o[0]+1);
}

// The increment of a local counter is not atomic
// --global 64 --local 64 --arg o=zero:64 --arg a=zero:256
GROUP kernel void race_hist_local(global int *o, global int *a) {
  local int h[16];
  int l = get_local_id(0);
  if (l < 16) h[l] = 0;
  barrier(1);
  PICK(atomic_inc(&h[a[l]&15]), h[a[l]&15]++);
  barrier(1);
  if (l < 16) o[l] = h[l];
}

// An item writes the element that another one reads
// --global 64 --local 16 --arg o=zero:512
GROUP kernel void race_neighbour(global int *o) {
  int i = get_global_id(0), n = get_global_size(0);
  PICK(o[n+i] = o[i]; , o[(i+16)%n] = o[i];)
}

// A plain write to a counter that is incremented atomically
// --global 64 --local 16 --arg o=zero:4
GROUP kernel void race_atomic_plain(global int *o) {
  atomic_inc(o);
  PICK(, if (get_global_id(0) == 20) o[0] = 5;)
}

// A write beyond a local array, into the next one
// --global 32 --local 32 --arg o=zero:128
GROUP kernel void slm_overflow(global int *o) {
  local int t[32], u[32];
  int l = get_local_id(0);
  u[l] = 7;
  t[PICK(l, l+1)] = l;
  barrier(1);
  o[get_global_id(0)] = t[l PICK(,)]+u[l];
}

// A write beyond the local argument
// --global 64 --local 64 --arg o=zero:256 --arg t=local:256
GROUP kernel void slm_index(global int *o, local int *t) {
  int l = get_local_id(0);
  t[PICK(l, l*2)] = l;
  barrier(1);
  o[get_global_id(0)] = t[l PICK(, &1)];
}

// A write beyond a private array, into the next one
// --global 16 --local 16 --arg o=zero:64 --arg n=9
GROUP kernel void private_overflow(global int *o, int n) {
  int a[8], b[8];
  for (int j = 0; j < 8; j++){a[j] = j; b[j] = 10+j;} a[n PICK(&7,)] = 99;
  int i = get_global_id(0);
  o[i] = a[(i+n)&7]+b[(i+n)&7];
}

// A read beyond a private array
// --global 16 --local 16 --arg o=zero:64 --arg n=1
GROUP kernel void private_overflow_read(global int *o, int n) {
  int a[8];
  for (int j = 0; j < 8; j++)a[j] = j+n;
  int i = get_global_id(0);
  o[i] = a[(i PICK(&7,)) + PICK(0, n)];
}

// A null pointer is read
// --global 16 --local 16 --arg o=zero:64 --arg p=null
GROUP kernel void null_pointer(global int *o, global int *p) {
  int i = get_global_id(0);
  o[i]= PICK(p? p[i]:0, p[i]);
}

// A pointer to larger elements
// --global 64 --local 16 --arg o=zero:256
GROUP kernel void wrong_cast(global int *o) {
  int i = get_global_id(0);
  PICK(o[i] = i, ((global long*)o)[i] = i);
}

// A read beyond a table of constants
// --global 16 --local 16 --arg o=zero:64 --arg a=zero:64
constant int table[4] = {1, 2, 3, 4};
GROUP kernel void const_table(global int *o, global int *a) {
  int i = get_global_id(0);
  o[i] = table[a[i] PICK(&3,)+PICK(0, 4)];
}

// An index is shifted out of the buffer
// --global 16 --local 16 --arg o=zero:64 --arg s=10
GROUP kernel void shift_range(global int *o, int s) {
  int i = get_global_id(0);
  local int t[32];
  t[get_local_id(0)] = 1;
  barrier(1);
  o[i PICK(, +(1<<s))] = i;
}

// The bound of a loop is stepped over
// --global 16 --local 16 --arg o=zero:64 --arg n=7 --limit 100000
GROUP kernel void infinite_loop(global int *o, int n) {
  int i = 0;
  volatile int j = 0;
  while (i PICK(<, !=) n) {i += 2; j = i;} o[get_global_id(0)] = j;
}

// Two items write one element
// --global 64 --local 16 --arg o=zero:256
GROUP kernel void write_input_twice(global int *o) {
  int i = get_global_id(0);
  o[i PICK(, /2)] = i;
}

// The barrier within one subgroup is missing
// --global 16 --local 16 --arg o=zero:64
GROUP kernel void subgroup_race(global int *o) {
  local int t[16];
  int l = get_local_id(0);
  t[l] = l;
  PICK(barrier(1); ,) o[get_global_id(0)] = t[15-l];
}

// A read of a vector leaves the buffer
// --global 16 --local 16 --arg o=zero:64 --arg a=zero:256 --arg n=8
GROUP kernel void vector_oob(global float *o, global float4 *a, int n) {
  int i = get_global_id(0);
  float4 v = a[i PICK(, +n)];
  o[i] = v.x+v.w;
}

// A field of a structure is not set
// --global 16 --local 16 --arg o=zero:128
typedef struct { int a, b; } S;
GROUP kernel void struct_uninit_field(global S *o) {
  S s;
  s.a = get_global_id(0);
  PICK(s.b = 1; ,) volatile int z = 0;
  o[get_global_id(0)] = s;
}
