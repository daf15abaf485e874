// Multiplies the elements of an array.

__attribute__((intel_reqd_sub_group_size(16)))
kernel void scale(global float *data, float factor) {
  size_t i = get_global_id(0);
  float value = data[i], result;
  __asm__("mul (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<0;1,0>"
          : "=rw"(result)
          : "rw"(value), "rw.u"(factor));
  data[i] = result;
}

// The destination is one register too far.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void scale_wrong(global float *data, float factor) {
  size_t i = get_global_id(0);
  float value = data[i], result;
  __asm__("{\n"
          ".decl T v_type=G type=f num_elts=16 align=wordx32\n"
          "mul (M1, 16) T(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<0;1,0>\n"
          "mov (M1, 16) %0(1,0)<1> T(0,0)<1;1,0> }"
          : "=rw"(result)
          : "rw"(value), "rw.u"(factor));
  data[i] = result;
}
