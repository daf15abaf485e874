// Prints the instructions of a .isa file: the offset, the bytes and the text.
#include <stdio.h>
#include <stdlib.h>

#include "genvisa.h"

static void print(genvisa_bytes text) { printf("%.*s", (int)text.len, (const char *)text.data); }

static int fail(genvisa_error *error) {
    genvisa_bytes message = genvisa_error_get(error).message;
    fprintf(stderr, "decode: %.*s\n", (int)message.len, (const char *)message.data);
    genvisa_error_free(error);
    return 1;
}

int main(int count, char **arguments) {
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "usage: decode FILE.isa\n");
        return 2;
    }
    fseek(file, 0, SEEK_END);
    size_t len = (size_t)ftell(file);
    rewind(file);
    uint8_t *data = malloc(len + 1);
    len = data ? fread(data, 1, len, file) : 0;
    fclose(file);

    genvisa_bytes bytes = {data, len}, no_dialect = {NULL, 0};
    genvisa_module *module;
    genvisa_error *error;
    genvisa_status status = genvisa_module_read(bytes, no_dialect, &module, &error);
    // A module does not refer to the bytes that it was read from.
    free(data);
    if (status != GENVISA_OK) return fail(error);
    for (size_t number = 0; number < genvisa_module_routine_count(module); number++) {
        genvisa_routine routine;
        genvisa_module_routine(module, number, &routine);
        print(routine.name);
        puts(":");
        genvisa_decoder *decoder;
        genvisa_instruction instruction;
        if (genvisa_decoder_new(module, number, &decoder, &error) != GENVISA_OK) return fail(error);
        while (genvisa_decoder_next(decoder, &instruction, &error) == GENVISA_OK) {
            printf("%#zx %3zu bytes  ", instruction.offset, instruction.bytes.len);
            print(genvisa_decoder_text(decoder, &instruction));
            puts("");
        }
        genvisa_decoder_free(decoder);
        if (error) return fail(error);
    }
    genvisa_module_free(module);
    return 0;
}
