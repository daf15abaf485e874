// The kernels of ../why_slower.ipynb. ocloc compiled them for bmg with -cl-std=CL3.0 and
// -cl-intel-greater-than-4GB-buffer-required, for `before` also with -cl-fast-relaxed-math, and for `after`
// with -cl-fp32-correctly-rounded-divide-sqrt. Declarations of registers and the options of the
// finalizer, which are comments, are removed from the dumps.

// Divides each number by a length.
kernel void divide_by_length(global float *x, global const float *squares) {
    uint i = get_global_id(0);
    x[i] = x[i] / sqrt(squares[i]);
}

// The larger of two neighbours.
kernel void larger(global const float *x, global float *y) {
    uint i = get_global_id(0);
    y[i] = fmax(x[i], x[i + 1]);
}
