//! Keys of the properties of declarations, such as `num_elts`.

/// A key, without `=`.
pub(in crate::text) struct Key {
    pub(in crate::text) word: &'static str,
    pub(in crate::text) meaning: &'static str,
}

macro_rules! keys {
    ($($name:ident $word:literal: $meaning:literal,)*) => {
        impl Key {
            $(pub(in crate::text) const $name: Key = Key { word: $word, meaning: $meaning };)*
        }
    };
}

keys! {
    V_TYPE "v_type": "The class: general variable (G), address (A), predicate (P), sampler (S) or surface (T).",
    TYPE "type": "The type of the elements.",
    NUM_ELTS "num_elts": "The number of elements; of a predicate, the number of lanes.",
    ALIGN "align": "The alignment in the register file. GRF is the size of a register.",
    ALIAS "alias": "The variable that this one shares registers with, and the offset in bytes where it starts.",
    ATTRS "attrs": "The attributes.",
    V_NAME "v_name": "The name in the file, if it differs from the name in this text.",
    OFFSET "offset": "The offset in the registers that the kernel starts with, in bytes.",
    SIZE "size": "The size in bytes.",
}
