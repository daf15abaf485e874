//! Rules for the sizes of tables and of their entries.

use crate::object::{Body, Code, SimpleVariable};
use crate::verify::field::Field;
use crate::verify::rule::rules;

/// A routine's tables.
pub(super) struct TableSizes<'b> {
    pub(super) body: &'b Body<'b>,
    /// The number of inputs.
    pub(super) inputs: usize,
}

/// The sizes of a function's arguments and result, in registers.
pub(super) struct FunctionSizes {
    pub(super) input: u8,
    pub(super) result: u8,
}

rules! { counts for TableSizes<'_>;
    /// The string pool has 1 to 131072 strings.
    fn strings "string-count" (Accepts, ANY, "4_visa_header, Kernel") |t, c| {
        let count = t.body.strings.len();
        let is_stripped = matches!(t.body.code, Code::Stripped { .. });
        if count > 131_072 || count == 0 && !is_stripped {
            c.fail(Field::of_declaration("string_count"), count, "1 to 131072");
        }
    }

    /// A kernel has at most 256 inputs.
    fn inputs "input-count" (Accepts, ANY, "4_visa_header, Input Variables") |t, c| {
        if t.inputs > 256 {
            c.fail(Field::of_declaration("input_count"), t.inputs, "at most 256");
        }
    }

    /// A routine has at most 65536 variables, 4096 addresses, 4095 predicates, 31 samplers and 250
    /// surfaces, whose ids are bytes.
    fn entries "counts" (Refuses, ANY, "4_visa_header, Kernel") |t, c| {
        let tables = [
            ("variable_count", t.body.variables.len(), 65_536),
            ("address_count", t.body.addresses.len(), 4096),
            ("predicate_count", t.body.predicates.len(), 4095),
            ("sampler_count", t.body.samplers.len(), 31),
            ("surface_count", t.body.surfaces.len(), 250),
        ];
        for (field, count, most) in tables {
            if count > most {
                c.fail(Field::of_declaration(field), count, format_args!("at most {most}"));
            }
        }
    }
}

rules! { function for FunctionSizes;
    /// The arguments of a function have at most 32 registers, its result at most 12.
    fn sizes "function-sizes" (Accepts, ANY, "4_visa_header, Function") |s, c| {
        if s.input > 32 {
            c.fail(Field::of_declaration("input_size"), s.input, "at most 32 registers");
        }
        if s.result > 12 {
            c.fail(Field::of_declaration("return_value_size"), s.result, "at most 12 registers");
        }
    }
}

rules! { addresses for SimpleVariable;
    /// An address variable has 1 to 16 elements, from Xe3 on at least 1.
    fn elements "addr-elements" (Refuses, ANY, "4_visa_header, Address Variables") |v, c| {
        if v.num_elements == 0 || v.num_elements > 16 && !c.is_on(since(Xe3)) {
            c.fail(Field::of_declaration("num_elements"), v.num_elements, "1 to 16");
        }
    }
}

rules! { predicates for SimpleVariable;
    /// A predicate has 1, 2, 4, 8, 16 or 32 elements.
    fn elements "pred-elements" (Refuses, ANY, "4_visa_header, Predicate Variables") |v, c| {
        if !v.num_elements.is_power_of_two() || v.num_elements > 32 {
            c.fail(Field::of_declaration("num_elements"), v.num_elements, "1, 2, 4, 8, 16 or 32");
        }
    }
}

rules! { samplers for SimpleVariable;
    /// A sampler has at most 128 elements.
    fn elements "sampler-elements" (Refuses, ANY, "IGC") |v, c| {
        if v.num_elements > 128 {
            c.fail(Field::of_declaration("num_elements"), v.num_elements, "at most 128");
        }
    }
}

rules! { surfaces for SimpleVariable;
    /// A surface has at most 128 elements.
    fn elements "surface-elements" (Accepts, ANY, "IGC") |v, c| {
        if v.num_elements > 128 {
            c.fail(Field::of_declaration("num_elements"), v.num_elements, "at most 128");
        }
    }
}
