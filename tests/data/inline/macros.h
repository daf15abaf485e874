// Macros with inline assembly.

#define COPY(type, source)                                   \
  __asm__("mov (M1, 16) %0(1,0)<1> %1" source "<1;1,0>\n"    \
          : "=rw"(y)                                         \
          : "rw"(x))

#define SEMICOLON "mov (M1, 16) %0(0,0)<1> 0x0:d;\n"

__attribute__((intel_reqd_sub_group_size(16)))
inline void copy(int x) {
  int y;
  COPY(int, "(0,0)");
  asm(SEMICOLON : "=rw"(y));
}

inline void unknown(int x) {
  int y;
  asm(MOVE(16) " %0(0,0)<1> %1(0,0)<1;1,0>\n" : "=rw"(y) : "rw"(x));
  // genvisa: %2=float, lanes=64
  asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\n" : "=rw"(y) : "rw"(x));
}

inline unsigned other_machine(unsigned x) {
  asm("bswap %0" : "=r"(x) : "0"(x));
  return x;
}
