; The kernels of scale.cl.

target datalayout = "e-p:64:64-i64:64-n8:16:32:64"
target triple = "spir64-unknown-unknown"

define spir_kernel void @scale(float addrspace(1)* %data, float %factor) #0 !intel_reqd_sub_group_size !0 {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %element = getelementptr inbounds float, float addrspace(1)* %data, i64 %i
  %value = load float, float addrspace(1)* %element
  %result = call float asm "mul (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<0;1,0>", "=rw,rw,rw.u"(float %value, float %factor)
  store float %result, float addrspace(1)* %element
  ret void
}

define spir_kernel void @scale_wrong(float addrspace(1)* %data, float %factor) #0 !intel_reqd_sub_group_size !0 {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %element = getelementptr inbounds float, float addrspace(1)* %data, i64 %i
  %value = load float, float addrspace(1)* %element
  %result = call float asm "{\0A.decl T v_type=G type=f num_elts=16 align=wordx32\0Amul (M1, 16) T(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<0;1,0>\0Amov (M1, 16) $0(1,0)<1> T(0,0)<1;1,0> }", "=rw,rw,rw.u"(float %value, float %factor)
  store float %result, float addrspace(1)* %element
  ret void
}

declare spir_func i64 @_Z13get_global_idj(i32)

attributes #0 = { nounwind }

!0 = !{i32 16}
