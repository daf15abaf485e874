# 1 "kernel.cl"
# 1 "include/fill.h" 1
__attribute__((intel_reqd_sub_group_size(16)))
void fill(int x) {
  int y;
  asm("mov (M1, 16) %0(0,0)<2> 0x0:d" : "=rw"(y));
}
# 2 "kernel.cl" 2
kernel void k() { fill(1); }
