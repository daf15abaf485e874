//! Device binaries of today's compiler: kernels with their text and their `.ze_info`.
