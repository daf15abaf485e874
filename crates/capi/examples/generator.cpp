// A generator of inline assembly that checks each template before it gives it to the compiler.
#include <iostream>
#include <string>

#include "genvisa.hpp"

namespace {

// Returns the template of a load of 8 rows. Operand 0 is the destination, and operand 1 the address.
std::string load(const std::string &cache) {
    return "lsc_load.ugm." + cache + " (M1, 16) $0:d32 flat[$1]:a64";
}

bool is_legal(const std::string &text) {
    genvisa::Template assembly;
    assembly.text = text;
    assembly.constraints = "=rw,rw";
    assembly.types = {"i32", "i64"};
    assembly.lanes = 16;
    assembly.platform = "bmg";
    bool is_legal = true;
    for (const auto &finding : assembly.check()) {
        std::cout << text << "\n  " << finding.line << ":" << finding.column << ": " << finding.message
                  << " [" << finding.rule << "]\n";
        is_legal &= !finding.is_error;
    }
    return is_legal;
}

}  // namespace

int main() {
    try {
        const bool right = is_legal(load("ca.ca"));
        // There is no such cache control.
        const bool wrong = is_legal(load("ca.xy"));
        std::cout << (right ? "accepted" : "refused") << ", " << (wrong ? "accepted" : "refused") << "\n";
        return right && !wrong ? 0 : 1;
    } catch (const genvisa::Error &error) {
        std::cerr << "generator: " << error.what() << "\n";
        return 1;
    }
}
