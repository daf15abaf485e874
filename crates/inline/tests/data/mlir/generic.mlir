"builtin.module"() ({
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, arg_attrs = [{llvm.noundef}], function_type = !llvm.func<i32 (i32)>, linkage = #llvm.linkage<external>, sym_name = "other", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<spir_kernelcc>, function_type = !llvm.func<void (i32, i64, f16, bf16, f64, vector<8xf32>, ptr<1>, ptr, vec<4 x ptr<3>>, i1, i128)>, linkage = #llvm.linkage<external>, sym_name = "types", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg2: i32, %arg3: i64, %arg4: f16, %arg5: bf16, %arg6: f64, %arg7: vector<8xf32>, %arg8: !llvm.ptr<1>, %arg9: !llvm.ptr, %arg10: !llvm.vec<4 x ptr<3>>, %arg11: i1, %arg12: i128):
    %5 = "llvm.inline_asm"(%arg2) <{asm_dialect = 0 : i64, asm_string = "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> // \22\22\\\0A\0A\09$$", constraints = "=rw,rw,~{memory}", has_side_effects, is_align_stack, operand_attrs = []}> : (i32) -> i32
    %6 = "llvm.inline_asm"(%arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12) <{asm_dialect = 1 : i64, asm_string = "// all", constraints = "=rw,=rw,rw,rw,rw,rw,rw,rw,rw,rw,rw,rw"}> : (i64, f16, bf16, f64, vector<8xf32>, !llvm.ptr<1>, !llvm.ptr, !llvm.vec<4 x ptr<3>>, i1, i128) -> !llvm.struct<(i32, f32)>
    "llvm.return"() : () -> ()
  }) {intel_reqd_sub_group_size = 16 : i32} : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (i32)>, linkage = #llvm.linkage<external>, sym_name = "values", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg1: i32):
    %0 = "llvm.mlir.constant"() <{value = 42 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = -5 : i64}> : () -> i64
    %2 = "llvm.mlir.constant"() <{value = 1.500000e+00 : f32}> : () -> f32
    %3 = "llvm.mlir.constant"() <{value = 1.000000e+00 : f16}> : () -> f16
    %4 = "arith.constant"() <{value = true}> : () -> i1
    "llvm.inline_asm"(%0, %1, %2, %3, %4, %arg1) <{asm_string = "// values", constraints = "i,P,P,P,P,rw"}> : (i32, i64, f32, f16, i1, i32) -> ()
    "llvm.inline_asm"() <{asm_string = "barrier", constraints = "", has_side_effects}> : () -> ()
    "llvm.return"() : () -> ()
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void (vector<16xi32>)>, linkage = #llvm.linkage<external>, passthrough = ["VCFunction"], sym_name = "vc", unnamed_addr = 0 : i64, visibility_ = 0 : i64}> ({
  ^bb0(%arg0: vector<16xi32>):
    "llvm.inline_asm"(%arg0) <{asm_string = "// vc", constraints = "rw", has_side_effects}> : (vector<16xi32>) -> ()
    "llvm.return"() : () -> ()
  }) : () -> ()
}) {llvm.target_triple = "spir64-unknown-unknown"} : () -> ()

