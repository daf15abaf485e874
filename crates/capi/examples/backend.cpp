// A backend that emits a pixel shader: it reads a block of a surface, and writes it to the render target.
#include <fstream>
#include <iostream>
#include <string>

#include "genvisa.hpp"

namespace {

// Writes the text of a kernel.
class Kernel {
   public:
    explicit Kernel(const std::string &name) : text_(".version 3.6\n.kernel \"" + name + "\"\n") {}

    std::string variable(const std::string &name, const std::string &type, int count) {
        text_ += ".decl " + name + " v_type=G type=" + type + " num_elts=" + std::to_string(count) +
                 " align=GRF\n";
        return name;
    }
    std::string surface(const std::string &name) {
        text_ += ".decl " + name + " v_type=T num_elts=1\n";
        return name;
    }
    void line(const std::string &line) { text_ += line + "\n"; }
    const std::string &text() const { return text_; }

   private:
    std::string text_;
};

}  // namespace

int main(int count, char **arguments) {
    if (count != 2) {
        std::cerr << "usage: backend OUTPUT.isa\n";
        return 2;
    }
    Kernel k("shader");
    const auto block = k.variable("block", "ub", 128);
    const auto colour = k.variable("colour", "f", 32);
    const auto source = k.surface("source"), target = k.surface("target");
    k.line(".kernel_attr Target=\"3d\"");
    k.line("media_ld.nomod (16,8) " + source + " 0 0x0:ud 0x0:ud " + block + ".0");
    for (int channel = 0; channel < 4; channel++) {
        const auto row = std::to_string(channel);
        k.line("mov (M1, 8) " + colour + "(" + row + ",0)<1> " + block + "(" + row + ",0)<8;8,1>");
    }
    k.line("rt_write_3d (M1, 8) " + target + " %null.0 " + colour + ".0 " + colour + ".32 " + colour +
           ".64 " + colour + ".96");
    k.line("ret (M1, 1)");
    try {
        const auto module = genvisa::Module::parse(k.text());
        bool is_legal = true;
        for (const auto &finding : module.verify("SKL")) {
            std::cerr << "line " << finding.line << ": " << finding.message << " [" << finding.rule
                      << "]\n";
            is_legal &= !finding.is_error;
        }
        if (!is_legal) return 1;
        std::ofstream(arguments[1], std::ios::binary) << module.encode();
        auto decoder = module.decode(0);
        for (const auto &instruction : decoder) std::cout << instruction.mnemonic << "\n";
    } catch (const genvisa::Error &error) {
        std::cerr << "backend: " << error.what() << "\n";
        return 1;
    }
}
