// The source of the dumps in this folder.
void load(global int *p, short flags, int value)
{
    __asm__("cmp.lt (M1, 16) P1 %1(0,0)<1;1,0> 0x0:d\n"
            "lsc_load.ugm.ca.ca.uc (M1, 16) %1:d32 flat[%0]:a64\n"
            "mov (M1, 1) %2(0,0)<1> P1" : : "rw"(p), "rw"(value), "rw.u"(flags));
}
