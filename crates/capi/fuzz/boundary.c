// A target of libFuzzer: the first byte selects what the others are, a file, code, a text, a template or fields of
// structs. Every function is called with what comes of them. Results that are not allowed abort.
#include <stdlib.h>
#include <string.h>

#include "genvisa.h"

#define CHECK(condition) \
    if (!(condition)) abort()

static genvisa_bytes text_of(const char *text) {
    genvisa_bytes result = {(const uint8_t *)text, strlen(text)};
    return result;
}

// Reads every byte, so that AddressSanitizer checks them.
static void touch(genvisa_bytes bytes) {
    static volatile uint8_t sum;
    for (size_t i = 0; i < bytes.len; i++) sum = (uint8_t)(sum + bytes.data[i]);
}

// Checks and releases an error. It is read here, after the call that has written it.
static void release(genvisa_error **written, genvisa_status status) {
    genvisa_error *error = *written;
    CHECK(status != GENVISA_ERROR_PANIC);
    genvisa_error_info info = genvisa_error_get(error);
    CHECK((status == GENVISA_OK || status == GENVISA_END) == !error);
    CHECK(!error || (info.status == status && info.message.len > 0));
    touch(info.message);
    touch(info.path);
    genvisa_error_free(error);
}

static bool succeeds(genvisa_error **error, genvisa_status status) {
    release(error, status);
    return status == GENVISA_OK;
}

static void use_buffer(genvisa_buffer *buffer) {
    touch(genvisa_buffer_bytes(buffer));
    genvisa_buffer_free(buffer);
}

static void use_findings(genvisa_findings *findings) {
    genvisa_finding finding;
    for (size_t i = 0; genvisa_findings_get(findings, i, &finding) == GENVISA_OK; i++) {
        CHECK(i < genvisa_findings_count(findings));
        touch(finding.rule);
        touch(finding.message);
        touch(finding.url);
    }
    genvisa_findings_free(findings);
}

// Encodes a struct. If that succeeds, decoding and encoding again gives the same bytes.
#define ROUND_TRIP(name, in, format)                                                                     \
    do {                                                                                                 \
        genvisa_buffer *first, *second;                                                                  \
        genvisa_error *error;                                                                            \
        genvisa_##name out;                                                                              \
        if (succeeds(&error, genvisa_##name##_encode(&(in), format, &first, &error))) {                   \
            genvisa_bytes bytes = genvisa_buffer_bytes(first);                                           \
            CHECK(succeeds(&error, genvisa_##name##_decode(bytes, format, &out, &error)));                \
            CHECK(succeeds(&error, genvisa_##name##_encode(&out, format, &second, &error)));              \
            genvisa_bytes again = genvisa_buffer_bytes(second);                                          \
            CHECK(bytes.len == again.len && memcmp(bytes.data, again.data, bytes.len) == 0);             \
            genvisa_buffer_free(second);                                                                 \
            genvisa_buffer_free(first);                                                                  \
        }                                                                                                \
    } while (0)

// Decodes bytes as a struct. If that succeeds, encoding gives the same bytes.
#define SAME_BYTES(name, bytes, format)                                                                  \
    do {                                                                                                 \
        genvisa_buffer *buffer;                                                                          \
        genvisa_error *error;                                                                            \
        genvisa_##name out;                                                                              \
        if (succeeds(&error, genvisa_##name##_decode(bytes, format, &out, &error))) {                     \
            CHECK(succeeds(&error, genvisa_##name##_encode(&out, format, &buffer, &error)));              \
            genvisa_bytes again = genvisa_buffer_bytes(buffer);                                          \
            CHECK((bytes).len == again.len && memcmp((bytes).data, again.data, again.len) == 0);         \
            genvisa_buffer_free(buffer);                                                                 \
        }                                                                                                \
    } while (0)

static void as_structs(genvisa_bytes bytes, genvisa_format format) {
    SAME_BYTES(info, bytes, format);
    SAME_BYTES(media_ld, bytes, format);
    SAME_BYTES(rt_write, bytes, format);
    SAME_BYTES(gather4_typed, bytes, format);
    SAME_BYTES(sample_3d, bytes, format);
}

static void use_instruction(genvisa_decoder *decoder, const genvisa_instruction *instruction, genvisa_format format) {
    CHECK(instruction->bytes.len > 0 && instruction->bytes.data[0] == instruction->opcode);
    touch(instruction->bytes);
    touch(genvisa_mnemonic(instruction->opcode));
    touch(genvisa_decoder_text(decoder, instruction));
    size_t count = genvisa_decoder_fields(decoder, instruction);
    genvisa_field field;
    for (size_t i = 0; i < count; i++) {
        CHECK(genvisa_decoder_field(decoder, i, &field) == GENVISA_OK);
        touch(field.name);
        touch(field.value);
        touch(field.meaning);
    }
    switch (instruction->opcode) {
        case GENVISA_OPCODE_INFO: SAME_BYTES(info, instruction->bytes, format); break;
        case GENVISA_OPCODE_MEDIA_LD: SAME_BYTES(media_ld, instruction->bytes, format); break;
        case GENVISA_OPCODE_RT_WRITE: SAME_BYTES(rt_write, instruction->bytes, format); break;
        case GENVISA_OPCODE_GATHER4_TYPED: SAME_BYTES(gather4_typed, instruction->bytes, format); break;
        case GENVISA_OPCODE_SAMPLE_3D: SAME_BYTES(sample_3d, instruction->bytes, format); break;
    }
}

static void use_module(genvisa_module *module, bool is_complete) {
    genvisa_error *error;
    genvisa_buffer *buffer;
    genvisa_findings *findings;
    genvisa_format format = genvisa_module_format(module);
    // Text of 4.2 has no binary form.
    bool has_binary_form = format.major != 4 || format.minor != 2;
    size_t count = genvisa_module_routine_count(module);
    for (size_t number = 0; number < count && number < 8; number++) {
        genvisa_routine routine;
        genvisa_decoder *decoder;
        genvisa_instruction one;
        const genvisa_instruction *many;
        CHECK(genvisa_module_routine(module, number, &routine) == GENVISA_OK);
        touch(routine.name);
        touch(routine.code);
        CHECK(succeeds(&error, genvisa_decoder_new(module, number, &decoder, &error)));
        size_t size = 0, found;
        genvisa_status status;
        if (succeeds(&error, genvisa_decoder_next(decoder, &one, &error))) {
            size += one.bytes.len;
            if (has_binary_form) use_instruction(decoder, &one, format);
        }
        while ((status = genvisa_decoder_next_many(decoder, &many, &found, &error)) == GENVISA_OK) {
            for (size_t i = 0; i < found; i++) {
                size += many[i].bytes.len;
                if (has_binary_form) use_instruction(decoder, &many[i], format);
            }
        }
        CHECK(status != GENVISA_END || size <= routine.code.len);
        release(&error, status);
        genvisa_decoder_free(decoder);
        uint32_t id;
        release(&error, genvisa_module_find(module, number, 'V', routine.name, &id, &error));
    }
    if (succeeds(&error, genvisa_module_encode(module, &buffer, &error))) use_buffer(buffer);
    if (succeeds(&error, genvisa_module_print(module, !is_complete, &buffer, &error))) use_buffer(buffer);
    if (succeeds(&error, genvisa_verify(module, text_of(is_complete ? "bmg" : ""), is_complete, &findings, &error))) {
        use_findings(findings);
    }
}

static const char *const DIALECTS[] = {"", "igc2022", "igc2026", "manual"};

static void read_file(genvisa_bytes bytes, uint8_t choice) {
    genvisa_module *module;
    genvisa_buffer *text;
    genvisa_error *error;
    genvisa_bytes dialect = text_of(DIALECTS[choice % 4]);
    if (succeeds(&error, genvisa_module_read(bytes, dialect, &module, &error))) {
        use_module(module, choice & 4);
        genvisa_module_free(module);
    }
    if (succeeds(&error, genvisa_disassemble(bytes, dialect, &text, &error))) use_buffer(text);
}

static void parse(genvisa_bytes bytes, uint8_t choice) {
    genvisa_module *module;
    genvisa_error *error;
    if (succeeds(&error, genvisa_module_parse(bytes, text_of(DIALECTS[choice % 4]), &module, &error))) {
        use_module(module, choice & 4);
        genvisa_module_free(module);
    }
}

// Puts code into a kernel, and decodes it as a struct.
static void use_code(genvisa_bytes bytes, uint8_t choice) {
    static genvisa_module *kernels[4];
    genvisa_error *error;
    genvisa_module *module;
    size_t number = choice % 4;
    if (!kernels[number]) {
        const char *text = number == 0 ? ".version 3.0\n.kernel \"k\"\n" : ".version 3.6\n.kernel \"k\"\n";
        CHECK(succeeds(&error, genvisa_module_parse(text_of(text), text_of(DIALECTS[number]), &kernels[number], &error)));
    }
    genvisa_format format = genvisa_module_format(kernels[number]);
    if (choice & 8) {
        genvisa_format other = {text_of(DIALECTS[number]), (uint8_t)(choice >> 4), bytes.len ? bytes.data[0] : 0};
        as_structs(bytes, other);
    }
    as_structs(bytes, format);
    if (succeeds(&error, genvisa_module_with_code(kernels[number], 0, bytes, &module, &error))) {
        use_module(module, choice & 4);
        genvisa_module_free(module);
    }
}

// Returns the part before a zero byte, and removes it.
static genvisa_bytes part(genvisa_bytes *bytes) {
    const uint8_t *zero = bytes->len ? memchr(bytes->data, 0, bytes->len) : NULL;
    genvisa_bytes result = {bytes->data, zero ? (size_t)(zero - bytes->data) : bytes->len};
    size_t used = result.len + (zero ? 1 : 0);
    if (used) bytes->data += used;
    bytes->len -= used;
    return result;
}

static void check_template(genvisa_bytes bytes, uint8_t choice) {
    genvisa_findings *findings;
    genvisa_error *error;
    genvisa_bytes types[3];
    genvisa_template assembly = {.lanes = choice & 0x38u, .platform = text_of(choice & 4 ? "bmg" : "")};
    assembly.constraints = part(&bytes);
    for (size_t i = 0; i < choice % 4; i++) types[i] = part(&bytes);
    assembly.text = bytes;
    assembly.types = types;
    assembly.type_count = choice % 4;
    if (choice & 0x80) assembly.platform = assembly.constraints;
    if (succeeds(&error, genvisa_check_template(&assembly, &findings, &error))) use_findings(findings);
}

static void encode_structs(genvisa_bytes bytes, uint8_t choice) {
    union {
        genvisa_info info;
        genvisa_media_ld media_ld;
        genvisa_rt_write rt_write;
        genvisa_gather4_typed gather4_typed;
        genvisa_sample_3d sample_3d;
    } any = {0};
    memcpy(&any, bytes.data ? bytes.data : (const uint8_t *)"", bytes.len < sizeof any ? bytes.len : sizeof any);
    genvisa_format format = {text_of(DIALECTS[choice % 4]), choice & 4 ? 3 : 4, (uint8_t)(choice >> 5)};
    ROUND_TRIP(info, any.info, format);
    ROUND_TRIP(media_ld, any.media_ld, format);
    ROUND_TRIP(rt_write, any.rt_write, format);
    ROUND_TRIP(gather4_typed, any.gather4_typed, format);
    ROUND_TRIP(sample_3d, any.sample_3d, format);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    genvisa_bytes rest = {data + 2, size - 2};
    switch (data[0]) {
        case 'f': read_file(rest, data[1]); break;
        case 'c': use_code(rest, data[1]); break;
        case 't': parse(rest, data[1]); break;
        case 'i': check_template(rest, data[1]); break;
        case 's': encode_structs(rest, data[1]); break;
    }
    return 0;
}
