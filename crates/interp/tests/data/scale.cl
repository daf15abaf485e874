// The source of scale-*.bin: ocloc compile -file scale.cl -device DEVICE -exclude_ir -output_no_suffix
// -options "-cl-std=CL3.0 -DROTATE" -internal_options "-ze-emit-zebin-visa-sections" -output scale-DEVICE
// Without -DROTATE for dg2 and pvc.

constant int offsets[4] = {1, -2, 3, -4};

kernel void scale(global float *y, global const float *x, float a, int n) {
    int i = get_global_id(0);
    if (i < n)
        y[i] = a * x[i] + offsets[i & 3];
}

#ifdef ROTATE
__attribute__((reqd_work_group_size(8, 2, 1)))
kernel void rotate(global int *o, local int *l, char by) {
    int t = get_local_id(0) + 8 * get_local_id(1);
    int mine[4];
    for (int k = 0; k < 4; k++)
        mine[(k + by) & 3] = t * 10 + k;
    l[t] = mine[by & 3];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_group_id(0) * 16 + t] = l[(t + by) & 15];
}
#endif
