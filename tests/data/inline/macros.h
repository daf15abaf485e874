// Macros with inline assembly.

#define COPY(to, from, offset) \
  __asm__("mov (M1, 16) %0(1,0)<1> %1" offset "<1;1,0>" : "=rw"(to) : "rw"(from))

#define SEMICOLON "mov (M1, 16) %0(0,0)<1> 0x0:d;"

__attribute__((intel_reqd_sub_group_size(16)))
inline void copy(int x) {
  int y;
  COPY(y, x, "(0,0)");
  asm(SEMICOLON : "=rw"(y));
}

inline void unknown(int x) {
  int y;
  asm(MOVE(16) " %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
  asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
}

inline unsigned other_machine(unsigned x) {
  asm("bswap %0" : "=r"(x) : "0"(x));
  return x;
}
