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
    std::size_t index;
    // The offset in the file.
    std::size_t offset;
    std::string_view bytes;
    std::string_view mnemonic;
    std::uint8_t opcode;
};

// A field of an instruction.
struct Field {
    std::string name, value, meaning;
    // The offset in the file of the integer that contains the field.
    std::size_t offset;
    // The number of fields that contain it.
    std::size_t depth;
};

// Decodes the instructions of a routine in their order: `for (auto &instruction : decoder)`.
//
// Only one thread may use a decoder at a time. It keeps its module alive.
class Decoder {
   public:
    using iterator = detail::Iterator<Decoder, Instruction>;

    explicit Decoder(genvisa_decoder *handle) : handle_(handle) {}

    // Decodes the next instruction; returns nothing at the end.
    std::optional<Instruction> next() {
        genvisa_instruction out;
        const auto next = [&](genvisa_error **error) {
            return genvisa_decoder_next(handle_.get(), &out, error);
        };
        if (!detail::call(next)) return std::nullopt;
        return Instruction{out.index, out.offset, detail::view(out.bytes), detail::view(out.mnemonic),
                           out.opcode};
    }

    iterator begin() { return iterator(this); }
    iterator end() { return iterator(); }

    // Returns the text of the current instruction, in ids instead of names.
    std::string text() { return std::string(detail::view(genvisa_decoder_text(handle_.get()))); }

    // Returns the fields of the current instruction.
    std::vector<Field> fields() {
        std::vector<Field> fields;
        const std::size_t count = genvisa_decoder_fields(handle_.get());
        for (std::size_t number = 0; number < count; number++) {
            genvisa_field out;
            if (genvisa_decoder_field(handle_.get(), number, &out) != GENVISA_OK) break;
            fields.push_back({std::string(detail::view(out.name)), std::string(detail::view(out.value)),
                              std::string(detail::view(out.meaning)), out.offset, out.depth});
        }
        return fields;
    }

   private:
    detail::Handle<genvisa_decoder, genvisa_decoder_free> handle_;
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
        return Decoder(decoder);
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
