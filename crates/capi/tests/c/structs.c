// Converts the five instructions of files, and random structs of them, to bytes and back in all formats. The
// arguments of the program are the number of random structs of each instruction, and .isa files.
#include "common.h"

static const genvisa_bytes no_bytes = {NULL, 0};

static genvisa_format formats[40];
static size_t format_count;

static void find_formats(void) {
    const char *dialects[] = {"igc2022", "igc2026", "manual"};
    for (size_t i = 0; i < 3; i++) {
        for (uint8_t major = 3; major <= 4; major++) {
            for (uint8_t minor = 0; minor < 9; minor++) {
                genvisa_format format = {bytes(dialects[i]), major, minor};
                genvisa_info info;
                genvisa_error *error;
                // Formats without a binary form are refused before the bytes are.
                genvisa_status status = genvisa_info_decode(no_bytes, format, &info, &error);
                if (status == GENVISA_ERROR_BINARY) formats[format_count++] = format;
                genvisa_error_free(error);
            }
        }
    }
    // 3.0 to 3.8, 4.0, 4.1 and 4.8 at least.
    assert(format_count >= 24 && format_count < 40);
}

// The functions of a struct.
typedef union any {
    genvisa_info info;
    genvisa_media_ld media_ld;
    genvisa_rt_write rt_write;
    genvisa_gather4_typed gather4_typed;
    genvisa_sample_3d sample_3d;
} any;

static genvisa_status decode(uint8_t opcode, genvisa_bytes in, genvisa_format format, any *out, genvisa_error **error) {
    // Padding is compared.
    memset(out, 0, sizeof *out);
    switch (opcode) {
        case GENVISA_OPCODE_INFO: return genvisa_info_decode(in, format, &out->info, error);
        case GENVISA_OPCODE_MEDIA_LD: return genvisa_media_ld_decode(in, format, &out->media_ld, error);
        case GENVISA_OPCODE_RT_WRITE: return genvisa_rt_write_decode(in, format, &out->rt_write, error);
        case GENVISA_OPCODE_GATHER4_TYPED: return genvisa_gather4_typed_decode(in, format, &out->gather4_typed, error);
        default: return genvisa_sample_3d_decode(in, format, &out->sample_3d, error);
    }
}

static genvisa_status encode(uint8_t opcode, const any *in, genvisa_format format, genvisa_buffer **out, genvisa_error **error) {
    switch (opcode) {
        case GENVISA_OPCODE_INFO: return genvisa_info_encode(&in->info, format, out, error);
        case GENVISA_OPCODE_MEDIA_LD: return genvisa_media_ld_encode(&in->media_ld, format, out, error);
        case GENVISA_OPCODE_RT_WRITE: return genvisa_rt_write_encode(&in->rt_write, format, out, error);
        case GENVISA_OPCODE_GATHER4_TYPED: return genvisa_gather4_typed_encode(&in->gather4_typed, format, out, error);
        default: return genvisa_sample_3d_encode(&in->sample_3d, format, out, error);
    }
}

static const uint8_t opcodes[] = {GENVISA_OPCODE_INFO, GENVISA_OPCODE_MEDIA_LD, GENVISA_OPCODE_RT_WRITE,
                                  GENVISA_OPCODE_GATHER4_TYPED, GENVISA_OPCODE_SAMPLE_3D};

// The number of encodings, by opcode.
static size_t encoded[256];

static bool same(genvisa_bytes a, genvisa_bytes b) { return a.len == b.len && memcmp(a.data, b.data, a.len) == 0; }

// Encodes a struct in a format. If that succeeds, decoding gives an equal struct, which has the same bytes.
static bool round_trip(uint8_t opcode, const any *in, genvisa_format format) {
    genvisa_buffer *buffer, *again;
    genvisa_error *error;
    genvisa_status status = encode(opcode, in, format, &buffer, &error);
    if (status != GENVISA_OK) {
        genvisa_error_info info = genvisa_error_get(error);
        assert(info.message.len > 0);
        assert(status == GENVISA_ERROR_BINARY || (status == GENVISA_ERROR_ARGUMENT && info.path.len > 0));
        genvisa_error_free(error);
        return false;
    }
    genvisa_bytes code = genvisa_buffer_bytes(buffer);
    assert(code.data[0] == opcode);
    any out;
    assert(decode(opcode, code, format, &out, &error) == GENVISA_OK && !error);
    assert(encode(opcode, &out, format, &again, &error) == GENVISA_OK && !error);
    assert(same(code, genvisa_buffer_bytes(again)));
    genvisa_buffer_free(again);
    genvisa_buffer_free(buffer);
    encoded[opcode]++;
    return true;
}

static void instructions(genvisa_bytes file) {
    genvisa_module *module;
    assert(genvisa_module_read(file, no_bytes, &module, NULL) == GENVISA_OK);
    genvisa_format format = genvisa_module_format(module);
    for (size_t routine = 0; routine < genvisa_module_routine_count(module); routine++) {
        genvisa_decoder *decoder;
        genvisa_instruction instruction;
        assert(genvisa_decoder_new(module, routine, &decoder, NULL) == GENVISA_OK);
        while (genvisa_decoder_next(decoder, &instruction, NULL) == GENVISA_OK) {
            any out;
            genvisa_error *error;
            if (!memchr(opcodes, instruction.opcode, sizeof opcodes)) {
                assert(genvisa_info_decode(instruction.bytes, format, &out.info, &error) == GENVISA_ERROR_ARGUMENT);
                assert(contains(genvisa_error_get(error).message, "expected INFO, found"));
                genvisa_error_free(error);
                continue;
            }
            genvisa_buffer *buffer;
            assert(decode(instruction.opcode, instruction.bytes, format, &out, &error) == GENVISA_OK && !error);
            assert(encode(instruction.opcode, &out, format, &buffer, &error) == GENVISA_OK && !error);
            assert(same(genvisa_buffer_bytes(buffer), instruction.bytes));
            genvisa_buffer_free(buffer);
            for (size_t i = 0; i < format_count; i++) round_trip(instruction.opcode, &out, formats[i]);
        }
        genvisa_decoder_free(decoder);
    }
    genvisa_module_free(module);
}

// Returns a number that a format probably has, or any.
static uint64_t value(uint64_t *state, uint64_t usual) {
    return random_number(state) % 64 == 0 ? random_number(state) : random_number(state) % (usual + 1);
}

static genvisa_exec exec(uint64_t *state) {
    return (genvisa_exec){(uint8_t)(1u << value(state, 5) % 8), (uint8_t)value(state, 15)};
}

static genvisa_raw raw(uint64_t *state) {
    return (genvisa_raw){(uint32_t)value(state, 100), (uint16_t)value(state, 64)};
}

static genvisa_vector vector(uint64_t *state) {
    genvisa_vector out = {.kind = (uint8_t)value(state, 6), .modifier = (uint8_t)value(state, 5), .id = (uint32_t)value(state, 100)};
    bool is_general = out.kind == GENVISA_VECTOR_GENERAL, is_indirect = out.kind == GENVISA_VECTOR_INDIRECT;
    bool is_address = out.kind == GENVISA_VECTOR_ADDRESS, is_state = out.kind == GENVISA_VECTOR_STATE;
    bool is_immediate = out.kind == GENVISA_VECTOR_IMMEDIATE;
    if (is_immediate) out.id = 0;
    if (is_general) out.row = (uint8_t)value(state, 10), out.column = (uint8_t)value(state, 10);
    if (is_general || is_indirect) out.region = (uint16_t)value(state, 0xfff);
    if (is_indirect) out.offset = (int16_t)value(state, 511);
    if (is_indirect || is_immediate) out.type = (uint8_t)value(state, 15);
    if (is_address || is_indirect || is_state) out.element = (uint8_t)value(state, 3);
    if (is_address) out.width = (uint8_t)value(state, 5);
    if (is_state) out.state = (uint8_t)value(state, 1);
    if (is_immediate) out.value = value(state, UINT32_MAX - 1);
    return out;
}

static uint32_t pred(uint64_t *state) { return (uint32_t)(value(state, 10) | value(state, 7) << 13); }

static any random_struct(uint8_t opcode, uint64_t *s) {
    any out;
    memset(&out, 0, sizeof out);
    switch (opcode) {
        case GENVISA_OPCODE_INFO:
            out.info = (genvisa_info){.op = (uint8_t)(10 + value(s, 1)), .exec = exec(s), .channels = (uint8_t)value(s, 15),
                                      .surface = (uint32_t)value(s, 255), .dst = raw(s)};
            if (out.info.op == GENVISA_INFO_RESINFO) out.info.lod = raw(s);
            break;
        case GENVISA_OPCODE_MEDIA_LD:
            out.media_ld = (genvisa_media_ld){(uint8_t)value(s, 5), (uint32_t)value(s, 255), (uint8_t)value(s, 3),
                                              (uint8_t)(1 + value(s, 63)), (uint8_t)(1 + value(s, 63)), vector(s), vector(s), raw(s)};
            break;
        case GENVISA_OPCODE_RT_WRITE: {
            uint16_t mode = (uint16_t)(value(s, 0x7ff) << 2);
            out.rt_write = (genvisa_rt_write){.exec = exec(s), .pred = pred(s), .mode = mode, .surface = (uint32_t)value(s, 255),
                                              .header = raw(s), .r = raw(s), .g = raw(s), .b = raw(s), .a = raw(s)};
            if (mode & GENVISA_RT_WRITE_SI) out.rt_write.sample_index = vector(s);
            if (mode & GENVISA_RT_WRITE_CPS) out.rt_write.cps_counter = vector(s);
            if (mode & GENVISA_RT_WRITE_RTI) out.rt_write.rt_index = vector(s);
            if (mode & GENVISA_RT_WRITE_S0A) out.rt_write.s0a = raw(s);
            if (mode & GENVISA_RT_WRITE_OMASK) out.rt_write.omask = raw(s);
            if (mode & GENVISA_RT_WRITE_Z) out.rt_write.depth = raw(s);
            if (mode & GENVISA_RT_WRITE_STENCIL) out.rt_write.stencil = raw(s);
            break;
        }
        case GENVISA_OPCODE_GATHER4_TYPED:
            out.gather4_typed = (genvisa_gather4_typed){exec(s), pred(s), (uint8_t)value(s, 15), (uint32_t)value(s, 255),
                                                        raw(s), raw(s), raw(s), raw(s), raw(s)};
            break;
        default:
            out.sample_3d = (genvisa_sample_3d){.op = (uint8_t)value(s, 0x19), .flags = (uint8_t)(value(s, 7) << 5), .exec = exec(s),
                                                .pred = pred(s), .channels = (uint8_t)value(s, 15), .sampler = (uint32_t)value(s, 255),
                                                .surface = (uint32_t)value(s, 255), .dst = raw(s), .num_params = (uint8_t)value(s, 15),
                                                .aoffimmi = genvisa_texel_offsets((int8_t)(value(s, 15) - 8), 3, -8)};
            if (value(s, 3) == 0) out.sample_3d.aoffimmi = vector(s);
            if (value(s, 1)) out.sample_3d.has_paired_surface = 1, out.sample_3d.paired_surface = raw(s);
            for (size_t i = 0; i < out.sample_3d.num_params && i < GENVISA_MAX_PARAMS; i++) out.sample_3d.params[i] = raw(s);
    }
    return out;
}

// Bytes that were written by hand, in the manual's layout, and the fields that they have.
static void vectors(void) {
    const uint8_t code[] = {0x71, 0x03, 0x01, 0xa0, 0xa4, 0x08, 0x06, 0x20, 0, 0, 0, 0, 0,
                            0x00, 0x28, 0, 0, 0, 0x02, 0x03, 0x21, 0x01,
                            0x05, 0x04, 0x07, 0, 0, 0, 0x05,
                            0x21, 0, 0, 0, 0x00, 0x00, 0x22, 0, 0, 0, 0x20, 0x00, 0x23, 0, 0, 0, 0x40, 0x00,
                            0x24, 0, 0, 0, 0x60, 0x00, 0x25, 0, 0, 0, 0x34, 0x12};
    genvisa_format manual = {.dialect = bytes("manual")};
    genvisa_rt_write write;
    genvisa_error *error;
    assert(genvisa_rt_write_decode((genvisa_bytes){code, sizeof code}, manual, &write, &error) == GENVISA_OK && !error);
    assert(write.exec.lanes == 8 && write.exec.mask == GENVISA_M1 && write.surface == 6);
    assert(write.pred == (GENVISA_PRED_INVERTED | GENVISA_PRED_ANY | 1));
    assert(write.mode == (GENVISA_RT_WRITE_RTI | GENVISA_RT_WRITE_Z | GENVISA_RT_WRITE_LRTW | GENVISA_RT_WRITE_SI));
    assert(write.header.variable == 32 && write.header.offset == 0);
    genvisa_vector index = genvisa_scalar(40, 2, 3);
    assert(write.sample_index.kind == GENVISA_VECTOR_GENERAL && write.sample_index.id == index.id);
    assert(write.sample_index.row == 2 && write.sample_index.column == 3 && write.sample_index.region == index.region);
    assert(write.rt_index.kind == GENVISA_VECTOR_IMMEDIATE && write.rt_index.type == GENVISA_TYPE_UB && write.rt_index.value == 7);
    assert(write.r.variable == 0x21 && write.a.variable == 0x24 && write.a.offset == 0x60);
    assert(write.depth.variable == 0x25 && write.depth.offset == 0x1234 && write.stencil.variable == 0);
    genvisa_buffer *buffer;
    assert(genvisa_rt_write_encode(&write, manual, &buffer, &error) == GENVISA_OK);
    assert(same(genvisa_buffer_bytes(buffer), (genvisa_bytes){code, sizeof code}));
    genvisa_buffer_free(buffer);
}

// A struct that cannot be encoded, the status and the path.
static void refuses(uint8_t opcode, const any *in, genvisa_format format, genvisa_status status, const char *path) {
    genvisa_buffer *buffer = NULL;
    genvisa_error *error;
    if (encode(opcode, in, format, &buffer, &error) != status) {
        fprintf(stderr, "%#x is not refused for %s\n", opcode, path);
        abort();
    }
    assert(!buffer);
    genvisa_bytes found = genvisa_error_get(error).path;
    if (!contains(found, path)) {
        genvisa_bytes message = genvisa_error_get(error).message;
        fprintf(stderr, "%.*s: expected %s in %.*s\n", (int)message.len, (char *)message.data, path, (int)found.len, (char *)found.data);
        abort();
    }
    genvisa_error_free(error);
    assert(encode(opcode, in, format, &buffer, NULL) == status);
}

static void meaningless(void) {
    const genvisa_format usual = {.major = 0};
    const genvisa_exec eight = {8, GENVISA_M1};
#define REFUSES(opcode, member, path, change)                                                     \
    do {                                                                                          \
        any wrong = right;                                                                        \
        wrong.member.change;                                                                      \
        refuses(GENVISA_OPCODE_##opcode, &wrong, usual, GENVISA_ERROR_ARGUMENT, path);            \
    } while (0)
    any right = {.info = {.op = GENVISA_INFO_SAMPLEINFO, .exec = eight, .channels = GENVISA_RGBA, .surface = 6}};
    assert(round_trip(GENVISA_OPCODE_INFO, &right, usual));
    REFUSES(INFO, info, "op", op = 12);
    REFUSES(INFO, info, "exec.lanes", exec.lanes = 3);
    REFUSES(INFO, info, "exec.mask", exec.mask = 16);
    REFUSES(INFO, info, "channels", channels = 16);
    REFUSES(INFO, info, "lod", lod.variable = 32);
    // The manual has no channels.
    right.info.channels = GENVISA_R;
    refuses(GENVISA_OPCODE_INFO, &right, (genvisa_format){.dialect = bytes("manual")}, GENVISA_ERROR_BINARY, "channels");

    memset(&right, 0, sizeof right);
    right.media_ld = (genvisa_media_ld){.surface = 6, .block_width = 4, .block_height = 4, .x_offset = genvisa_immediate(GENVISA_TYPE_UD, 4),
                                        .y_offset = genvisa_scalar(33, 0, 1), .dst = {34, 0}};
    assert(round_trip(GENVISA_OPCODE_MEDIA_LD, &right, usual));
    REFUSES(MEDIA_LD, media_ld, "modifiers", modifiers = 8);
    REFUSES(MEDIA_LD, media_ld, "surface", surface = 256 + 6);
    REFUSES(MEDIA_LD, media_ld, "x_offset.kind", x_offset.kind = 4);
    REFUSES(MEDIA_LD, media_ld, "x_offset.kind", x_offset.kind = 255);
    REFUSES(MEDIA_LD, media_ld, "x_offset.value", x_offset = genvisa_immediate(GENVISA_TYPE_UD, (uint64_t)-1));
    REFUSES(MEDIA_LD, media_ld, "x_offset.value", x_offset.value = UINT64_C(1) << 32);
    REFUSES(MEDIA_LD, media_ld, "x_offset.modifier", x_offset.modifier = 8);
    REFUSES(MEDIA_LD, media_ld, "x_offset.row", x_offset.row = 1);
    REFUSES(MEDIA_LD, media_ld, "x_offset.id", x_offset.id = 1);
    REFUSES(MEDIA_LD, media_ld, "y_offset.region", y_offset.region = 0x1121);
    REFUSES(MEDIA_LD, media_ld, "y_offset.value", y_offset.value = 1);
    REFUSES(MEDIA_LD, media_ld, "y_offset.offset", y_offset.offset = -1);
    REFUSES(MEDIA_LD, media_ld, "y_offset.id", y_offset = ((genvisa_vector){.kind = GENVISA_VECTOR_ADDRESS, .id = 65536}));
    REFUSES(MEDIA_LD, media_ld, "y_offset.id", y_offset = ((genvisa_vector){.kind = GENVISA_VECTOR_PREDICATE, .id = 0x1000}));
    // Before 3.4, ids have two bytes.
    right.media_ld.dst.variable = 65536;
    refuses(GENVISA_OPCODE_MEDIA_LD, &right, (genvisa_format){.major = 3, .minor = 3}, GENVISA_ERROR_BINARY, "dst");

    memset(&right, 0, sizeof right);
    right.rt_write.exec = eight;
    assert(round_trip(GENVISA_OPCODE_RT_WRITE, &right, usual));
    REFUSES(RT_WRITE, rt_write, "mode", mode = 1);
    REFUSES(RT_WRITE, rt_write, "mode", mode = 0x2000);
    REFUSES(RT_WRITE, rt_write, "pred", pred = 0x1000);
    REFUSES(RT_WRITE, rt_write, "pred", pred = 0x10001);
    REFUSES(RT_WRITE, rt_write, "surface", surface = UINT32_MAX);
    REFUSES(RT_WRITE, rt_write, "sample_index", sample_index = genvisa_immediate(GENVISA_TYPE_UD, 1));
    REFUSES(RT_WRITE, rt_write, "cps_counter", cps_counter.id = 1);
    REFUSES(RT_WRITE, rt_write, "rt_index", rt_index = genvisa_immediate(GENVISA_TYPE_UD, 0));
    REFUSES(RT_WRITE, rt_write, "s0a", s0a.variable = 1);
    REFUSES(RT_WRITE, rt_write, "omask", omask.variable = 1);
    REFUSES(RT_WRITE, rt_write, "depth", depth.offset = 1);
    REFUSES(RT_WRITE, rt_write, "stencil", stencil.variable = 1);

    memset(&right, 0, sizeof right);
    right.gather4_typed = (genvisa_gather4_typed){.exec = eight, .channels = GENVISA_R | GENVISA_A};
    assert(round_trip(GENVISA_OPCODE_GATHER4_TYPED, &right, usual));
    REFUSES(GATHER4_TYPED, gather4_typed, "channels", channels = 0x1f);

    memset(&right, 0, sizeof right);
    right.sample_3d = (genvisa_sample_3d){.exec = eight, .channels = GENVISA_R, .aoffimmi = genvisa_texel_offsets(-8, 7, 0),
                                          .num_params = 1, .params = {{32, 0}}};
    assert(round_trip(GENVISA_OPCODE_SAMPLE_3D, &right, usual));
    REFUSES(SAMPLE_3D, sample_3d, "aoffimmi.value", aoffimmi = genvisa_texel_offsets(8, 0, 0));
    REFUSES(SAMPLE_3D, sample_3d, "sampler", sampler = 256);
    REFUSES(SAMPLE_3D, sample_3d, "surface", surface = 256);
    REFUSES(SAMPLE_3D, sample_3d, "flags", flags = 1);
    REFUSES(SAMPLE_3D, sample_3d, "num_params", num_params = 16);
    REFUSES(SAMPLE_3D, sample_3d, "params", num_params = 0);
    REFUSES(SAMPLE_3D, sample_3d, "paired_surface", paired_surface.variable = 32);
    REFUSES(SAMPLE_3D, sample_3d, "has_paired_surface", has_paired_surface = 2);
    right.sample_3d.has_paired_surface = 1;
    refuses(GENVISA_OPCODE_SAMPLE_3D, &right, usual, GENVISA_ERROR_BINARY, "paired_surface");
#undef REFUSES
}

// Constants have the bits that a text with them has, or are refused.
static void constants(void) {
    const struct {
        uint8_t type;
        uint64_t value;
        bool is_valid;
        uint64_t bits;
    } cases[] = {
        {GENVISA_TYPE_UD, 0xffffffff, true, 0xffffffff}, {GENVISA_TYPE_UD, 0x100000000, false, 0},
        {GENVISA_TYPE_UD, (uint64_t)-1, false, 0},       {GENVISA_TYPE_D, (uint64_t)-1, true, 0xffffffff},
        {GENVISA_TYPE_D, 0x80000000, false, 0},          {GENVISA_TYPE_UW, 0xffff, true, 0xffff},
        {GENVISA_TYPE_UW, 0x10000, false, 0},            {GENVISA_TYPE_W, (uint64_t)-2, true, 0xfffffffe},
        {GENVISA_TYPE_W, 0x8000, false, 0},              {GENVISA_TYPE_UB, 200, true, 200},
        {GENVISA_TYPE_UB, 256, false, 0},                {GENVISA_TYPE_B, (uint64_t)-128, true, 0xffffff80},
        {GENVISA_TYPE_B, (uint64_t)-129, false, 0},      {GENVISA_TYPE_F, 0x3f800000, true, 0x3f800000},
        {GENVISA_TYPE_F, 0x3ff0000000000000, false, 0},  {GENVISA_TYPE_DF, 0x3ff0000000000000, true, 0x3ff0000000000000},
        {GENVISA_TYPE_HF, 0xbc00, true, 0xbc00},         {GENVISA_TYPE_HF, 0x10000, false, 0},
        {GENVISA_TYPE_Q, (uint64_t)-1, true, UINT64_MAX}, {GENVISA_TYPE_UQ, UINT64_MAX, true, UINT64_MAX},
        {GENVISA_TYPE_V, 0x76543210, true, 0x76543210},  {16, 0, false, 0},
        {255, 0, false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        genvisa_media_ld load = {.surface = 6, .x_offset = genvisa_immediate(cases[i].type, cases[i].value),
                                 .y_offset = genvisa_immediate(GENVISA_TYPE_UD, 0)};
        const genvisa_format format = {.major = 3, .minor = 6};
        genvisa_buffer *buffer;
        genvisa_error *error;
        genvisa_status status = genvisa_media_ld_encode(&load, format, &buffer, &error);
        assert((status == GENVISA_OK) == cases[i].is_valid);
        if (status == GENVISA_OK) {
            assert(load.x_offset.type == cases[i].type && load.x_offset.value == cases[i].bits);
            genvisa_buffer_free(buffer);
        } else {
            assert(status == GENVISA_ERROR_ARGUMENT && contains(genvisa_error_get(error).path, "x_offset.value"));
            genvisa_error_free(error);
        }
    }
}

// Null arguments, and formats and bytes without a meaning.
static void arguments(void) {
    genvisa_buffer *buffer = NULL;
    genvisa_error *error;
    any right = {.info = {.op = GENVISA_INFO_SAMPLEINFO, .exec = {8, 0}, .channels = 15}}, out;
    const genvisa_format usual = {.major = 0};
    const uint8_t loc[] = {0x52, 7, 0, 0, 0};
    genvisa_format wrong[] = {{bytes("igc1999"), 3, 6}, {{NULL, 1}, 3, 6}, {{(const uint8_t *)"\xff", 1}, 3, 6},
                              {bytes("igc2022"), 9, 9}, {bytes("igc2022"), 4, 2}, {bytes("igc2022"), 0, 9}};
    for (size_t i = 0; i < sizeof opcodes; i++) {
        uint8_t opcode = opcodes[i];
#define REFUSES(call)                                                             \
        do {                                                                      \
            assert((call) == GENVISA_ERROR_ARGUMENT);                             \
            assert(genvisa_error_get(error).message.len > 0);                     \
            genvisa_error_free(error);                                            \
        } while (0)
        REFUSES(encode(opcode, &right, usual, NULL, &error));
        for (size_t j = 0; j < sizeof wrong / sizeof *wrong; j++) {
            any of_opcode = right;
            if (opcode != GENVISA_OPCODE_INFO) memset(&of_opcode, 0, sizeof of_opcode);
            if (opcode == GENVISA_OPCODE_INFO) REFUSES(encode(opcode, &of_opcode, wrong[j], &buffer, &error));
            REFUSES(decode(opcode, (genvisa_bytes){loc, 5}, wrong[j], &out, &error));
        }
        REFUSES(decode(opcode, (genvisa_bytes){NULL, 1}, usual, &out, &error));
        REFUSES(decode(opcode, (genvisa_bytes){loc, 5}, usual, &out, &error));
        assert(decode(opcode, (genvisa_bytes){&opcode, 1}, usual, &out, &error) == GENVISA_ERROR_BINARY);
        genvisa_error_free(error);
        assert(decode(opcode, (genvisa_bytes){loc, 5}, usual, &out, NULL) == GENVISA_ERROR_ARGUMENT);
    }
    const genvisa_bytes five = {loc, 5};
    REFUSES(genvisa_info_encode(NULL, usual, &buffer, &error));
    REFUSES(genvisa_media_ld_encode(NULL, usual, &buffer, &error));
    REFUSES(genvisa_rt_write_encode(NULL, usual, &buffer, &error));
    REFUSES(genvisa_gather4_typed_encode(NULL, usual, &buffer, &error));
    REFUSES(genvisa_sample_3d_encode(NULL, usual, &buffer, &error));
    REFUSES(genvisa_info_decode(five, usual, NULL, &error));
    REFUSES(genvisa_media_ld_decode(five, usual, NULL, &error));
    REFUSES(genvisa_rt_write_decode(five, usual, NULL, &error));
    REFUSES(genvisa_gather4_typed_decode(five, usual, NULL, &error));
    REFUSES(genvisa_sample_3d_decode(five, usual, NULL, &error));
#undef REFUSES
    assert(!buffer);
}

int main(int count, char **files) {
    find_formats();
    vectors();
    meaningless();
    constants();
    arguments();
    memset(encoded, 0, sizeof encoded);
    assert(count > 2);
    for (int i = 2; i < count; i++) {
        genvisa_bytes file = read_file(files[i]);
        instructions(file);
        free((void *)file.data);
    }
    for (size_t i = 0; i < sizeof opcodes; i++) {
        printf("%#x: %zu encodings of instructions in files", opcodes[i], encoded[opcodes[i]]);
        assert(encoded[opcodes[i]] > 0);
        size_t before = encoded[opcodes[i]];
        uint64_t state = i;
        for (int j = 0; j < atoi(files[1]); j++) {
            any random = random_struct(opcodes[i], &state);
            for (size_t k = 0; k < format_count; k++) round_trip(opcodes[i], &random, formats[k]);
        }
        printf(", %zu of random structs\n", encoded[opcodes[i]] - before);
        assert(encoded[opcodes[i]] > before);
    }
    return 0;
}
