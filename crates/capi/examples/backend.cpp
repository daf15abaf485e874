// A backend that emits a pixel shader: it reads a block of a surface, and writes it to the render target.
//
// The text of a kernel declares the variables. MEDIA_LD and RT_WRITE are structs, which the backend encodes.
#include <fstream>
#include <iostream>
#include <string>

#include "genvisa.hpp"

namespace {

const char *const TEXT = R"(.version 3.6
.kernel "shader"
.decl block v_type=G type=ub num_elts=128 align=GRF
.decl colour v_type=G type=f num_elts=32 align=GRF
.decl source v_type=T num_elts=1
.decl target v_type=T num_elts=1
.kernel_attr Target="3d"
mov (M1, 8) colour(0,0)<1> block(0,0)<8;8,1>
mov (M1, 8) colour(1,0)<1> block(1,0)<8;8,1>
mov (M1, 8) colour(2,0)<1> block(2,0)<8;8,1>
mov (M1, 8) colour(3,0)<1> block(3,0)<8;8,1>
ret (M1, 1)
)";

// Returns the id of a variable of the kernel.
std::uint32_t id(const genvisa::Module &module, char letter, const char *name) {
    return module.find(0, letter, name).value();
}

genvisa_media_ld load(const genvisa::Module &module) {
    genvisa_media_ld load = {};
    load.surface = id(module, 'T', "source");
    load.block_width = 16;
    load.block_height = 8;
    load.x_offset = genvisa_immediate(GENVISA_TYPE_UD, 0);
    load.y_offset = genvisa_immediate(GENVISA_TYPE_UD, 0);
    load.dst.variable = id(module, 'V', "block");
    return load;
}

genvisa_rt_write write(const genvisa::Module &module) {
    const std::uint32_t colour = id(module, 'V', "colour");
    genvisa_rt_write write = {};
    write.exec = {8, GENVISA_M1};
    write.mode = GENVISA_RT_WRITE_LRTW;
    write.surface = id(module, 'T', "target");
    write.r = {colour, 0};
    write.g = {colour, 32};
    write.b = {colour, 64};
    write.a = {colour, 96};
    return write;
}

// Returns the module with the two messages: the load before the code, and the write before the last return. Code is the
// bytes of instructions, one after another.
genvisa::Module emit() {
    const auto declared = genvisa::Module::parse(TEXT);
    const auto format = declared.format();
    const std::string code(declared.routines()[0].code);
    std::size_t position = 0, end = code.size();
    auto decoder = declared.decode(0);
    for (const auto &instruction : decoder) {
        if (instruction.mnemonic() == "ret") end = position;
        position += instruction.bytes.size();
    }
    return declared.with_code(0, genvisa::encode(load(declared), format) + code.substr(0, end) +
                                     genvisa::encode(write(declared), format) + code.substr(end));
}

}  // namespace

int main(int count, char **arguments) {
    if (count != 2) {
        std::cerr << "usage: backend OUTPUT.isa\n";
        return 2;
    }
    try {
        const auto module = emit();
        bool is_legal = true;
        for (const auto &finding : module.verify("SKL")) {
            std::cerr << "instruction " << finding.instruction.value_or(0) << ": " << finding.message << " ["
                      << finding.rule << "]\n";
            is_legal &= !finding.is_error;
        }
        if (!is_legal) return 1;
        std::ofstream(arguments[1], std::ios::binary) << module.encode();
        std::cout << module.print();
    } catch (const genvisa::Error &error) {
        std::cerr << "backend: " << error.what() << "\n";
        return 1;
    }
}
