; ModuleID = 'LLVMDialectModule'
source_filename = "LLVMDialectModule"
target triple = "spir64-unknown-unknown"

declare i32 @other(i32 noundef)

define spir_kernel void @types(i32 %0, i64 %1, half %2, bfloat %3, double %4, <8 x float> %5, ptr addrspace(1) %6, ptr %7, <4 x ptr addrspace(3)> %8, i1 %9, i128 %10) {
  %12 = call i32 asm sideeffect alignstack "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> // \22\22\\\0A\0A\09$$", "=rw,rw,~{memory}"(i32 %0)
  %13 = call { i32, float } asm inteldialect "// all", "=rw,=rw,rw,rw,rw,rw,rw,rw,rw,rw,rw,rw"(i64 %1, half %2, bfloat %3, double %4, <8 x float> %5, ptr addrspace(1) %6, ptr %7, <4 x ptr addrspace(3)> %8, i1 %9, i128 %10)
  ret void
}

define void @values(i32 %0) {
  call void asm "// values", "i,P,P,P,P,rw"(i32 42, i64 -5, float 1.500000e+00, half 0xH3C00, i1 true, i32 %0)
  call void asm sideeffect "barrier", ""()
  ret void
}

define void @vc(<16 x i32> %0) #0 {
  call void asm sideeffect "// vc", "rw"(<16 x i32> %0)
  ret void
}

attributes #0 = { "VCFunction" }

!llvm.module.flags = !{!0}

!0 = !{i32 2, !"Debug Info Version", i32 3}
