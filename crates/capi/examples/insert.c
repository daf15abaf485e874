// Inserts an instruction into a kernel: it finds variables, encodes a MEDIA_LD, inserts it before the last `ret`,
// verifies the result, and writes it to a file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "genvisa.h"

static const char *const KERNEL =
    ".version 3.6\n"
    ".kernel \"k\"\n"
    ".decl block v_type=G type=ub num_elts=128 align=GRF\n"
    ".decl source v_type=T num_elts=1\n"
    "ret (M1, 1)\n";

static genvisa_bytes text(const char *text) { return (genvisa_bytes){(const uint8_t *)text, strlen(text)}; }

static bool equal(genvisa_bytes a, const char *b) { return a.len == strlen(b) && memcmp(a.data, b, a.len) == 0; }

static void print(FILE *file, genvisa_bytes text) { fwrite(text.data, 1, text.len, file); }

// Copies a module, with a MEDIA_LD of 16 x 8 bytes before the last `ret` of its first routine.
static genvisa_status insert_load(const genvisa_module *module, genvisa_module **result, genvisa_error **error) {
    // Find the ids of the operands.
    genvisa_media_ld load = {.block_width = 16, .block_height = 8};
    load.x_offset = load.y_offset = genvisa_immediate(GENVISA_TYPE_UD, 0);
    genvisa_status status = genvisa_module_find(module, 0, 'T', text("source"), &load.surface, error);
    if (status != GENVISA_OK) return status;
    status = genvisa_module_find(module, 0, 'V', text("block"), &load.dst.variable, error);
    if (status != GENVISA_OK) return status;

    // Find the position of the last `ret` in the code.
    genvisa_routine routine;
    genvisa_decoder *decoder;
    genvisa_instruction instruction;
    genvisa_module_routine(module, 0, &routine);
    size_t position = routine.code.len;
    status = genvisa_decoder_new(module, 0, &decoder, error);
    if (status != GENVISA_OK) return status;
    while ((status = genvisa_decoder_next(decoder, &instruction, error)) == GENVISA_OK) {
        bool is_ret = equal(genvisa_mnemonic(instruction.opcode), "ret");
        if (is_ret) position = (size_t)(instruction.bytes.data - routine.code.data);
    }
    genvisa_decoder_free(decoder);
    if (status != GENVISA_END) return status;

    // Encode the instruction in the format of the module.
    genvisa_buffer *buffer;
    status = genvisa_media_ld_encode(&load, genvisa_module_format(module), &buffer, error);
    if (status != GENVISA_OK) return status;

    // The new code is the bytes of all instructions, one after another.
    genvisa_bytes added = genvisa_buffer_bytes(buffer);
    genvisa_bytes code = {NULL, routine.code.len + added.len};
    uint8_t *bytes = malloc(code.len);
    if (!bytes) abort();
    memcpy(bytes, routine.code.data, position);
    memcpy(bytes + position, added.data, added.len);
    memcpy(bytes + position + added.len, routine.code.data + position, routine.code.len - position);
    code.data = bytes;
    status = genvisa_module_with_code(module, 0, code, result, error);
    free(bytes);
    genvisa_buffer_free(buffer);
    return status;
}

// Prints the findings about a module, and returns whether there are errors.
static bool has_errors(const genvisa_findings *findings) {
    bool has_errors = false;
    genvisa_finding finding;
    for (size_t i = 0; genvisa_findings_get(findings, i, &finding) == GENVISA_OK; i++) {
        fprintf(stderr, "instruction %zu: ", finding.instruction);
        print(stderr, finding.message);
        fputs("\n", stderr);
        has_errors |= finding.is_error;
    }
    return has_errors;
}

static int fail(genvisa_error *error) {
    fputs("insert: ", stderr);
    print(stderr, error ? genvisa_error_get(error).message : text("there is no such variable"));
    fputs("\n", stderr);
    genvisa_error_free(error);
    return 1;
}

int main(int count, char **arguments) {
    if (count != 2) {
        fputs("usage: insert OUTPUT.isa\n", stderr);
        return 2;
    }
    const genvisa_bytes none = {NULL, 0};
    genvisa_module *declared, *module;
    genvisa_findings *findings;
    genvisa_buffer *file, *listing;
    genvisa_error *error;
    if (genvisa_module_parse(text(KERNEL), none, &declared, &error) != GENVISA_OK) return fail(error);
    if (insert_load(declared, &module, &error) != GENVISA_OK) return fail(error);
    genvisa_module_free(declared);
    if (genvisa_verify(module, text("SKL"), false, &findings, &error) != GENVISA_OK) return fail(error);
    bool is_wrong = has_errors(findings);
    genvisa_findings_free(findings);
    if (is_wrong) return 1;
    if (genvisa_module_encode(module, &file, &error) != GENVISA_OK) return fail(error);
    if (genvisa_module_print(module, false, &listing, &error) != GENVISA_OK) return fail(error);
    FILE *output = fopen(arguments[1], "wb");
    if (!output) {
        perror(arguments[1]);
        return 1;
    }
    print(output, genvisa_buffer_bytes(file));
    fclose(output);
    print(stdout, genvisa_buffer_bytes(listing));
    genvisa_buffer_free(listing);
    genvisa_buffer_free(file);
    genvisa_module_free(module);
    return 0;
}
