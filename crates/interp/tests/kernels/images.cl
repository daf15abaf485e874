// Images: reads with and without samplers, writes, and sizes.

// devices tgllp dg2 bmg

constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t repeated = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;

// run copy --global 32,8 --local 16,2
//   in 2d rgba8-unorm 32,8,1
//   o 2d rgba8-unorm 32,8,1 out
KERNEL void copy(read_only image2d_t in, write_only image2d_t o) {
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(o, p, read_imagef(in, p));
}

// run exchange --global 32,8 --local 16,2
//   in 2d rgba16-uint 32,8,1
//   o 2d rgba32-uint 32,8,1 out
KERNEL void exchange(read_only image2d_t in, write_only image2d_t o) {
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    write_imageui(o, (int2)(31 - p.x, 7 - p.y), read_imageui(in, p).wzyx);
}

// run signed_writes --global 64 --local 16
//   v int 256 -40000..40000
//   a 2d rgba8-sint 8,8,1 out
//   b 2d rgba16-sint 8,8,1 out
//   c 2d r32-sint 8,8,1 out
KERNEL void signed_writes(global const int4 *v, write_only image2d_t a, write_only image2d_t b,
                          write_only image2d_t c) {
    int i = get_global_id(0);
    int2 p = (int2)(i % 8, i / 8);
    write_imagei(a, p, v[i]);
    write_imagei(b, p, v[i]);
    write_imagei(c, p, v[i]);
}

// run float_writes --global 64 --local 16
//   v float 256 -2..2
//   a 2d rgba32-float 8,8,1 out
//   b 2d r32-float 8,8,1 out
//   c 2d rgba16-float 8,8,1 out
//   d 2d bgra8-unorm 8,8,1 out
KERNEL void float_writes(global const float4 *v, write_only image2d_t a, write_only image2d_t b,
                         write_only image2d_t c, write_only image2d_t d) {
    int i = get_global_id(0);
    int2 p = (int2)(i % 8, i / 8);
    write_imagef(a, p, v[i]);
    write_imagef(b, p, v[i]);
    write_imagef(c, p, v[i]);
    write_imagef(d, p, v[i]);
}

// run unsigned_writes --global 64 --local 16
//   v uint 256 0..70000
//   a 2d rgba8-uint 8,8,1 out
//   b 2d r16-uint 8,8,1 out
//   c 2d rgba32-uint 8,8,1 out
KERNEL void unsigned_writes(global const uint4 *v, write_only image2d_t a, write_only image2d_t b,
                            write_only image2d_t c) {
    int i = get_global_id(0);
    int2 p = (int2)(i % 8, i / 8);
    write_imageui(a, p, v[i]);
    write_imageui(b, p, v[i]);
    write_imageui(c, p, v[i]);
}

// run snorm --global 64 --local 16 --absolute 1e-7
//   a 2d rgba8-snorm 8,8,1
//   b 2d r16-snorm 8,8,1
//   c 2d rgba16-float 8,8,1 -8..8
//   o float 768 out
KERNEL void snorm(read_only image2d_t a, read_only image2d_t b, read_only image2d_t c, global float4 *o) {
    int i = get_global_id(0);
    int2 p = (int2)(i % 8, i / 8);
    o[i * 3] = read_imagef(a, p);
    o[i * 3 + 1] = read_imagef(b, p);
    o[i * 3 + 2] = read_imagef(c, p);
}

// run nearest_2d --global 256 --local 32 --absolute 1e-7
//   in 2d rgba8-unorm 7,5,1
//   x float 256 -12..12
//   y float 256 -9..9
//   o float 1024 out
KERNEL void nearest_2d(read_only image2d_t in, global const float *x, global const float *y, global float4 *o) {
    int i = get_global_id(0);
    o[i] = read_imagef(in, edge, (float2)(x[i], y[i]));
}

// run border_2d --global 256 --local 32 --absolute 1e-7
//   in 2d rgba16-unorm 7,5,1
//   x float 256 -12..12
//   y float 256 -9..9
//   o float 1024 out
KERNEL void border_2d(read_only image2d_t in, global const float *x, global const float *y, global float4 *o) {
    int i = get_global_id(0);
    o[i] = read_imagef(in, border, (float2)(x[i], y[i]));
}

// run integers_2d --global 256 --local 32
//   in 2d rgba8-uint 7,5,1
//   x int 256 -12..12
//   y int 256 -9..9
//   o uint 1024 out
KERNEL void integers_2d(read_only image2d_t in, global const int *x, global const int *y, global uint4 *o) {
    int i = get_global_id(0);
    o[i] = read_imageui(in, border, (int2)(x[i], y[i])) + read_imageui(in, edge, (int2)(x[i], y[i]));
}

// run linear_2d --global 256 --local 32 --absolute 4e-6
//   in 2d rgba32-float 7,5,1
//   x float 256 -2..2
//   y float 256 -2..2
//   o float 1024 out
KERNEL void linear_2d(read_only image2d_t in, global const float *x, global const float *y, global float4 *o) {
    int i = get_global_id(0);
    o[i] = read_imagef(in, repeated, (float2)(x[i], y[i]));
}

// run with_sampler --global 256 --local 32 --absolute 4e-6
//   in 2d bgra8-unorm 7,5,1
//   s sampler linear mirrored-repeat normalized
//   x float 256 -2..2
//   y float 256 -2..2
//   o float 1024 out
KERNEL void with_sampler(read_only image2d_t in, sampler_t s, global const float *x, global const float *y,
                         global float4 *o) {
    int i = get_global_id(0);
    o[i] = read_imagef(in, s, (float2)(x[i], y[i]));
}

// run with_border --global 256 --local 32
//   in 2d rgba16-sint 7,5,1
//   s sampler nearest clamp-to-border texels
//   x float 256 -12..12
//   y float 256 -9..9
//   o int 1024 out
KERNEL void with_border(read_only image2d_t in, sampler_t s, global const float *x, global const float *y,
                        global int4 *o) {
    int i = get_global_id(0);
    o[i] = read_imagei(in, s, (float2)(x[i], y[i]));
}

// run volume --global 256 --local 32 --absolute 8e-6
//   in 3d rgba32-float 5,4,3
//   s sampler linear clamp-to-edge normalized
//   x float 768 -0.5..1.5
//   o float 1024 out
KERNEL void volume(read_only image3d_t in, sampler_t s, global const float *x, global float4 *o) {
    int i = get_global_id(0);
    o[i] = read_imagef(in, s, (float4)(x[i * 3], x[i * 3 + 1], x[i * 3 + 2], 0.0f));
}

// run arrays --global 256 --local 32
//   a 2d-array rgba8-uint 5,4,3
//   b 1d-array rgba8-uint 5,1,4
//   s sampler nearest clamp-to-edge texels
//   x float 768 -2..6
//   o uint 1024 out
KERNEL void arrays(read_only image2d_array_t a, read_only image1d_array_t b, sampler_t s, global const float *x,
                   global uint4 *o) {
    int i = get_global_id(0);
    float3 p = (float3)(x[i * 3], x[i * 3 + 1], x[i * 3 + 2]);
    o[i] = read_imageui(a, s, (float4)(p, 0.0f)) + 1000u * read_imageui(b, s, p.xz);
}

// run write_array --global 64 --local 16
//   a 2d-array r32-uint 4,4,4 out
KERNEL void write_array(write_only image2d_array_t a) {
    int i = get_global_id(0);
    write_imageui(a, (int4)(i % 4, i / 4 % 4, i / 16, 0), (uint4)(i * i, 1, 2, 3));
}

// run sizes --global 16 --local 16
//   a 1d r8-uint 7,1,1
//   b 2d r8-uint 6,5,1
//   c 3d r8-uint 4,3,2
//   d 2d-array r8-uint 9,8,7
//   e 1d-array r8-uint 11,1,10
//   o int 192 out
KERNEL void sizes(read_only image1d_t a, read_only image2d_t b, read_only image3d_t c, read_only image2d_array_t d,
                  read_only image1d_array_t e, global int *o) {
    int i = get_global_id(0);
    global int *p = o + i * 12;
    p[0] = get_image_width(a);
    p[1] = get_image_width(b);
    p[2] = get_image_height(b);
    p[3] = get_image_width(c);
    p[4] = get_image_height(c);
    p[5] = get_image_depth(c);
    p[6] = get_image_width(d);
    p[7] = get_image_height(d);
    p[8] = get_image_array_size(d);
    p[9] = get_image_width(e);
    p[10] = get_image_array_size(e);
    p[11] = i;
}
