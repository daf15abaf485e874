// Ten mistakes in inline assembly. The compiler accepts the first five without a message.
#define SIMD16 __attribute__((intel_reqd_sub_group_size(16)))

// 1. A line of a dump was copied with its comment.
SIMD16 void dollar(int x) {
  int y;
  __asm__("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> /// $14" : "=rw"(y) : "rw"(x));
}

// 2. The destination begins one register too late.
SIMD16 void bounds(int x) {
  int y;
  __asm__("mov (M1, 16) %0(1,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
}

// 3. Half of the lanes keep an undefined value.
SIMD16 void lanes(int x) {
  int y;
  __asm__("mov (M1, 8) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
}

// 4. The output is an input.
SIMD16 void input(int x) {
  __asm__("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d" :: "rw"(x));
}

// 5. The label is defined twice if the function is inlined twice. Then, the compiler refuses it.
SIMD16 void label(int x) {
  int y;
  __asm__("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\n"
          "jmp (M1, 1) done\n"
          "done:" : "=rw"(y) : "rw"(x));
}

// 6. The address has 32 bits. The compiler crashes.
SIMD16 void address(int p) {
  int y;
  __asm__("lsc_load.ugm (M1, 16) %0:d32 flat[%1]:a64" : "=rw"(y) : "rw"(p));
}

// 7. A constant with constraint `i` includes its type.
SIMD16 void typed(int x) {
  int y;
  __asm__("add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2:d" : "=rw"(y) : "rw"(x), "i"(7));
}

// 8. The constraint is that of another compiler.
SIMD16 void constraint(int x) {
  int y;
  __asm__("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=r"(y) : "r"(x));
}

// 9. The source has no region.
SIMD16 void region(int x) {
  int y;
  __asm__("mov (M1, 16) %0(0,0)<1> %1(0,0)" : "=rw"(y) : "rw"(x));
}

// 10. The platform does not have the instruction.
SIMD16 void platform(float x) {
  float y;
  __asm__("tanh (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
}
