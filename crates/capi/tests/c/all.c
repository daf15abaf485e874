// Reads, decodes, prints, verifies and damages files. The arguments of the program are .isa files.
#include <pthread.h>

#include "common.h"

// Decodes all routines of a module. Returns the number of instructions.
static size_t decode(const genvisa_module *module) {
    size_t count = 0;
    for (size_t routine = 0; routine < genvisa_module_routine_count(module); routine++) {
        genvisa_routine info;
        assert(genvisa_module_routine(module, routine, &info) == GENVISA_OK);
        genvisa_decoder *decoder;
        genvisa_error *error;
        assert(genvisa_decoder_new(module, routine, &decoder, &error) == GENVISA_OK);
        genvisa_instruction instruction;
        size_t size = 0;
        while (genvisa_decoder_next(decoder, &instruction, &error) == GENVISA_OK) {
            assert(instruction.bytes.data == info.code.data + size);
            assert(instruction.bytes.data[0] == instruction.opcode);
            assert(genvisa_mnemonic(instruction.opcode).len > 0);
            size += instruction.bytes.len;
            count++;
        }
        assert(!error);
        assert(size == info.code.len);
        genvisa_decoder_free(decoder);
        // The same, many at a time, after the first.
        const genvisa_instruction *many;
        size_t found = 0;
        assert(genvisa_decoder_new(module, routine, &decoder, &error) == GENVISA_OK);
        if (genvisa_decoder_next(decoder, &instruction, &error) == GENVISA_OK) size -= instruction.bytes.len;
        while (genvisa_decoder_next_many(decoder, &many, &found, &error) == GENVISA_OK) {
            for (size_t i = 0; i < found; i++) size -= many[i].bytes.len;
        }
        assert(!error && found == 0 && size == 0);
        genvisa_decoder_free(decoder);
    }
    return count;
}

// What threads share.
typedef struct shared {
    const genvisa_module *module;
    const genvisa_findings *findings;
    genvisa_bytes text;
} shared;

// Uses a module, findings and a buffer that other threads use, and makes an error.
static void *use_in_thread(void *argument) {
    const shared *shared = argument;
    genvisa_buffer *buffer;
    genvisa_error *error;
    genvisa_finding finding;
    genvisa_module *module;
    assert(genvisa_module_print(shared->module, false, &buffer, &error) == GENVISA_OK);
    assert(genvisa_buffer_bytes(buffer).len == shared->text.len);
    genvisa_buffer_free(buffer);
    for (size_t i = 0; i < genvisa_findings_count(shared->findings); i++) {
        assert(genvisa_findings_get(shared->findings, i, &finding) == GENVISA_OK && finding.rule.len > 0);
    }
    assert(genvisa_module_read(bytes("no file"), bytes(""), &module, &error) == GENVISA_ERROR_BINARY);
    genvisa_error_free(error);
    return (void *)decode(shared->module);
}

// Reads a file, and writes the same bytes.
static void round_trip(genvisa_bytes file) {
    genvisa_module *module;
    genvisa_error *error;
    assert(genvisa_module_read(file, bytes("igc2022"), &module, &error) == GENVISA_OK);
    assert(!error);
    genvisa_buffer *copy, *text, *same;
    assert(genvisa_module_encode(module, &copy, &error) == GENVISA_OK);
    genvisa_bytes encoded = genvisa_buffer_bytes(copy);
    assert(encoded.len == file.len && memcmp(encoded.data, file.data, file.len) == 0);
    assert(genvisa_module_print(module, false, &text, &error) == GENVISA_OK);
    assert(genvisa_disassemble(file, bytes(""), &same, &error) == GENVISA_OK);
    genvisa_bytes printed = genvisa_buffer_bytes(text);
    assert(printed.len == genvisa_buffer_bytes(same).len);
    genvisa_module *parsed;
    assert(genvisa_module_parse(printed, bytes(""), &parsed, &error) == GENVISA_OK);
    size_t count = decode(module);
    assert(decode(parsed) == count);
    genvisa_findings *findings;
    assert(genvisa_verify(module, bytes("bmg"), true, &findings, &error) == GENVISA_OK);
    for (size_t number = 0; number < genvisa_findings_count(findings); number++) {
        genvisa_finding finding;
        assert(genvisa_findings_get(findings, number, &finding) == GENVISA_OK);
        assert(finding.rule.len > 0 && finding.message.len > 0 && finding.line == 0);
    }
    shared both = {module, findings, printed};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) assert(pthread_create(&threads[i], NULL, use_in_thread, &both) == 0);
    for (int i = 0; i < 4; i++) {
        void *result;
        assert(pthread_join(threads[i], &result) == 0 && (size_t)result == count);
    }
    genvisa_findings_free(findings);
    genvisa_buffer_free(same);
    genvisa_buffer_free(text);
    genvisa_buffer_free(copy);
    genvisa_module_free(parsed);
    genvisa_module_free(module);
}

// The instructions before one that is wrong are decoded, and then there is an error.
static void damaged(genvisa_bytes file) {
    genvisa_module *module;
    genvisa_decoder *decoder;
    genvisa_error *error;
    genvisa_instruction one;
    const genvisa_instruction *many;
    size_t count;
    assert(genvisa_module_read(file, bytes(""), &module, &error) == GENVISA_OK);
    assert(genvisa_decoder_new(module, 0, &decoder, &error) == GENVISA_OK);
    genvisa_status status = genvisa_decoder_next_many(decoder, &many, &count, &error);
    size_t offset = status == GENVISA_OK && count > 2 ? many[2].offset : 0;
    genvisa_decoder_free(decoder);
    genvisa_module_free(module);
    // Some files have no code.
    if (!offset) return;
    uint8_t *data = malloc(file.len);
    memcpy(data, file.data, file.len);
    data[offset] = 0xff;
    genvisa_bytes wrong = {data, file.len};
    assert(genvisa_module_read(wrong, bytes(""), &module, &error) == GENVISA_OK);
    free(data);
    assert(genvisa_decoder_new(module, 0, &decoder, &error) == GENVISA_OK);
    assert(genvisa_decoder_next_many(decoder, &many, &count, &error) == GENVISA_OK);
    assert(count == 2 && !error);
    assert(genvisa_decoder_next_many(decoder, &many, &count, &error) == GENVISA_ERROR_BINARY);
    assert(count == 0 && !many && genvisa_error_get(error).offset == offset);
    assert(contains(genvisa_error_get(error).path, "instruction 2"));
    genvisa_error_free(error);
    assert(genvisa_decoder_next(decoder, &one, &error) == GENVISA_END && !error);
    assert(genvisa_decoder_next_many(decoder, &many, &count, &error) == GENVISA_END && !error && !count);
    genvisa_decoder_free(decoder);
    genvisa_module_free(module);
}

// No part of a file is read as a file.
static void truncated(genvisa_bytes file) {
    for (size_t part = 0; part < 40; part++) {
        genvisa_bytes start = {file.data, file.len * part / 40};
        genvisa_module *module = NULL;
        genvisa_error *error = NULL;
        assert(genvisa_module_read(start, bytes(""), &module, &error) == GENVISA_ERROR_BINARY);
        genvisa_error_info info = genvisa_error_get(error);
        assert(info.status == GENVISA_ERROR_BINARY && info.message.len > 0 && info.offset != SIZE_MAX);
        assert(!module);
        genvisa_error_free(error);
        // The error may be ignored.
        assert(genvisa_module_read(start, bytes(""), &module, NULL) == GENVISA_ERROR_BINARY);
    }
}

// Files with random damage give results or errors in all functions.
static void mutated(genvisa_bytes file, uint64_t seed) {
    // Large files take long.
    if (file.len > 20000) return;
    size_t read = 0;
    for (int round = 0; round < 100; round++) {
        uint8_t *data = malloc(file.len);
        memcpy(data, file.data, file.len);
        for (uint64_t left = 1 + random_number(&seed) % 4; left > 0; left--) {
            data[random_number(&seed) % file.len] ^= (uint8_t)(1u << random_number(&seed) % 8);
        }
        genvisa_bytes wrong = {data, file.len - random_number(&seed) % 2};
        genvisa_module *module;
        genvisa_status status = genvisa_module_read(wrong, bytes(""), &module, NULL);
        free(data);
        if (status != GENVISA_OK) {
            assert(status == GENVISA_ERROR_BINARY);
            continue;
        }
        read++;
        for (size_t routine = 0; routine < genvisa_module_routine_count(module); routine++) {
            genvisa_decoder *decoder;
            genvisa_instruction instruction;
            assert(genvisa_decoder_new(module, routine, &decoder, NULL) == GENVISA_OK);
            while ((status = genvisa_decoder_next(decoder, &instruction, NULL)) == GENVISA_OK) {
                size_t count = genvisa_decoder_fields(decoder, &instruction);
                genvisa_field field;
                assert(count > 0 && genvisa_decoder_field(decoder, count - 1, &field) == GENVISA_OK);
                assert(genvisa_decoder_text(decoder, &instruction).len > 0);
            }
            assert(status == GENVISA_END || status == GENVISA_ERROR_BINARY);
            genvisa_decoder_free(decoder);
        }
        genvisa_buffer *buffer;
        status = genvisa_module_encode(module, &buffer, NULL);
        assert(status == GENVISA_OK || status == GENVISA_ERROR_BINARY);
        if (status == GENVISA_OK) genvisa_buffer_free(buffer);
        status = genvisa_module_print(module, round % 2, &buffer, NULL);
        assert(status == GENVISA_OK || status == GENVISA_ERROR_BINARY);
        if (status == GENVISA_OK) genvisa_buffer_free(buffer);
        genvisa_findings *findings;
        assert(genvisa_verify(module, bytes("dg2"), true, &findings, NULL) == GENVISA_OK);
        genvisa_findings_free(findings);
        genvisa_module_free(module);
    }
    assert(read > 10);
}

static void errors(void) {
    genvisa_module *module;
    genvisa_error *error;
    const char *text = ".version 3.6\n.kernel \"k\"\nadd (M1, 8) x\n";
    assert(genvisa_module_parse(bytes(text), bytes(""), &module, &error) == GENVISA_ERROR_TEXT);
    assert(genvisa_error_get(error).line == 3);
    genvisa_error_free(error);
    assert(genvisa_module_parse(bytes(text), bytes("klingon"), &module, &error) == GENVISA_ERROR_ARGUMENT);
    assert(contains(genvisa_error_get(error).message, "igc2022"));
    genvisa_error_free(error);
    genvisa_bytes null_bytes = {NULL, 3}, wrong = {(const uint8_t *)"\xff", 1}, none = {NULL, 0};
    assert(genvisa_module_read(null_bytes, none, &module, NULL) == GENVISA_ERROR_ARGUMENT);
    assert(genvisa_module_read(none, none, &module, NULL) == GENVISA_ERROR_BINARY);
    assert(genvisa_module_read(none, wrong, &module, NULL) == GENVISA_ERROR_ARGUMENT);

}

static void kernel(void) {
    const char *text = ".version 3.6\n.kernel \"k\"\n.decl x v_type=G type=d num_elts=8 align=GRF\n"
                       "mov (M1, 16) x(0,0)<1> 0x1:d\n";
    genvisa_module *module;
    genvisa_error *error;
    assert(genvisa_module_parse(bytes(text), bytes(""), &module, &error) == GENVISA_OK);
    genvisa_findings *findings;
    assert(genvisa_verify(module, bytes("nothing"), false, &findings, &error) == GENVISA_ERROR_ARGUMENT);
    genvisa_error_free(error);
    assert(genvisa_verify(module, bytes(""), false, &findings, &error) == GENVISA_OK);
    genvisa_finding finding;
    assert(genvisa_findings_count(findings) == 1);
    assert(genvisa_findings_get(findings, 0, &finding) == GENVISA_OK);
    assert(finding.is_error && finding.routine == 0 && finding.instruction == 0 && finding.line == 4);
    assert(contains(finding.url, "://"));
    assert(genvisa_findings_get(findings, 1, &finding) == GENVISA_END);
    genvisa_findings_free(findings);

    genvisa_decoder *decoder;
    genvisa_instruction instruction;
    genvisa_field field;
    assert(genvisa_decoder_new(module, 1, &decoder, &error) == GENVISA_END && !error);
    assert(genvisa_decoder_new(module, 0, &decoder, &error) == GENVISA_OK);
    // The decoder keeps the module alive.
    genvisa_module_free(module);
    assert(genvisa_decoder_next(decoder, &instruction, &error) == GENVISA_OK);
    assert(contains(genvisa_mnemonic(instruction.opcode), "mov"));
    assert(contains(genvisa_decoder_text(decoder, &instruction), "mov (M1, 16)"));
    size_t count = genvisa_decoder_fields(decoder, &instruction);
    bool has_size = false;
    for (size_t number = 0; number < count; number++) {
        assert(genvisa_decoder_field(decoder, number, &field) == GENVISA_OK);
        has_size |= contains(field.name, "exec");
    }
    assert(has_size && count > 5);
    assert(genvisa_decoder_field(decoder, count, &field) == GENVISA_END);
    assert(genvisa_decoder_next(decoder, &instruction, &error) == GENVISA_END);
    genvisa_decoder_free(decoder);
}

// Names of platforms are those that the verifier accepts.
static void platforms(void) {
    const char *text = ".version 3.6\n.kernel \"k\"\nret (M1, 1)\n";
    genvisa_module *module;
    assert(genvisa_module_parse(bytes(text), bytes(""), &module, NULL) == GENVISA_OK);
    bool has_skl = false, has_bmg = false;
    size_t count = 0;
    for (genvisa_bytes name; (name = genvisa_platform_name(count)).len > 0; count++) {
        genvisa_findings *findings;
        assert(genvisa_verify(module, name, false, &findings, NULL) == GENVISA_OK);
        genvisa_findings_free(findings);
        has_skl |= contains(name, "SKL");
        has_bmg |= contains(name, "bmg");
    }
    assert(has_skl && has_bmg && count > 30 && genvisa_platform_name(SIZE_MAX).len == 0);
    genvisa_module_free(module);
    genvisa_bytes version = genvisa_version();
    assert(version.len == strlen(GENVISA_VERSION) && memcmp(version.data, GENVISA_VERSION, version.len) == 0);
}

// Returns the number of findings about a module for the platform that its text states.
static size_t findings_of(const genvisa_module *module) {
    genvisa_findings *findings;
    assert(genvisa_verify(module, bytes(""), false, &findings, NULL) == GENVISA_OK);
    size_t count = genvisa_findings_count(findings);
    genvisa_findings_free(findings);
    return count;
}

// A module with new code keeps its names and its platform, and labels count as instructions.
static void new_code(void) {
    const char *text = ".version 3.6\n.kernel \"k\"\n.decl x v_type=G type=ud num_elts=8 align=GRF\n"
                       ".decl s v_type=T num_elts=1\n.decl p v_type=P num_elts=8\nL:\n"
                       "rol (M1, 8) x(0,0)<1> x(0,0)<8;8,1> x(0,0)<8;8,1>\nret (M1, 1)\n//Platform: SKL\n";
    const struct {
        char letter;
        const char *name;
        uint32_t id;
    } names[] = {{'V', "x", 32}, {'T', "s", 6}, {'P', "p", 1}, {'L', "L", 0}, {'V', "%null", 0}, {'V', "%r0", 7},
                 {'T', "%slm", 0}, {'T', "%bss", 4}, {'T', "%scratch", 5}};
    genvisa_module *module, *copy;
    genvisa_error *error;
    genvisa_routine routine, copied;
    assert(genvisa_module_parse(bytes(text), bytes(""), &module, &error) == GENVISA_OK);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint32_t id = 99;
        assert(genvisa_module_find(module, 0, names[i].letter, bytes(names[i].name), &id, &error) == GENVISA_OK);
        assert(id == names[i].id);
    }
    assert(findings_of(module) == 1);
    assert(genvisa_module_routine(module, 0, &routine) == GENVISA_OK);
    uint8_t twice[200];
    memcpy(twice, routine.code.data, routine.code.len);
    // The label is declared once: its instruction is not repeated.
    memcpy(twice + routine.code.len, routine.code.data + 3, routine.code.len - 3);
    genvisa_bytes code = {twice, 2 * routine.code.len - 3};
    assert(genvisa_module_with_code(module, 0, code, &copy, &error) == GENVISA_OK);
    assert(genvisa_module_routine(copy, 0, &copied) == GENVISA_OK);
    assert(copied.code.len == code.len && memcmp(copied.code.data, code.data, code.len) == 0);
    genvisa_findings *findings;
    genvisa_finding finding;
    assert(findings_of(copy) == 2);
    assert(genvisa_verify(copy, bytes(""), false, &findings, &error) == GENVISA_OK);
    genvisa_module_free(copy);
    const size_t rol[] = {1, 3};
    for (size_t i = 0; i < 2; i++) {
        assert(genvisa_findings_get(findings, i, &finding) == GENVISA_OK);
        assert(finding.instruction == rol[i] && finding.line == 0 && contains(finding.message, "rol"));
    }
    genvisa_findings_free(findings);
    // The offset of an error counts from the start of the new code.
    twice[routine.code.len] = 0xff;
    assert(genvisa_module_with_code(module, 0, code, &copy, &error) == GENVISA_ERROR_BINARY);
    assert(genvisa_error_get(error).offset == routine.code.len);
    genvisa_error_free(error);
    genvisa_module_free(module);
}

static void template(void) {
    genvisa_bytes types[] = {bytes("i32"), bytes("i32")};
    genvisa_template template = {
        .text = bytes("mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>"),
        .constraints = bytes("=rw,rw"),
        .types = types,
        .type_count = 2,
        .lanes = 16,
        .platform = bytes("bmg"),
    };
    genvisa_findings *findings;
    genvisa_error *error;
    assert(genvisa_check_template(&template, &findings, &error) == GENVISA_OK);
    assert(genvisa_findings_count(findings) == 0);
    genvisa_findings_free(findings);
    template.text = bytes("mov (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0>\nmv (M1, 16) $0(0,0)<1> 0x1:d");
    assert(genvisa_check_template(&template, &findings, &error) == GENVISA_OK);
    genvisa_finding finding;
    assert(genvisa_findings_get(findings, 0, &finding) == GENVISA_OK);
    assert(finding.is_error && finding.line == 2 && finding.column == 1);
    genvisa_findings_free(findings);
    template.lanes = 7;
    assert(genvisa_check_template(&template, &findings, &error) == GENVISA_ERROR_ARGUMENT);
    genvisa_error_free(error);
    template.lanes = 0;
    template.type_count = 3;
    assert(genvisa_check_template(&template, &findings, NULL) == GENVISA_ERROR_ARGUMENT);
    template.types = NULL;
    template.type_count = 0;
    assert(genvisa_check_template(&template, &findings, NULL) == GENVISA_OK);
    genvisa_findings_free(findings);
}

int main(int count, char **files) {
    errors();
    kernel();
    platforms();
    new_code();
    template();
    for (int i = 1; i < count; i++) {
        genvisa_bytes file = read_file(files[i]);
        round_trip(file);
        truncated(file);
        damaged(file);
        mutated(file, (uint64_t)i);
        free((void *)file.data);
    }
    printf("%d files\n", count - 1);
    return 0;
}
