// The source of invert-bmg.bin: ocloc compile -file invert.cl -device bmg -exclude_ir -output_no_suffix
// -options "-cl-std=CL3.0" -internal_options "-ze-emit-zebin-visa-sections" -output invert-bmg

kernel void invert(read_only image2d_t in, write_only image2d_t out) {
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(out, at, 1.0f - read_imagef(in, at));
}
