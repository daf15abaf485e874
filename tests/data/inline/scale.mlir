// The kernels of scale.cl.
module attributes {llvm.target_triple = "spir64-unknown-unknown"} {
  llvm.func spir_funccc @_Z13get_global_idj(i32) -> i64
  llvm.func spir_kernelcc @scale(%data: !llvm.ptr<1>, %factor: f32) attributes {intel_reqd_sub_group_size = 16 : i32} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %i = llvm.call spir_funccc @_Z13get_global_idj(%zero) : (i32) -> i64
    %element = llvm.getelementptr inbounds %data[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %value = llvm.load %element : !llvm.ptr<1> -> f32
    %result = llvm.inline_asm "mul (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<0;1,0>", "=rw,rw,rw.u" %value, %factor : (f32, f32) -> f32
    llvm.store %result, %element : f32, !llvm.ptr<1>
    llvm.return
  }
  llvm.func spir_kernelcc @scale_wrong(%data: !llvm.ptr<1>, %factor: f32) attributes {intel_reqd_sub_group_size = 16 : i32} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %i = llvm.call spir_funccc @_Z13get_global_idj(%zero) : (i32) -> i64
    %element = llvm.getelementptr inbounds %data[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
    %value = llvm.load %element : !llvm.ptr<1> -> f32
    %result = llvm.inline_asm "{\0A.decl T v_type=G type=f num_elts=16 align=wordx32\0Amul (M1, 16) T(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<0;1,0>\0Amov (M1, 16) $0(1,0)<1> T(0,0)<1;1,0> }", "=rw,rw,rw.u" %value, %factor : (f32, f32) -> f32
    llvm.store %result, %element : f32, !llvm.ptr<1>
    llvm.return
  }
}
