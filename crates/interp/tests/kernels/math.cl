// Functions, with the bounds of OpenCL C, and of native functions, which have none, with those of the vISA manual.

// run trigonometry --global 256 --local 64 --ulp 5
//   o float 768 out
//   x float 256 -30..30
KERNEL void trigonometry(global float *o, global const float *x) {
    int i = get_global_id(0);
    o[i * 3] = sin(x[i]);
    o[i * 3 + 1] = cos(x[i]);
    o[i * 3 + 2] = tan(x[i]);
}

// run arcs --global 256 --local 64 --ulp 6
//   o float 1024 out
//   x float 256 -1..1
//   y float 256 -9..9
KERNEL void arcs(global float *o, global const float *x, global const float *y) {
    int i = get_global_id(0);
    o[i * 4] = asin(x[i]);
    o[i * 4 + 1] = acos(x[i]);
    o[i * 4 + 2] = atan(y[i]);
    o[i * 4 + 3] = atan2(x[i], y[i]);
}

// run exponentials --global 256 --local 64 --ulp 4
//   o float 1024 out
//   x float 256 -30..30
KERNEL void exponentials(global float *o, global const float *x) {
    int i = get_global_id(0);
    o[i * 4] = exp(x[i]);
    o[i * 4 + 1] = exp2(x[i]);
    o[i * 4 + 2] = exp10(x[i]);
    o[i * 4 + 3] = expm1(x[i]);
}

// run logarithms --global 256 --local 64 --ulp 4
//   o float 1024 out
//   x float 256 1e-6..1000
KERNEL void logarithms(global float *o, global const float *x) {
    int i = get_global_id(0);
    o[i * 4] = log(x[i]);
    o[i * 4 + 1] = log2(x[i]);
    o[i * 4 + 2] = log10(x[i]);
    o[i * 4 + 3] = log1p(x[i]);
}

// run powers --global 256 --local 64 --ulp 18
//   o float 1024 out
//   x float 256 0.01..20
//   y float 256 -8..8
KERNEL void powers(global float *o, global const float *x, global const float *y) {
    int i = get_global_id(0);
    o[i * 4] = pow(x[i], y[i]);
    o[i * 4 + 1] = powr(x[i], y[i]);
    o[i * 4 + 2] = pown(x[i] - 10.0f, i & 7);
    o[i * 4 + 3] = rootn(x[i], (i & 3) + 1);
}

// run roots --global 256 --local 64 --ulp 4
//   o float 1024 out
//   x float 256 0.001..1e5
KERNEL void roots(global float *o, global const float *x) {
    int i = get_global_id(0);
    o[i * 4] = sqrt(x[i]);
    o[i * 4 + 1] = rsqrt(x[i]);
    o[i * 4 + 2] = cbrt(x[i]);
    o[i * 4 + 3] = hypot(x[i], x[255 - i]);
}

// run division --global 256 --local 64 --ulp 3
//   o float 256 out
//   x float 256 -1e5..1e5
//   y float 256 0.001..1e5
KERNEL void division(global float *o, global const float *x, global const float *y) {
    int i = get_global_id(0);
    o[i] = x[i] / y[i];
}

// run hyperbolic --global 128 --local 64 --ulp 5
//   o float 384 out
//   x float 128 -8..8
KERNEL void hyperbolic(global float *o, global const float *x) {
    int i = get_global_id(0);
    o[i * 3] = sinh(x[i]);
    o[i * 3 + 1] = cosh(x[i]);
    o[i * 3 + 2] = tanh(x[i]);
}

// run error_functions --global 128 --local 64 --ulp 16
//   o float 256 out
//   x float 128 -3..3
KERNEL void error_functions(global float *o, global const float *x) {
    int i = get_global_id(0);
    o[i * 2] = erf(x[i]);
    o[i * 2 + 1] = erfc(x[i]);
}

// run remainders --global 128 --local 64
//   o float 256 out
//   x float 128 -1000..1000
//   y float 128 0.5..30
KERNEL void remainders(global float *o, global const float *x, global const float *y) {
    int i = get_global_id(0);
    o[i * 2] = fmod(x[i], y[i]);
    o[i * 2 + 1] = remainder(x[i], y[i]);
}

// run native --global 256 --local 64 --absolute 2e-6 --ulp 32
//   o float 1792 out
//   x float 256 0.1..3
KERNEL void native(global float *o, global const float *x) {
    int i = get_global_id(0);
    float v = x[i];
    o[i * 7] = native_sin(v);
    o[i * 7 + 1] = native_cos(v);
    o[i * 7 + 2] = native_exp2(v);
    o[i * 7 + 3] = native_log2(v);
    o[i * 7 + 4] = native_sqrt(v);
    o[i * 7 + 5] = native_rsqrt(v);
    o[i * 7 + 6] = native_recip(v);
}

// run black_scholes --global 128 --local 64 --absolute 1e-4 --ulp 64
//   call float 128 out
//   price float 128 10..50
//   strike float 128 10..50
//   years float 128 0.2..2
KERNEL void black_scholes(global float *call, global const float *price, global const float *strike, global const float *years) {
    int i = get_global_id(0);
    float s = price[i], k = strike[i], t = years[i], r = 0.02f, v = 0.3f;
    float d1 = (log(s / k) + (r + v * v / 2) * t) / (v * sqrt(t));
    float d2 = d1 - v * sqrt(t);
    float n1 = 0.5f * erfc(-d1 * 0.70710678f), n2 = 0.5f * erfc(-d2 * 0.70710678f);
    call[i] = s * n1 - k * exp(-r * t) * n2;
}

// run n_body --global 64 --local 32 --absolute 1e-4 --ulp 64
//   a float 256 out
//   p float 256 -10..10
KERNEL void n_body(global float4 *a, global const float4 *p) {
    int i = get_global_id(0);
    float4 sum = 0;
    for (int k = 0; k < 64; k++) {
        float4 d = p[k] - p[i];
        float r = rsqrt(d.x * d.x + d.y * d.y + d.z * d.z + 0.01f);
        sum += d * (r * r * r);
    }
    a[i] = sum;
}
