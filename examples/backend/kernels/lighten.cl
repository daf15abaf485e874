// The inline assembly of a kernel that the backend calls.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void lighten(global float *colours) {
    size_t i = get_global_id(0);
    float colour = colours[i], lighter;
    __asm__("mul.sat (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 0x3fc00000:f" : "=rw"(lighter) : "rw"(colour));
    colours[i] = lighter;
}
