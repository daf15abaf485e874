// Divergent control flow and functions.

// run collatz --global 128 --local 32
//   o int 128 out
//   x uint 128 1..1000
KERNEL void collatz(global int *o, global const uint *x) {
    int i = get_global_id(0), steps = 0;
    for (uint v = x[i]; v != 1; steps++)
        v = v & 1 ? 3 * v + 1 : v / 2;
    o[i] = steps;
}

// run mandelbrot --global 32,16 --local 16,4
//   o int 512 out
KERNEL void mandelbrot(global int *o) {
#pragma OPENCL FP_CONTRACT OFF
    int i = get_global_id(0), j = get_global_id(1), n = 0;
    float a = i * 0.09375f - 2.0f, b = j * 0.125f - 1.0f, x = 0, y = 0;
    while (n < 50 && x * x + y * y < 4.0f) {
        float t = x * x - y * y + a;
        y = 2.0f * x * y + b;
        x = t;
        n++;
    }
    o[j * 32 + i] = n;
}

// run switches --global 128 --local 32
//   o int 128 out
//   x int 128 0..9
KERNEL void switches(global int *o, global const int *x) {
    int i = get_global_id(0), r = 5;
    for (int k = 0; k < 6; k++)
        switch (x[(i + k) & 127]) {
        case 0: r += 3; break;
        case 1: r *= 2;
        case 2: r ^= 0x55; break;
        case 5: r -= i; break;
        case 7: if (r > 100) { r /= 2; break; } r += 50; break;
        default: r = r * 3 + 1;
        }
    o[i] = r;
}

// run early_exit --global 96 --local 32
//   o int 96 out
//   x int 96 -10..10
KERNEL void early_exit(global int *o, global const int *x) {
    int i = get_global_id(0);
    if (x[i] < -5)
        return;
    if (x[i] < 0) {
        o[i] = -1;
        return;
    }
    o[i] = x[i] * 2;
}

// run break_continue --global 128 --local 32
//   o int 128 out
//   x int 128 -50..50
KERNEL void break_continue(global int *o, global const int *x) {
    int i = get_global_id(0), r = 0;
    for (int a = 0; a < 8; a++) {
        int v = x[(i * 3 + a) & 127];
        if (v < 0)
            continue;
        for (int b = 0; b < 8; b++) {
            if ((v >> b) & 1) {
                r += b;
                continue;
            }
            if (r > 60)
                break;
            r ^= a * b;
        }
        if (r > 100)
            break;
    }
    o[i] = r;
}

// run nested --global 128 --local 32
//   o int 128 out
//   x int 128
KERNEL void nested(global int *o, global const int *x) {
    int i = get_global_id(0), v = x[i], r = 0;
    if (v & 1) {
        if (v & 2) {
            if (v & 4) r = 1; else r = 2;
        } else {
            r = v & 8 ? 3 : 4;
            if (v & 16) r += 10;
        }
    } else {
        if (v & 2) {
            while (v & 0x70) { v -= 16; r++; }
        } else
            r = 7;
        r += v & 32 ? 100 : 200;
    }
    o[i] = r;
}

// run gcd --global 128 --local 32
//   o uint 128 out
//   x uint 128 1..5000
//   y uint 128 1..5000
KERNEL void gcd(global uint *o, global const uint *x, global const uint *y) {
    int i = get_global_id(0);
    uint a = x[i], b = y[i];
    while (b) {
        uint t = a % b;
        a = b;
        b = t;
    }
    o[i] = a;
}

// run primes --global 128 --local 32
//   o uint 128 out
//   x uint 128 2..2000
KERNEL void primes(global uint *o, global const uint *x) {
    int i = get_global_id(0);
    uint n = x[i];
    for (;; n++) {
        bool prime = true;
        for (uint d = 2; d * d <= n; d++)
            if (n % d == 0) {
                prime = false;
                break;
            }
        if (prime)
            break;
    }
    o[i] = n;
}

__attribute__((noinline)) int triple(int a, global const int *p) { return a * 3 + p[a & 15]; }
__attribute__((noinline)) int accumulate(int a, global const int *p) {
    int r = 0;
    for (int i = 0; i < a; i++)
        r += triple(i, p);
    return r;
}

// run subroutines --global 64 --local 32
//   o int 64 out
//   x int 64 0..12
KERNEL void subroutines(global int *o, global const int *x) {
    int i = get_global_id(0);
    int r = triple(x[i], x);
    if (x[i] & 1)
        r += accumulate(x[i], x);
    o[i] = r;
}

#ifdef REFERENCE
int fibonacci(int n) {
    int a = 0, b = 1;
    for (int i = 0; i < n; i++) {
        int t = a + b;
        a = b;
        b = t;
    }
    return a;
}
#else
__attribute__((noinline)) int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
#endif

// run recursion --global 48 --local 16
//   o int 48 out
//   x int 48 0..9
KERNEL void recursion(global int *o, global const int *x) {
    int i = get_global_id(0);
    o[i] = fibonacci(x[i]);
}

// run automaton --global 64 --local 32
//   o uint 64 out
//   x uchar 1024
KERNEL void automaton(global uint *o, global const uchar *x) {
    int i = get_global_id(0), state = 0;
    uint words = 0;
    for (int k = 0; k < 16; k++) {
        uchar c = x[i * 16 + k];
        if (state == 0) {
            if (c < 160) { state = 1; words++; }
        } else if (state == 1) {
            if (c >= 200) state = 2;
            else if (c >= 160) state = 0;
        } else
            state = c & 1;
    }
    o[i] = words * 10 + state;
}

// run divergent_barriers --global 64 --local 32
//   o int 64 out
//   x int 64 0..9
KERNEL void divergent_barriers(global int *o, global const int *x) {
    local int a[32];
    int t = get_local_id(0), g = get_global_id(0), r = 0;
    a[t] = 0;
    for (int k = 0; k < 4; k++) {
        if (x[g] > 4)
            a[t] = x[g] + k;
        else if (x[g] & 1)
            a[t] = -k;
        barrier(CLK_LOCAL_MEM_FENCE);
        r += a[(t + k) & 31];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    o[g] = r;
}

// run queens --global 6 --local 6
//   o int 6 out
KERNEL void queens(global int *o) {
    int first = get_global_id(0), count = 0, row = 1;
    int place[6];
    place[0] = first;
    place[1] = -1;
    while (row > 0) {
        if (++place[row] == 6) {
            row--;
            continue;
        }
        bool free = true;
        for (int k = 0; k < row; k++)
            free = free && place[k] != place[row] && place[row] - place[k] != row - k && place[k] - place[row] != row - k;
        if (!free)
            continue;
        if (row == 5)
            count++;
        else
            place[++row] = -1;
    }
    o[first] = count;
}
