// What the programs share.
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "genvisa.h"

static inline genvisa_bytes bytes(const char *text) {
    genvisa_bytes result = {(const uint8_t *)text, strlen(text)};
    return result;
}

static inline bool contains(genvisa_bytes text, const char *part) {
    size_t len = strlen(part);
    for (size_t at = 0; at + len <= text.len; at++) {
        if (memcmp(text.data + at, part, len) == 0) return true;
    }
    return false;
}

static inline genvisa_bytes read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    assert(file);
    fseek(file, 0, SEEK_END);
    size_t len = (size_t)ftell(file);
    rewind(file);
    uint8_t *data = malloc(len ? len : 1);
    assert(fread(data, 1, len, file) == len);
    fclose(file);
    genvisa_bytes result = {data, len};
    return result;
}

static inline uint64_t random_number(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}
