// Uses every class. The arguments of the program are .isa files.
#undef NDEBUG
#include <cassert>
#include <fstream>
#include <iostream>
#include <sstream>

#include "genvisa.hpp"

static std::string read(const char *path) {
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    return bytes.str();
}

template <typename Function>
static genvisa::Error error_of(Function function) {
    try {
        function();
    } catch (const genvisa::Error &error) {
        return error;
    }
    std::abort();
}

static void round_trip(const std::string &file) {
    const auto module = genvisa::Module::read(file);
    assert(module.encode() == file);
    const auto routines = module.routines();
    for (std::size_t routine = 0; routine < routines.size(); routine++) {
        auto decoder = module.decode(routine);
        std::size_t size = 0;
        for (const auto &instruction : decoder) {
            assert(!instruction.mnemonic().empty());
            assert(instruction.bytes.data() == routines[routine].code.data() + size);
            size += instruction.bytes.size();
        }
        assert(size == routines[routine].code.size());
    }
    assert(genvisa::disassemble(file) == module.print());
    assert(module.print(true) != module.print());
    const auto error = error_of([&] { genvisa::Module::read(file.substr(0, file.size() / 2)); });
    assert(error.status() == GENVISA_ERROR_BINARY && error.offset() && !error.path().empty());
}

int main(int count, char **files) {
    auto decoder = [] {
        const auto module = genvisa::Module::parse(
            ".version 3.6\n.kernel \"k\"\n.decl x v_type=G type=d num_elts=8 align=GRF\n"
            "mov (M1, 16) x(0,0)<1> 0x1:d\n");
        const auto findings = module.verify();
        assert(findings.size() == 1 && findings[0].line == 4 && findings[0].instruction == 0u);
        assert(module.routines()[0].name == "k" && module.routines()[0].is_kernel);
        // It outlives the module.
        return module.decode(0);
    }();
    const auto instruction = decoder.next().value();
    assert(instruction.mnemonic() == "mov");
    assert(decoder.text(instruction).find("mov (M1, 16)") != std::string::npos);
    assert(decoder.fields(instruction).size() > 5);
    assert(!decoder.as<genvisa_media_ld>(instruction));
    assert(!decoder.next());
    assert(error_of([] { genvisa::Module::parse(".kernel\n"); }).line() == 1);
    assert(error_of([] { genvisa::Module::parse("", "nothing"); }).status() == GENVISA_ERROR_ARGUMENT);

    // Structs of instructions.
    const auto kernel = genvisa::Module::parse(
        ".version 3.6\n.kernel \"k\"\n.decl x v_type=G type=d num_elts=8 align=GRF\n"
        ".decl s v_type=T num_elts=1\nret (M1, 1)\n");
    genvisa_media_ld load = {};
    load.surface = kernel.find(0, 'T', "s").value();
    load.block_width = load.block_height = 4;
    load.x_offset = genvisa_immediate(GENVISA_TYPE_UD, 8);
    load.y_offset = genvisa_scalar(kernel.find(0, 'V', "x").value(), 0, 1);
    load.dst.variable = kernel.find(0, 'V', "x").value();
    assert(load.surface == 6 && load.dst.variable == 32 && !kernel.find(0, 'V', "y"));
    const auto edited = kernel.with_code(0, genvisa::encode(load, kernel.format()));
    assert(edited.print().find("media_ld.nomod (4,4) s 0 0x8:ud x(0,1)<0;1,0> x.0") != std::string::npos);
    auto loads = edited.decode(0);
    const auto first = loads.next().value();
    assert(loads.as<genvisa_media_ld>(first)->x_offset.value == 8 && !loads.as<genvisa_info>(first));
    const auto manual = genvisa::encode(load, {"manual", 0, 0});
    assert(genvisa::decode<genvisa_media_ld>(manual, {"manual", 0, 0}).block_width == 4);
    load.modifiers = 9;
    assert(error_of([&] { genvisa::encode(load, kernel.format()); }).path() == "modifiers");
    assert(error_of([&] { genvisa::decode<genvisa_info>(manual, {"manual", 0, 0}); }).status() == GENVISA_ERROR_ARGUMENT);
    assert(error_of([&] { kernel.with_code(0, "\xff"); }).status() == GENVISA_ERROR_BINARY);

    // The instructions before one that cannot be decoded, then the error, then nothing.
    std::string many;
    for (int i = 0; i < 300; i++) many += kernel.routines()[0].code;
    assert(error_of([&] { kernel.with_code(0, many + "\xff"); }).offset() == many.size());
    auto long_decoder = kernel.with_code(0, many).decode(0);
    std::size_t count_of_returns = 0;
    for (const auto &one : long_decoder) count_of_returns += one.mnemonic() == "ret";
    assert(count_of_returns == 300 && !long_decoder.next());
    auto damaged = kernel.encode();
    damaged[damaged.size() - kernel.routines()[0].code.size()] = '\xff';
    auto failing = genvisa::Module::read(damaged).decode(0);
    assert(error_of([&] { failing.next(); }).status() == GENVISA_ERROR_BINARY && !failing.next());
    const auto moved = std::move(failing);
    assert(genvisa::version() == GENVISA_VERSION && genvisa::platform_names().at(0) == "BDW");

    // One instruction without a module: from text to bytes, to the struct, and back.
    const genvisa::Format igc{"igc2022", 3, 6};
    const auto same = [&](const auto &one, const std::string &text, const char *name) {
        const auto bytes = genvisa::parse_instruction(text, igc);
        using T = std::decay_t<decltype(one)>;
        assert(genvisa::encode(genvisa::decode<T>(bytes, igc), igc) == bytes);
        assert(genvisa::print_instruction(bytes, igc).rfind(name, 0) == 0);
    };
    same(genvisa_info{}, "resinfo.RGBA (M1, 8) T6 V32.0 V33.0", "resinfo.RGBA (M1, 8)");
    same(genvisa_media_ld{}, "media_ld.top (32,8) T6 0 V33(0,0)<0;1,0> 0x10:ud V34.0", "media_ld.top (32,8)");
    same(genvisa_rt_write{}, "rt_write_3d.<RTI><Z> (M1, 8) T6 %null.0 0x1:ub V32.0 V33.0 V34.0 V35.0 V36.0", "rt_write_3d.<RTI><Z>");
    same(genvisa_gather4_typed{}, "gather4_typed.RG (M1, 8) T6 V32.0 V33.0 %null.0 %null.0 V34.64", "gather4_typed.RG");
    same(genvisa_sample_3d{}, "sample_3d.RGBA (M1, 8) 0x0:uw S0 T6 V34.0 %null.0 V32.0 V33.0", "sample_3d.RGBA");
    assert(error_of([&] { genvisa::parse_instruction("mov (M1, 8) x(0,0)<1> 0x1:d", igc); }).status() == GENVISA_ERROR_TEXT);
    assert(error_of([&] { genvisa::print_instruction("\x70\x0c", igc); }).status() == GENVISA_ERROR_BINARY);

    genvisa::Template assembly;
    assembly.text = "add (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d";
    assembly.constraints = "=rw,rw";
    assembly.types = {"i32", "i32"};
    assembly.lanes = 16;
    assembly.platform = "bmg";
    assert(assembly.check().empty());
    assembly.text = "ad (M1, 16) $0(0,0)<1> $1(0,0)<1;1,0> 0x1:d";
    assert(assembly.check().at(0).column == 1);

    for (int i = 1; i < count; i++) round_trip(read(files[i]));
    std::cout << count - 1 << " files\n";
}
