//! The words of annotations, `//@` comments.

/// The items of an annotation at the end of a line.
pub(in crate::text) mod item {
    /// `name=5`: the index of the name in the string pool.
    pub const NAME: &str = "name";
    /// `body_name=5`: the index of the name in the tables of a routine, if it differs from the name
    /// in the header.
    pub const BODY_NAME: &str = "body_name";
    /// `attribute=5`: the index of the name of an attribute in this line.
    pub const ATTRIBUTE: &str = "attribute";
    /// `alias=<x, 4>` or `alias=<#40, 4>`: the variable that this one is an alias of.
    pub const ALIAS: &str = "alias";
    /// `scope=1`: the scope that the alias is looked up in.
    pub const SCOPE: &str = "scope";
    /// `align=12`: the code of an alignment without a name.
    pub const ALIGN: &str = "align";
    /// `stack=2:1`: the sizes of a function's arguments and result.
    pub const STACK: &str = "stack";
    /// `linkage=1`: the linkage of a function.
    pub const LINKAGE: &str = "linkage";
    /// `stripped=1000:200`: the size and the entry of a kernel without code.
    pub const STRIPPED: &str = "stripped";
    /// `paired`: the operand after the destination of a sampler message is the paired surface.
    pub const PAIRED: &str = "paired";
    /// `again`: an earlier routine has the same name.
    pub const AGAIN: &str = "again";
    /// `kind=0:4`: a label has the second kind, and the first would follow from the text.
    pub const KIND: &str = "kind";
    /// `undefined`: a label is in the table, but not defined in the text.
    pub const UNDEFINED: &str = "undefined";
    /// `attrs={A}`: the attributes of a label.
    pub const ATTRS: &str = "attrs";
    /// `at=2`: the index of a function that is defined in another file.
    pub const AT: &str = "at";
}

/// The first words of annotations that are lines of their own.
pub(in crate::text) mod line {
    /// The string pool.
    pub const STRINGS: &str = "strings";
    /// Names such as `V33` are not in the pool.
    pub const UNNAMED: &str = "unnamed";
    /// The labels in the order of their ids.
    pub const LABELS: &str = "labels";
    /// The items of a label.
    pub const LABEL: &str = "label";
    /// An input whose variable is not declared.
    pub const INPUT: &str = "input";
    /// References to variables or functions of the file.
    pub const RELOCS: &str = "relocs";
    /// A function that is defined in another file.
    pub const EXTERN: &str = "extern";
    /// A variable of the file.
    pub const FILE_VARIABLE: &str = "file_variable";
    /// The order of sections and padding.
    pub const SECTIONS: &str = "sections";
    /// There are no routines.
    pub const NO_ROUTINES: &str = "no_routines";

    /// The annotations of a routine.
    pub const OF_ROUTINES: [&str; 6] = [STRINGS, UNNAMED, LABELS, LABEL, INPUT, RELOCS];
    /// The annotations of the file.
    pub const OF_FILES: [&str; 4] = [EXTERN, FILE_VARIABLE, SECTIONS, NO_ROUTINES];
}
