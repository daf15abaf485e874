!pair = !llvm.struct<(i32, f32)>
module attributes {llvm.target_triple = "spir64-unknown-unknown", "ttg.threads-per-warp" = 32 : i32} {
  llvm.func spir_kernelcc @k(%x: i32, %p: !llvm.ptr<1>) attributes {intel_reqd_sub_group_size = 16 : i32} {
    %c = llvm.mlir.constant(42 : i32) : i32
    %0 = llvm.inline_asm has_side_effects asm_dialect = att operand_attrs = [] "{\0Amov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\n}", "=rw,rw,i,~{memory}" %x, %c : (i32, i32) -> i32
    %1 = llvm.inline_asm "lsc_load.ugm (M1, 16) $0:d32 flat[$2]:a64", "=rw,=rw,rw" %p : (!llvm.ptr<1>) -> !pair
    llvm.return
  }
}
"llvm.func"() <{sym_name = "g"}> ({
^bb0(%x: vector<16xf32>):
  "llvm.inline_asm"(%x) <{asm_dialect = 0 : i64, asm_string = "barrier", constraints = "rw", has_side_effects}> : (vector<16xf32>) -> ()
  %r = tt.elementwise_inline_asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>" {constraints = "=rw,rw"} %x : tensor<16xf32> -> tensor<16xf32>
}) {intel_reqd_sub_group_size = 16 : i32} : () -> ()
