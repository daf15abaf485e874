; The number of lanes and the type of an operand are not known.

target triple = "spir64-unknown-unknown"

%struct.pair = type { i32, i32 }

define spir_kernel void @kernel(i32 %x, %struct.pair %pair) {
  %y = call i32 asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw"(i32 %x)
  %z = call i32 asm "mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>", "=rw,rw"(%struct.pair %pair)
  ret void
}
