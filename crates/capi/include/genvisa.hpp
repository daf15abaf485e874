// The C++17 interface of genvisa: a layer over genvisa.h, in this header only. Ids, indices, formats and structs of
// instructions are explained there.
//
// Module and Decoder own their handle: they can be moved, but not copied. A moved-from object may only be assigned to
// or destroyed. Template, and the views in Instruction and Routine, refer to memory of others, as they state.
//
// Every function that takes a module, text, bytes or a format throws genvisa::Error if the C function returns an
// error. Module::decode and Module::with_code throw std::out_of_range if there is no such routine. Functions that copy
// throw std::bad_alloc if there is no memory.
#ifndef GENVISA_HPP
#define GENVISA_HPP

#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "genvisa.h"

namespace genvisa {

namespace detail {

template <auto free>
struct Free {
    template <typename T>
    void operator()(T *handle) const {
        free(handle);
    }
};

template <typename T, auto free>
using Handle = std::unique_ptr<T, Free<free>>;

inline genvisa_bytes bytes(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

inline std::string_view view(genvisa_bytes bytes) {
    return {reinterpret_cast<const char *>(bytes.data), bytes.len};
}

inline std::optional<std::size_t> number(std::size_t value) {
    return value == SIZE_MAX ? std::nullopt : std::optional(value);
}

}  // namespace detail

// An error of the library.
class Error : public std::runtime_error {
   public:
    explicit Error(const genvisa_error_info &info)
        : std::runtime_error(std::string(detail::view(info.message))),
          status_(info.status),
          path_(detail::view(info.path)),
          offset_(detail::number(info.offset)),
          line_(info.line),
          column_(info.column) {}

    genvisa_status status() const { return status_; }
    // The path to the wrong field, as in genvisa_error_info; empty if there is none.
    const std::string &path() const { return path_; }
    // The offset of the wrong bytes in the file or in the argument.
    std::optional<std::size_t> offset() const { return offset_; }
    // The line and the column of the first error in a text, from 1; 0 if there is none.
    std::size_t line() const { return line_; }
    std::size_t column() const { return column_; }

   private:
    genvisa_status status_;
    std::string path_;
    std::optional<std::size_t> offset_;
    std::size_t line_, column_;
};

namespace detail {

// Calls a function with a place for its error. Returns false for GENVISA_END.
template <typename Function>
bool call(Function function) {
    genvisa_error *error = nullptr;
    const genvisa_status status = function(&error);
    const Handle<genvisa_error, genvisa_error_free> owner(error);
    if (error) throw Error(genvisa_error_get(error));
    return status == GENVISA_OK;
}

inline std::string take(genvisa_buffer *buffer) {
    const Handle<genvisa_buffer, genvisa_buffer_free> owner(buffer);
    return std::string(view(genvisa_buffer_bytes(buffer)));
}

// An input iterator over what a function of a source returns until it returns nothing.
template <typename Source, typename Value>
class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using pointer = const Value *;
    using reference = const Value &;

    Iterator() = default;
    explicit Iterator(Source *source) : source_(source) { ++*this; }

    reference operator*() const { return *value_; }
    pointer operator->() const { return &*value_; }
    Iterator &operator++() {
        value_ = source_->next();
        if (!value_) source_ = nullptr;
        return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator &a, const Iterator &b) { return a.source_ == b.source_; }
    friend bool operator!=(const Iterator &a, const Iterator &b) { return !(a == b); }

   private:
    Source *source_ = nullptr;
    std::optional<Value> value_;
};

}  // namespace detail

// An instruction. The bytes are valid until the module and all its decoders are destroyed.
struct Instruction {
    // The offset in the file. If the routine comes from a text or has new code, the offset in its code.
    std::size_t offset;
    std::string_view bytes;
    // The opcode (genvisa_opcode).
    std::uint8_t opcode;

    std::string_view mnemonic() const { return detail::view(genvisa_mnemonic(opcode)); }
};

// A field of an instruction.
struct Field {
    std::string name, value, meaning;
    // The offset of the integer that contains the field, as in Instruction.
    std::size_t offset;
    // How deep the field is nested. Parts follow the field that contains them.
    std::size_t depth;
};

// A binary format: a dialect, and a version. For code of a module, use Module::format.
struct Format {
    // "manual", "igc2022" or "igc2026"; "igc2022" if it is empty.
    std::string dialect;
    // The version is 3.6 if both are 0.
    std::uint8_t major = 0, minor = 0;
};

namespace detail {

inline genvisa_format format(const Format &format) {
    return {bytes(format.dialect), format.major, format.minor};
}

// The functions of the structs genvisa_info, genvisa_media_ld, genvisa_rt_write, genvisa_gather4_typed and
// genvisa_sample_3d.
template <typename T>
struct Struct;

#define GENVISA_STRUCT(name, code)                                     \
    template <>                                                        \
    struct Struct<genvisa_##name> {                                    \
        static constexpr std::uint8_t opcode = GENVISA_OPCODE_##code;  \
        static constexpr auto decode = genvisa_##name##_decode;        \
        static constexpr auto encode = genvisa_##name##_encode;        \
    };
GENVISA_STRUCT(info, INFO)
GENVISA_STRUCT(media_ld, MEDIA_LD)
GENVISA_STRUCT(rt_write, RT_WRITE)
GENVISA_STRUCT(gather4_typed, GATHER4_TYPED)
GENVISA_STRUCT(sample_3d, SAMPLE_3D)
#undef GENVISA_STRUCT

}  // namespace detail

// Returns the bytes of an instruction in a format: `encode(load, module.format())`, where load is a genvisa_media_ld.
template <typename T>
std::string encode(const T &instruction, const Format &format) {
    genvisa_buffer *out = nullptr;
    detail::call([&](genvisa_error **error) {
        return detail::Struct<T>::encode(&instruction, detail::format(format), &out, error);
    });
    return detail::take(out);
}

// Returns the struct of an instruction: `decode<genvisa_media_ld>(bytes, format)`. Other bytes are an error.
template <typename T>
T decode(std::string_view bytes, const Format &format) {
    T out;
    detail::call([&](genvisa_error **error) {
        return detail::Struct<T>::decode(detail::bytes(bytes), detail::format(format), &out, error);
    });
    return out;
}

class Module;

// Returns the text of the bytes of one instruction, with ids such as V32 instead of names.
inline std::string print_instruction(std::string_view bytes, const Format &format) {
    genvisa_buffer *out = nullptr;
    detail::call([&](genvisa_error **error) {
        return genvisa_instruction_print(detail::bytes(bytes), detail::format(format), &out, error);
    });
    return detail::take(out);
}

// Returns the bytes of the text of one instruction, whose names are ids such as V32.
inline std::string parse_instruction(std::string_view text, const Format &format) {
    genvisa_buffer *out = nullptr;
    detail::call([&](genvisa_error **error) {
        return genvisa_instruction_parse(detail::bytes(text), detail::format(format), &out, error);
    });
    return detail::take(out);
}

// Decodes the instructions of a routine in their order: `for (auto &instruction : decoder)`. Module::decode returns one.
//
// Only one thread may use a decoder at a time. It may be used after its module is destroyed.
class Decoder {
   public:
    using iterator = detail::Iterator<Decoder, Instruction>;

    // Decodes the next instruction; returns nothing at the end. After it has thrown an error, it returns nothing.
    std::optional<Instruction> next() {
        if (position_ == count_) {
            position_ = 0;
            const auto next = [&](genvisa_error **error) {
                return genvisa_decoder_next_many(handle_.get(), &batch_, &count_, error);
            };
            if (!detail::call(next)) return std::nullopt;
        }
        const genvisa_instruction &out = batch_[position_++];
        return Instruction{out.offset, detail::view(out.bytes), out.opcode};
    }

    // Returns an iterator that calls next(). begin() calls it once, so there is only one pass, from the current position.
    // The decoder must not be moved while there are iterators.
    iterator begin() { return iterator(this); }
    iterator end() { return iterator(); }

    // Returns the struct of an instruction of the module: `decoder.as<genvisa_media_ld>(instruction)`; nothing for
    // an instruction with another opcode.
    template <typename T>
    std::optional<T> as(const Instruction &instruction) const {
        if (instruction.opcode != detail::Struct<T>::opcode) return std::nullopt;
        return genvisa::decode<T>(instruction.bytes, format_);
    }

    // Returns the text of an instruction of the module, with ids such as V32 instead of names.
    std::string text(const Instruction &instruction) {
        const auto in = of(instruction);
        return std::string(detail::view(genvisa_decoder_text(handle_.get(), &in)));
    }

    // Returns the fields of an instruction of the module.
    std::vector<Field> fields(const Instruction &instruction) {
        std::vector<Field> fields;
        const auto in = of(instruction);
        const std::size_t count = genvisa_decoder_fields(handle_.get(), &in);
        for (std::size_t number = 0; number < count; number++) {
            genvisa_field out;
            if (genvisa_decoder_field(handle_.get(), number, &out) != GENVISA_OK) break;
            fields.push_back({std::string(detail::view(out.name)), std::string(detail::view(out.value)),
                              std::string(detail::view(out.meaning)), out.offset, out.depth});
        }
        return fields;
    }

   private:
    friend class Module;

    Decoder(genvisa_decoder *handle, Format format) : handle_(handle), format_(std::move(format)) {}

    static genvisa_instruction of(const Instruction &instruction) {
        return {instruction.offset, detail::bytes(instruction.bytes), instruction.opcode};
    }

    detail::Handle<genvisa_decoder, genvisa_decoder_free> handle_;
    Format format_;
    // Instructions that were decoded together, and the position of the next one.
    const genvisa_instruction *batch_ = nullptr;
    std::size_t count_ = 0, position_ = 0;
};

// A broken rule, as genvisa_finding. It does not refer to the module.
struct Finding {
    std::string rule;
    // The web address of the documentation of the rule; empty if there is none.
    std::string url;
    std::string message;
    bool is_error;
    // The indices of the routine and of the instruction in the routine, from 0.
    std::optional<std::size_t> routine, instruction;
    // The line and the column in the text, from 1; 0 if there is none.
    std::size_t line, column;
};

namespace detail {

inline std::vector<Finding> take(genvisa_findings *findings) {
    const Handle<genvisa_findings, genvisa_findings_free> owner(findings);
    std::vector<Finding> list;
    genvisa_finding out;
    for (std::size_t i = 0; genvisa_findings_get(findings, i, &out) == GENVISA_OK; i++) {
        list.push_back({std::string(view(out.rule)), std::string(view(out.url)),
                        std::string(view(out.message)), out.is_error, number(out.routine),
                        number(out.instruction), out.line, out.column});
    }
    return list;
}

}  // namespace detail

// A kernel or a function. The views are valid until the module and all its decoders are destroyed.
struct Routine {
    std::string_view name;
    bool is_kernel;
    // The bytes of its instructions, one after another.
    std::string_view code;
};

// The contents of a .isa file or of a text. A module does not change, so several threads may use it at the same time.
class Module {
   public:
    // Reads a .isa file; the dialect is "igc2022" if it is empty. The bytes may be freed afterwards.
    static Module read(std::string_view file, std::string_view dialect = {}) {
        genvisa_module *handle = nullptr;
        detail::call([&](genvisa_error **error) {
            return genvisa_module_read(detail::bytes(file), detail::bytes(dialect), &handle, error);
        });
        return Module(handle);
    }

    // Parses a .visaasm text. If the dialect is empty, the version in the text determines it.
    static Module parse(std::string_view text, std::string_view dialect = {}) {
        genvisa_module *handle = nullptr;
        detail::call([&](genvisa_error **error) {
            return genvisa_module_parse(detail::bytes(text), detail::bytes(dialect), &handle, error);
        });
        return Module(handle);
    }

    // Returns the routines, kernels before functions. Their indices are the arguments of the other functions.
    std::vector<Routine> routines() const {
        std::vector<Routine> routines;
        genvisa_routine out;
        for (std::size_t i = 0; genvisa_module_routine(handle_.get(), i, &out) == GENVISA_OK; i++) {
            routines.push_back({detail::view(out.name), out.is_kernel, detail::view(out.code)});
        }
        return routines;
    }

    // Starts to decode the routine with an index.
    Decoder decode(std::size_t routine) const {
        genvisa_decoder *decoder = nullptr;
        const auto create = [&](genvisa_error **error) {
            return genvisa_decoder_new(handle_.get(), routine, &decoder, error);
        };
        if (!detail::call(create)) throw std::out_of_range("genvisa: there is no such routine");
        return Decoder(decoder, format());
    }

    // Returns the format of the instructions, for encode() and decode().
    Format format() const {
        const genvisa_format format = genvisa_module_format(handle_.get());
        return {std::string(detail::view(format.dialect)), format.major, format.minor};
    }

    // Returns the id of a variable or label by its name; nothing if there is no such routine or name. `letter` is V, A,
    // P, S, T or L, as in genvisa_module_find.
    std::optional<std::uint32_t> find(std::size_t routine, char letter, std::string_view name) const {
        std::uint32_t id = 0;
        const auto find = [&](genvisa_error **error) {
            return genvisa_module_find(handle_.get(), routine, letter, detail::bytes(name), &id, error);
        };
        return detail::call(find) ? std::optional(id) : std::nullopt;
    }

    // Returns a copy with other code in a routine: bytes of instructions in the format of the module, one after another.
    Module with_code(std::size_t routine, std::string_view code) const {
        genvisa_module *handle = nullptr;
        const auto copy = [&](genvisa_error **error) {
            return genvisa_module_with_code(handle_.get(), routine, detail::bytes(code), &handle, error);
        };
        if (!detail::call(copy)) throw std::out_of_range("genvisa: there is no such routine");
        return Module(handle);
    }

    // Returns the bytes of the .isa file.
    std::string encode() const {
        genvisa_buffer *file = nullptr;
        detail::call([&](genvisa_error **error) {
            return genvisa_module_encode(handle_.get(), &file, error);
        });
        return detail::take(file);
    }

    // Returns the text; with `as_genx_ir`, that of GenX_IR, the tool of IGC in 2022.
    std::string print(bool as_genx_ir = false) const {
        genvisa_buffer *text = nullptr;
        detail::call([&](genvisa_error **error) {
            return genvisa_module_print(handle_.get(), as_genx_ir, &text, error);
        });
        return detail::take(text);
    }

    // Returns the broken rules. `platform` is one of platform_names(); if it is empty, the one that the text states.
    // `manual` adds the rules of the manual that IGC does not enforce.
    std::vector<Finding> verify(std::string_view platform = {}, bool manual = false) const {
        genvisa_findings *findings = nullptr;
        detail::call([&](genvisa_error **error) {
            return genvisa_verify(handle_.get(), detail::bytes(platform), manual, &findings, error);
        });
        return detail::take(findings);
    }

   private:
    explicit Module(genvisa_module *handle) : handle_(handle) {}

    detail::Handle<genvisa_module, genvisa_module_free> handle_;
};

// Returns the text of a .isa file.
inline std::string disassemble(std::string_view file, std::string_view dialect = {}) {
    return Module::read(file, dialect).print();
}

// Returns the names of platforms and devices, such as "SKL" and "bmg".
inline std::vector<std::string_view> platform_names() {
    std::vector<std::string_view> names;
    for (genvisa_bytes name; (name = genvisa_platform_name(names.size())).len > 0;) names.push_back(detail::view(name));
    return names;
}

// Returns the version of the library, which is GENVISA_VERSION of the header that belongs to it.
inline std::string_view version() { return detail::view(genvisa_version()); }

// A template of inline assembly, as genvisa_template. It does not own the texts, which must be valid when it is checked.
struct Template {
    std::string_view text, constraints;
    // The type of each operand in the order of the constraints. A type is unknown if it is empty, or missing at the end.
    std::vector<std::string_view> types;
    // 8, 16 or 32; 0 if it is unknown.
    std::uint32_t lanes = 0;
    // One of platform_names(); empty if it is unknown.
    std::string_view platform;

    // Returns the mistakes in the template.
    std::vector<Finding> check() const {
        std::vector<genvisa_bytes> views;
        for (const auto &type : types) views.push_back(detail::bytes(type));
        const genvisa_template in = {detail::bytes(text), detail::bytes(constraints), views.data(),
                                     views.size(), lanes, detail::bytes(platform)};
        genvisa_findings *findings = nullptr;
        detail::call([&](genvisa_error **error) {
            return genvisa_check_template(&in, &findings, error);
        });
        return detail::take(findings);
    }
};

}  // namespace genvisa

#endif  // GENVISA_HPP
