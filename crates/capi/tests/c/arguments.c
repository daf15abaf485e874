// Calls every function with null for each pointer, and with other arguments without a meaning. The argument
// of the program is tour.isa.
#include "common.h"

static genvisa_error *error;

// A call that fails with a status, and a message that contains a text. It fails without a place for the error, too.
#define FAILS(expected, text, call, call_without)                                \
    do {                                                                         \
        error = (genvisa_error *)&error;                                         \
        assert((call) == expected);                                              \
        assert(error && genvisa_error_get(error).status == expected);            \
        if (!contains(genvisa_error_get(error).message, text)) {                 \
            genvisa_bytes message = genvisa_error_get(error).message;            \
            fprintf(stderr, "%.*s\n", (int)message.len, (char *)message.data);   \
            abort();                                                             \
        }                                                                        \
        genvisa_error_free(error);                                               \
        assert((call_without) == expected);                                       \
    } while (0)

#define REFUSES(text, function, ...) \
    FAILS(GENVISA_ERROR_ARGUMENT, text, function(__VA_ARGS__, &error), function(__VA_ARGS__, NULL))

static const genvisa_bytes none = {NULL, 0}, null_bytes = {NULL, 3}, not_text = {(const uint8_t *)"\xff", 1};

static void modules(const genvisa_module *module, genvisa_bytes file) {
    genvisa_module *other = NULL;
    genvisa_buffer *buffer = NULL;
    genvisa_routine routine;
    uint32_t id = 7;
    REFUSES("`module` is null", genvisa_module_read, file, none, NULL);
    REFUSES("null", genvisa_module_read, null_bytes, none, &other);
    const genvisa_bytes huge = {file.data, SIZE_MAX};
    REFUSES("impossible length", genvisa_module_read, huge, none, &other);
    REFUSES("null", genvisa_module_read, file, null_bytes, &other);
    REFUSES("UTF-8", genvisa_module_read, file, not_text, &other);
    REFUSES("igc2026", genvisa_module_read, file, bytes("igc1999"), &other);
    FAILS(GENVISA_ERROR_BINARY, "", genvisa_module_read(none, none, &other, &error),
          genvisa_module_read(none, none, &other, NULL));
    REFUSES("`module` is null", genvisa_module_parse, file, none, NULL);
    REFUSES("null", genvisa_module_parse, null_bytes, none, &other);
    REFUSES("UTF-8", genvisa_module_parse, bytes(".version 3.6\n"), not_text, &other);
    REFUSES("igc2026", genvisa_module_parse, bytes(".version 3.6\n"), bytes("igc1999"), &other);
    FAILS(GENVISA_ERROR_TEXT, "", genvisa_module_parse(not_text, none, &other, &error),
          genvisa_module_parse(not_text, none, &other, NULL));
    REFUSES("`text` is null", genvisa_disassemble, file, none, NULL);
    REFUSES("null", genvisa_disassemble, null_bytes, none, &buffer);
    REFUSES("igc2026", genvisa_disassemble, file, bytes("igc1999"), &buffer);
    FAILS(GENVISA_ERROR_BINARY, "", genvisa_disassemble(none, none, &buffer, &error),
          genvisa_disassemble(none, none, &buffer, NULL));
    REFUSES("`module` is null", genvisa_module_encode, NULL, &buffer);
    REFUSES("`file` is null", genvisa_module_encode, module, NULL);
    REFUSES("`module` is null", genvisa_module_print, NULL, false, &buffer);
    REFUSES("`text` is null", genvisa_module_print, module, false, NULL);
    assert(genvisa_module_routine_count(NULL) == 0);
    assert(genvisa_module_routine(NULL, 0, &routine) == GENVISA_ERROR_ARGUMENT);
    assert(genvisa_module_routine(module, 0, NULL) == GENVISA_ERROR_ARGUMENT);
    assert(genvisa_module_routine(module, SIZE_MAX, &routine) == GENVISA_END);
    assert(genvisa_module_format(NULL).major == 3);

    REFUSES("`module` is null", genvisa_module_find, NULL, 0, 'V', bytes("x"), &id);
    REFUSES("`id` is null", genvisa_module_find, module, 0, 'V', bytes("x"), NULL);
    REFUSES("null", genvisa_module_find, module, 0, 'V', null_bytes, &id);
    REFUSES("UTF-8", genvisa_module_find, module, 0, 'V', not_text, &id);
    REFUSES("letter", genvisa_module_find, module, 0, 'X', bytes("x"), &id);
    REFUSES("letter", genvisa_module_find, module, 0, (char)-1, bytes("x"), &id);
    assert(genvisa_module_find(module, 0, 'V', bytes("no such"), &id, NULL) == GENVISA_END && id == 7);
    assert(genvisa_module_find(module, SIZE_MAX, 'V', bytes("x"), &id, &error) == GENVISA_END && !error);
    REFUSES("`module` is null", genvisa_module_with_code, NULL, 0, none, &other);
    REFUSES("`result` is null", genvisa_module_with_code, module, 0, none, NULL);
    REFUSES("null", genvisa_module_with_code, module, 0, null_bytes, &other);
    FAILS(GENVISA_ERROR_BINARY, "instruction 0", genvisa_module_with_code(module, 0, not_text, &other, &error),
          genvisa_module_with_code(module, 0, not_text, &other, NULL));
    assert(genvisa_module_with_code(module, SIZE_MAX, none, &other, &error) == GENVISA_END && !error);
    // No results were written.
    assert(!other && !buffer);
    // Text of 4.2 has no binary form.
    assert(genvisa_module_parse(bytes(".version 4.2\n.kernel \"k\"\nret (M1, 1)\n"), none, &other, &error) == GENVISA_OK);
    FAILS(GENVISA_ERROR_BINARY, "4.2", genvisa_module_encode(other, &buffer, &error),
          genvisa_module_encode(other, &buffer, NULL));
    genvisa_module_free(other);
}

static void decoders(const genvisa_module *module) {
    genvisa_decoder *decoder = NULL;
    genvisa_instruction instruction;
    const genvisa_instruction *many;
    genvisa_field field;
    size_t count;
    REFUSES("`module` is null", genvisa_decoder_new, NULL, 0, &decoder);
    REFUSES("`decoder` is null", genvisa_decoder_new, module, 0, NULL);
    assert(genvisa_decoder_new(module, SIZE_MAX, &decoder, &error) == GENVISA_END && !error && !decoder);
    assert(genvisa_decoder_new(module, 0, &decoder, NULL) == GENVISA_OK);
    REFUSES("`decoder` is null", genvisa_decoder_next, NULL, &instruction);
    REFUSES("`instruction` is null", genvisa_decoder_next, decoder, NULL);
    REFUSES("`decoder` is null", genvisa_decoder_next_many, NULL, &many, &count);
    assert(!many && count == 0);
    REFUSES("`instructions` is null", genvisa_decoder_next_many, decoder, NULL, &count);
    REFUSES("`count` is null", genvisa_decoder_next_many, decoder, &many, NULL);
    assert(genvisa_decoder_next(decoder, &instruction, NULL) == GENVISA_OK);
    // With instructions that are decoded already.
    REFUSES("`decoder` is null", genvisa_decoder_next, NULL, &instruction);
    REFUSES("`instruction` is null", genvisa_decoder_next, decoder, NULL);
    assert(genvisa_decoder_text(NULL, &instruction).len == 0);
    assert(genvisa_decoder_text(decoder, NULL).len == 0);
    assert(genvisa_decoder_fields(NULL, &instruction) == 0);
    assert(genvisa_decoder_field(decoder, 0, &field) == GENVISA_END);
    assert(genvisa_decoder_fields(decoder, &instruction) > 0);
    assert(genvisa_decoder_field(NULL, 0, &field) == GENVISA_ERROR_ARGUMENT);
    assert(genvisa_decoder_field(decoder, 0, NULL) == GENVISA_ERROR_ARGUMENT);
    assert(genvisa_decoder_field(decoder, SIZE_MAX, &field) == GENVISA_END);
    assert(genvisa_decoder_field(decoder, 0, &field) == GENVISA_OK);
    assert(genvisa_decoder_fields(decoder, NULL) == 0);
    assert(genvisa_decoder_field(decoder, 0, &field) == GENVISA_END);
    // Bytes that are no instruction.
    genvisa_instruction wrong = {0, not_text, 0};
    assert(genvisa_decoder_fields(decoder, &wrong) == 0 && genvisa_decoder_text(decoder, &wrong).len == 0);
    wrong.bytes = null_bytes;
    assert(genvisa_decoder_fields(decoder, &wrong) == 0 && genvisa_decoder_text(decoder, &wrong).len == 0);
    assert(genvisa_mnemonic(0xff).len == 0 && genvisa_mnemonic(instruction.opcode).len > 0);
    genvisa_decoder_free(decoder);
}

static void findings(const genvisa_module *module) {
    genvisa_findings *list = NULL;
    genvisa_finding finding;
    REFUSES("`module` is null", genvisa_verify, NULL, none, false, &list);
    REFUSES("`findings` is null", genvisa_verify, module, none, false, NULL);
    REFUSES("null", genvisa_verify, module, null_bytes, false, &list);
    REFUSES("UTF-8", genvisa_verify, module, not_text, false, &list);
    REFUSES("platform", genvisa_verify, module, bytes("amiga"), false, &list);
    assert(genvisa_verify(module, none, false, &list, NULL) == GENVISA_OK);
    assert(genvisa_findings_count(NULL) == 0);
    assert(genvisa_findings_get(NULL, 0, &finding) == GENVISA_ERROR_ARGUMENT);
    assert(genvisa_findings_get(list, 0, NULL) == GENVISA_ERROR_ARGUMENT);
    assert(genvisa_findings_get(list, SIZE_MAX, &finding) == GENVISA_END);
    genvisa_findings_free(list);
}

static void templates(void) {
    genvisa_findings *list = NULL;
    genvisa_bytes types[] = {bytes("i32"), bytes("i32"), bytes("i32")};
    const genvisa_template right = {.text = bytes("mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"),
                                    .constraints = bytes("=rw,rw")};
    genvisa_template wrong = right;
    REFUSES("`assembly` is null", genvisa_check_template, NULL, &list);
    REFUSES("`findings` is null", genvisa_check_template, &right, NULL);
    const uint32_t lanes[] = {1, 7, 9, 24, 64, UINT32_MAX};
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++) {
        wrong.lanes = lanes[i];
        REFUSES("`lanes` is not 0, 8, 16 or 32", genvisa_check_template, &wrong, &list);
    }
    wrong = right;
    wrong.platform = bytes("amiga");
    REFUSES("platform", genvisa_check_template, &wrong, &list);
    genvisa_bytes *const texts[] = {&wrong.text, &wrong.constraints, &wrong.platform};
    for (size_t i = 0; i < 3; i++) {
        wrong = right;
        *texts[i] = not_text;
        REFUSES("UTF-8", genvisa_check_template, &wrong, &list);
        *texts[i] = null_bytes;
        REFUSES("null", genvisa_check_template, &wrong, &list);
    }
    wrong = right;
    wrong.types = types;
    const size_t counts[] = {3, SIZE_MAX};
    for (size_t i = 0; i < 2; i++) {
        wrong.type_count = counts[i];
        REFUSES("more types than operands", genvisa_check_template, &wrong, &list);
    }
    wrong.type_count = 2;
    const genvisa_bytes wrong_types[] = {bytes("i32 x"), not_text, null_bytes};
    for (size_t i = 0; i < 3; i++) {
        types[1] = wrong_types[i];
        REFUSES("", genvisa_check_template, &wrong, &list);
    }
    wrong.types = NULL;
    REFUSES("`types` is null", genvisa_check_template, &wrong, &list);
    assert(!list);
}

int main(int count, char **files) {
    assert(count == 2);
    genvisa_bytes file = read_file(files[1]);
    genvisa_module *module;
    assert(genvisa_module_read(file, none, &module, &error) == GENVISA_OK && !error);
    modules(module, file);
    decoders(module);
    findings(module);
    templates();
    genvisa_module_free(module);
    assert(genvisa_buffer_bytes(NULL).len == 0);
    assert(genvisa_error_get(NULL).status == GENVISA_OK);
    genvisa_module_free(NULL);
    genvisa_decoder_free(NULL);
    genvisa_findings_free(NULL);
    genvisa_buffer_free(NULL);
    genvisa_error_free(NULL);
    free((void *)file.data);
    return 0;
}
