// Decodes all instructions of a module with the functions of the interface.
#include "genvisa.h"

// Returns the number of the bytes of all instructions, or 0 after an error.
size_t decode_one_by_one(const genvisa_module *module) {
    size_t size = 0;
    for (size_t routine = 0; routine < genvisa_module_routine_count(module); routine++) {
        genvisa_decoder *decoder;
        genvisa_error *error;
        genvisa_instruction instruction;
        if (genvisa_decoder_new(module, routine, &decoder, &error) != GENVISA_OK) return 0;
        while (genvisa_decoder_next(decoder, &instruction, &error) == GENVISA_OK) {
            size += instruction.bytes.len;
        }
        genvisa_decoder_free(decoder);
        if (error) return 0;
    }
    return size;
}

size_t decode_many(const genvisa_module *module) {
    size_t size = 0;
    for (size_t routine = 0; routine < genvisa_module_routine_count(module); routine++) {
        genvisa_decoder *decoder;
        genvisa_error *error;
        const genvisa_instruction *instructions;
        size_t count;
        if (genvisa_decoder_new(module, routine, &decoder, &error) != GENVISA_OK) return 0;
        while (genvisa_decoder_next_many(decoder, &instructions, &count, &error) == GENVISA_OK) {
            for (size_t i = 0; i < count; i++) size += instructions[i].bytes.len;
        }
        genvisa_decoder_free(decoder);
        if (error) return 0;
    }
    return size;
}
