// Hints: facts that this file does not show.

template <typename T> void copy(T x, T& y) {
  // genvisa: %0=float, %1=float, lanes=16
  asm("mov (M1, 16) %0(1,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
  // genvisa: %2=float, lanes=64
  asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
}
