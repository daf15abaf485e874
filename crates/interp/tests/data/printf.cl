// The source of printf-bmg.bin: ocloc compile -file printf.cl -device bmg -exclude_ir -output_no_suffix
// -internal_options "-ze-emit-zebin-visa-sections" -output printf-bmg
// printf.txt is what pocl prints for four work-items with x = 1.75, sorted.

kernel void print(float x) {
    int i = get_global_id(0);
    printf("%d|%+5d|%-5i|%05d|%u|%x|%#X|%o|%c|%s|%s%%\n", i, i, i, -i, i - 2, i - 2, i * 255, i * 9, 'a' + i,
           i & 1 ? "odd" : "even", "%d");
    printf("%f|%8.2f|%-8.3e|%+g|%g|%G|%.0f|%a|%F\n", x * i, x, x * 1000, x, x * 1e-7f, x * 1e20f, x, x * i, -x);
    printf("%hd|%hhu|%hhd|%ld|%lx|%lu\n", (short)-i, (uchar)(250 + i), (char)(200 + i), (long)i << 40, (long)i - 1,
           (ulong)i - 1);
    printf("%v4hld|%v2hlf|%v3hlx|%v8hx|%v4hhd|%v2ld\n", (int4)(i, 1, -2, 3), (float2)(x, i), (uint3)(i, 10, 11),
           (ushort8)(1, 2, 3, 4, 5, 6, 7, i), (char4)(i, -1, 2, 3), (long2)(i, -i));
    printf("%.2v2hlf|%6.1v2hlf\n", (float2)(x, i), (float2)(x, i));
    printf("no argument\n");
}
