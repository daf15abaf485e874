// Precedes each file of kernels. `SG` is the number of lanes; `REFERENCE` is defined for the reference.
#ifdef REFERENCE
#define KERNEL kernel
#else
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define KERNEL __attribute__((intel_reqd_sub_group_size(SG))) kernel
#endif
#line 1
