target triple = "spir64-unknown-unknown"
define spir_kernel void @k(ptr addrspace(1) align 4 %p, ptr addrspace(1) align 4 %q) #0  !intel_reqd_sub_group_size !301 {
entry:
  %8 = call i32 asm sideeffect "{\0A  .decl t v_type=G type=d num_elts=16 align=GRF\0A  mov (M1, 16) t(0,0)<1> $1(0,0)<1;1,0>\09/* a tab */\0Aadd (M1, 16) $0(0,0)<1> $0(0,0)<1;1,0> t(0,0)<1;1,0>\0A  mov (M1_NM, 1) %null(0,0)<1> $2\0A}", "=rw,rw,i,0,~{memory}"(i32 %7, i32 3, i32 0)
  %17 = call <8 x float> asm "lsc_load.ugm (M1, 16) $0:d32x8 flat[$1]:a64 ", "=rw,rw"(ptr addrspace(1) %16)
  ret void
}
!301 = !{i32 16}
