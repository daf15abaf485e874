// The C++17 interface of genvisa: a layer over genvisa.h, in this header only.
//
// Objects own what they refer to. Views of text are valid as long as the object that returned them, unless
// the function says otherwise. Functions throw genvisa::Error.
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
    // The path to the wrong field; empty if there is none.
    const std::string &path() const { return path_; }
    // The offset in the file of what is wrong.
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

// Calls a function with a place for its error. Returns whether there is a next element.
template <typename Function>
bool call(Function function) {
    genvisa_error *error = nullptr;
    const genvisa_status status = function(&error);
    const Handle<genvisa_error, genvisa_error_free> owner(error);
    if (status == GENVISA_OK || status == GENVISA_END) return status == GENVISA_OK;
    if (error) throw Error(genvisa_error_get(error));
    genvisa_error_info info = genvisa_error_get(nullptr);
    info.status = status;
    throw Error(info);
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

// An instruction. The views are valid as long as the decoder.
struct Instruction {
    // The offset in the file.
    std::size_t offset;
    std::string_view bytes;
    // The opcode (genvisa_opcode).
    std::uint8_t opcode;

    std::string_view mnemonic() const { return detail::view(genvisa_mnemonic(opcode)); }
};

// A field of an instruction.
struct Field {
    std::string name, value, meaning;
    // The offset in the file of the integer that contains the field.
    std::size_t offset;
    // The number of fields that contain it.
    std::size_t depth;
};

// A binary format: a dialect, and a version. It is the default format if it is not changed.
struct Format {
    // "manual", "igc2022" or "igc2026".
    std::string dialect;
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

// Returns the bytes of an instruction in a format: `encode(genvisa_media_ld{...}, format)`.
template <typename T>
std::string encode(const T &instruction, const Format &format = {}) {
    genvisa_buffer *out = nullptr;
    detail::call([&](genvisa_error **error) {
        return detail::Struct<T>::encode(&instruction, detail::format(format), &out, error);
    });
    return detail::take(out);
}

// Returns the struct of an instruction: `decode<genvisa_media_ld>(bytes, format)`. Other bytes are an error.
template <typename T>
T decode(std::string_view bytes, const Format &format = {}) {
    T out;
    detail::call([&](genvisa_error **error) {
        return detail::Struct<T>::decode(detail::bytes(bytes), detail::format(format), &out, error);
    });
    return out;
}

// Decodes the instructions of a routine in their order: `for (auto &instruction : decoder)`.
//
// Only one thread may use a decoder at a time. It keeps its module alive.
class Decoder {
   public:
    using iterator = detail::Iterator<Decoder, Instruction>;

    Decoder(genvisa_decoder *handle, Format format) : handle_(handle), format_(std::move(format)) {}

    // Decodes the next instruction; returns nothing at the end.
    std::optional<Instruction> next() {
        genvisa_instruction out;
        const auto next = [&](genvisa_error **error) {
            return genvisa_decoder_next(handle_.get(), &out, error);
        };
        if (!detail::call(next)) return std::nullopt;
        return Instruction{out.offset, detail::view(out.bytes), out.opcode};
    }

    iterator begin() { return iterator(this); }
    iterator end() { return iterator(); }

    // Returns the struct of an instruction: `decoder.as<genvisa_media_ld>(instruction)`; nothing for an
    // instruction with another opcode.
    template <typename T>
    std::optional<T> as(const Instruction &instruction) const {
        if (instruction.opcode != detail::Struct<T>::opcode) return std::nullopt;
        return genvisa::decode<T>(instruction.bytes, format_);
    }

    // Returns the text of an instruction of this decoder, in ids instead of names.
    std::string text(const Instruction &instruction) {
        const auto in = of(instruction);
        return std::string(detail::view(genvisa_decoder_text(handle_.get(), &in)));
    }

    // Returns the fields of an instruction of this decoder.
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
    static genvisa_instruction of(const Instruction &instruction) {
        return {instruction.offset, detail::bytes(instruction.bytes), instruction.opcode};
    }

    detail::Handle<genvisa_decoder, genvisa_decoder_free> handle_;
    Format format_;
};

// A broken rule.
struct Finding {
    std::string rule;
    // The address of the page about the rule; empty if there is none.
    std::string url;
    std::string message;
    bool is_error;
    std::optional<std::size_t> routine, instruction;
    // The place in the text, from 1; 0 if there is none.
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

// A kernel or a function.
struct Routine {
    // It is valid as long as the module.
    std::string_view name;
    bool is_kernel;
    // The number of bytes of its code.
    std::size_t code_size;
};

// A .isa file, or the module that a text describes. Several threads may use a module at the same time.
class Module {
   public:
    // Reads a .isa file.
    static Module read(std::string_view file, std::string_view dialect = {}) {
        genvisa_module *handle = nullptr;
        detail::call([&](genvisa_error **error) {
            return genvisa_module_read(detail::bytes(file), detail::bytes(dialect), &handle, error);
        });
        return Module(handle);
    }

    // Parses a .visaasm text.
    static Module parse(std::string_view text, std::string_view dialect = {}) {
        genvisa_module *handle = nullptr;
        detail::call([&](genvisa_error **error) {
            return genvisa_module_parse(detail::bytes(text), detail::bytes(dialect), &handle, error);
        });
        return Module(handle);
    }

    // Returns the routines: kernels, then functions.
    std::vector<Routine> routines() const {
        std::vector<Routine> routines;
        genvisa_routine out;
        for (std::size_t i = 0; genvisa_module_routine(handle_.get(), i, &out) == GENVISA_OK; i++) {
            routines.push_back({detail::view(out.name), out.is_kernel, out.code_size});
        }
        return routines;
    }

    // Decodes a routine by its number, which is less than that of the routines.
    Decoder decode(std::size_t routine) const {
        genvisa_decoder *decoder = nullptr;
        const auto create = [&](genvisa_error **error) {
            return genvisa_decoder_new(handle_.get(), routine, &decoder, error);
        };
        if (!detail::call(create)) throw std::out_of_range("genvisa: there is no such routine");
        return Decoder(decoder, format());
    }

    // Returns the format of the instructions.
    Format format() const {
        const genvisa_format format = genvisa_module_format(handle_.get());
        return {std::string(detail::view(format.dialect)), format.major, format.minor};
    }

    // Returns the number of a variable or label of a routine by its name; nothing if there is none.
    // `letter` is the letter of its kind in a text: V, A, P, S, T or L.
    std::optional<std::uint32_t> find(std::size_t routine, char letter, std::string_view name) const {
        std::uint32_t id = 0;
        const auto find = [&](genvisa_error **error) {
            return genvisa_module_find(handle_.get(), routine, letter, detail::bytes(name), &id, error);
        };
        return detail::call(find) ? std::optional(id) : std::nullopt;
    }

    // Returns a copy with other code in a routine: the bytes of instructions in the format of the module.
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

    // Returns the text.
    std::string print(bool reference = false) const {
        genvisa_buffer *text = nullptr;
        detail::call([&](genvisa_error **error) {
            return genvisa_module_print(handle_.get(), reference, &text, error);
        });
        return detail::take(text);
    }

    // Returns the broken rules, for a platform or a device such as "bmg".
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

// A template of inline assembly, as a frontend gives it to LLVM.
struct Template {
    std::string_view text, constraints;
    // The types of the operands in LLVM IR; an empty one is unknown, and so are others.
    std::vector<std::string_view> types;
    // 8, 16 or 32; 0 if it is unknown.
    std::uint32_t lanes = 0;
    // A platform or a device, such as "bmg".
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
