// Runs kernels of an OpenCL C program on the first device that is a CPU.
//
//   pocl PROGRAM OPTIONS < COMMANDS
//
// Commands, one in a line:
//   kernel NAME DIMENSIONS GX GY GZ LX LY LZ   starts a list of arguments
//   buffer FILE                                a buffer with the bytes of a file
//   image FILE KIND ORDER TYPE WIDTH HEIGHT DEPTH
//                                              an image with the bytes of a file; the numbers are those of
//                                              the header of OpenCL, and the depth counts images of an array
//   sampler NORMALIZED ADDRESS FILTER          a sampler
//   value HEX                                  a value
//   local BYTES                                a buffer of the work-group
//   run                                        runs the kernel, and writes each buffer back to its file
//   time RUNS                                  runs the kernel, and prints the nanoseconds of a run

#define _POSIX_C_SOURCE 199309L
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_ARGUMENTS 32

struct buffer {
    char file[4096];
    size_t size;
    size_t region[3]; // Of an image; 0 for a buffer.
    cl_mem memory;
};

static void fail(const char *what, int code) {
    fprintf(stderr, "pocl: %s: %d\n", what, code);
    exit(1);
}

static void check(const char *what, cl_int code) {
    if (code != CL_SUCCESS)
        fail(what, code);
}

static char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file)
        fail(path, 0);
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    if (fread(bytes, 1, *size, file) != *size)
        fail(path, 1);
    bytes[*size] = 0;
    fclose(file);
    return bytes;
}

static cl_device_id find_device(void) {
    cl_platform_id platforms[16];
    cl_uint count = 0;
    check("clGetPlatformIDs", clGetPlatformIDs(16, platforms, &count));
    for (cl_uint i = 0; i < count && i < 16; i++) {
        cl_device_id device;
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, NULL) == CL_SUCCESS)
            return device;
    }
    fail("no device", 0);
    return NULL;
}

int main(int argc, char **argv) {
    if (argc != 3)
        fail("expected PROGRAM OPTIONS", argc);
    cl_int code;
    cl_device_id device = find_device();
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check("clCreateContext", code);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    check("clCreateCommandQueue", code);
    size_t length;
    const char *source = read_file(argv[1], &length);
    cl_program program = clCreateProgramWithSource(context, 1, &source, &length, &code);
    check("clCreateProgramWithSource", code);
    code = clBuildProgram(program, 1, &device, argv[2], NULL, NULL);
    if (code != CL_SUCCESS) {
        static char log[1 << 16];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        fprintf(stderr, "%s\n", log);
        fail("clBuildProgram", code);
    }

    static char line[1 << 16], word[1 << 16];
    static struct buffer buffers[MAX_ARGUMENTS];
    cl_kernel kernel = NULL;
    size_t global[3], local[3], dimensions = 0;
    cl_uint arguments = 0, count = 0;
    while (fgets(line, sizeof line, stdin)) {
        size_t size, width, height, depth;
        unsigned kind, order, type;
        if (sscanf(line, "kernel %s %zu %zu %zu %zu %zu %zu %zu", word, &dimensions, &global[0], &global[1],
                   &global[2], &local[0], &local[1], &local[2]) == 8) {
            kernel = clCreateKernel(program, word, &code);
            check(word, code);
            arguments = count = 0;
        } else if (sscanf(line, "buffer %4095s", buffers[count].file) == 1) {
            struct buffer *buffer = &buffers[count++];
            char *bytes = read_file(buffer->file, &buffer->size);
            buffer->region[0] = 0;
            buffer->memory =
                clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, buffer->size, bytes, &code);
            check("clCreateBuffer", code);
            free(bytes);
            check("clSetKernelArg", clSetKernelArg(kernel, arguments++, sizeof(cl_mem), &buffer->memory));
        } else if (sscanf(line, "image %4095s %u %u %u %zu %zu %zu", buffers[count].file, &kind, &order, &type,
                          &width, &height, &depth) == 7) {
            struct buffer *buffer = &buffers[count++];
            char *bytes = read_file(buffer->file, &buffer->size);
            cl_image_format format = {order, type};
            cl_image_desc desc = {.image_type = kind,
                                  .image_width = width,
                                  .image_height = height,
                                  .image_depth = depth,
                                  .image_array_size = depth};
            buffer->memory =
                clCreateImage(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, bytes, &code);
            check("clCreateImage", code);
            buffer->region[0] = width;
            // The second coordinate of an array of 1D images is the index.
            buffer->region[1] = kind == CL_MEM_OBJECT_IMAGE1D_ARRAY ? depth : height;
            buffer->region[2] = kind == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 1 : depth;
            free(bytes);
            check("clSetKernelArg", clSetKernelArg(kernel, arguments++, sizeof(cl_mem), &buffer->memory));
        } else if (sscanf(line, "sampler %u %u %u", &kind, &order, &type) == 3) {
            cl_sampler sampler = clCreateSampler(context, kind, order, type, &code);
            check("clCreateSampler", code);
            check("clSetKernelArg", clSetKernelArg(kernel, arguments++, sizeof(cl_sampler), &sampler));
        } else if (sscanf(line, "value %s", word) == 1) {
            unsigned char value[256];
            size = strlen(word) / 2;
            if (size > sizeof value)
                fail("large value", (int)size);
            for (size_t i = 0; i < size; i++) {
                unsigned byte = 0;
                sscanf(word + 2 * i, "%2x", &byte);
                value[i] = (unsigned char)byte;
            }
            check("clSetKernelArg", clSetKernelArg(kernel, arguments++, size, value));
        } else if (sscanf(line, "local %zu", &size) == 1) {
            check("clSetKernelArg", clSetKernelArg(kernel, arguments++, size, NULL));
        } else if (sscanf(line, "time %zu", &size) == 1 && size > 0) {
            struct timespec start, end;
            // The first run compiles the kernel for the size of the group.
            for (size_t i = 0; i <= size; i++) {
                check("clEnqueueNDRangeKernel", clEnqueueNDRangeKernel(queue, kernel, (cl_uint)dimensions, NULL, global,
                                                                       local, 0, NULL, NULL));
                check("clFinish", clFinish(queue));
                if (i == 0)
                    clock_gettime(CLOCK_MONOTONIC, &start);
            }
            clock_gettime(CLOCK_MONOTONIC, &end);
            double seconds = (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
            printf("%.0f\n", seconds * 1e9 / (double)size);
        } else if (strncmp(line, "run", 3) == 0) {
            check("clEnqueueNDRangeKernel",
                  clEnqueueNDRangeKernel(queue, kernel, (cl_uint)dimensions, NULL, global, local, 0, NULL, NULL));
            check("clFinish", clFinish(queue));
            for (cl_uint i = 0; i < count; i++) {
                struct buffer *buffer = &buffers[i];
                char *bytes = malloc(buffer->size);
                const size_t origin[3] = {0, 0, 0};
                if (buffer->region[0])
                    code = clEnqueueReadImage(queue, buffer->memory, CL_TRUE, origin, buffer->region, 0, 0, bytes, 0,
                                              NULL, NULL);
                else
                    code = clEnqueueReadBuffer(queue, buffer->memory, CL_TRUE, 0, buffer->size, bytes, 0, NULL, NULL);
                check("reading a buffer or an image", code);
                FILE *file = fopen(buffer->file, "wb");
                if (!file || fwrite(bytes, 1, buffer->size, file) != buffer->size || fclose(file) != 0)
                    fail(buffer->file, 2);
                free(bytes);
                clReleaseMemObject(buffer->memory);
            }
            clReleaseKernel(kernel);
        } else {
            fail(line, -1);
        }
    }
    return 0;
}
