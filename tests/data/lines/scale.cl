// Scales the positive elements of x.
kernel void scale(global float *x, global float *y, float factor) {
    int i = get_global_id(0);
    float value = x[i];
    if (value > 0)
        y[i] = value * factor + 1;
}
