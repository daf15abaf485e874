// The generic form of this file and its LLVM IR are next to it, written by mlir-opt 19 and
// mlir-translate 19:
//   mlir-opt -mlir-print-op-generic kernel.mlir > generic.mlir
//   mlir-opt -convert-arith-to-llvm kernel.mlir | mlir-translate --mlir-to-llvmir > kernel.ll
!pair = !llvm.struct<(i32, f32)>
module attributes {llvm.target_triple = "spir64-unknown-unknown"} {
  llvm.func @other(i32 {llvm.noundef}) -> i32
  llvm.func spir_kernelcc @types(%a: i32, %b: i64, %c: f16, %d: bf16, %e: f64, %f: vector<8xf32>,
      %g: !llvm.ptr<1>, %h: !llvm.ptr, %i: !llvm.vec<4 x ptr<3>>, %j: i1, %k: i128)
      attributes {intel_reqd_sub_group_size = 16 : i32} {
    %0 = llvm.inline_asm has_side_effects is_align_stack asm_dialect = att operand_attrs = []
      "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> // \22\"\\\n\0A\t$$", "=rw,rw,~{memory}" %a : (i32) -> i32
    %1 = llvm.inline_asm asm_dialect = intel "// all", "=rw,=rw,rw,rw,rw,rw,rw,rw,rw,rw,rw,rw"
      %b, %c, %d, %e, %f, %g, %h, %i, %j, %k
      : (i64, f16, bf16, f64, vector<8xf32>, !llvm.ptr<1>, !llvm.ptr, !llvm.vec<4 x ptr<3>>, i1, i128) -> !pair
    llvm.return
  }
  llvm.func @values(%x: i32) {
    %int = llvm.mlir.constant(42 : i32) : i32
    %negative = arith.constant -5 : i64
    %float = llvm.mlir.constant(1.500000e+00 : f32) : f32
    %bits = llvm.mlir.constant(0x3C00 : f16) : f16
    %true = arith.constant true
    llvm.inline_asm "// values", "i,P,P,P,P,rw" %int, %negative, %float, %bits, %true, %x
      : (i32, i64, f32, f16, i1, i32) -> ()
    llvm.inline_asm has_side_effects "barrier", "" : () -> ()
    llvm.return
  }
  llvm.func @vc(%x: vector<16xi32>) attributes {passthrough = ["VCFunction"]} {
    llvm.inline_asm has_side_effects "// vc", "rw" %x : (vector<16xi32>) -> ()
    llvm.return
  }
}
