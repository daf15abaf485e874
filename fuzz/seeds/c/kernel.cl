#define SEQ "add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> t(0,0)<1;1,0>\n"
__attribute__((intel_reqd_sub_group_size(16)))
kernel void k(global int *p, global float *q) {
  int x = p[get_global_id(0)], y = 0;
  float8 v = 0;
  __asm__ volatile("{\n" // a comment between the parts
                   "  .decl t v_type=G type=d num_elts=16 align=GRF\n"
                   "  mov (M1, 16) t(0,0)<1> %1(0,0)<1;1,0>\t/* a tab */\n" SEQ
                   "  mov (M1_NM, 1) %%null(0,0)<1> %2\n"
                   "}"
                   : "+rw"(y)
                   : "rw"(x), "i"(3)
                   : "memory");
  __asm__("lsc_load.ugm (M1, 16) %[v]:d32x8 flat[%[q]]:a64 " : [v] "=rw"(v) : [q] "rw"(q + get_global_id(0)));
  p[get_global_id(0)] = y + (int)v.s3;
}
