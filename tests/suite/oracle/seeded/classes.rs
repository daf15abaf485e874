//! The classes of texts that only the compiler or only this crate rejects, with their reasons.

use genvisa_test_support::same_code::Classes;

pub const LINES: Classes = Classes {
    compiler_rejects: &[
        ("signal: 11", "the compiler crashes"),
        ("signal: 6", "the compiler crashes"),
        ("still running", "the compiler hangs"),
        ("Spill memory used", "the compiler has too few registers"),
        ("no message", "the compiler ends without a message"),
        ("Paired surface can not be defined", "older platforms have no paired surfaces"),
        ("only supports 16", "the verifier has no rule for atomics of 64 bits"),
        ("saturation is not supported on this op", "the manual allows saturation"),
        ("unexpected SAT", "the manual allows saturation"),
        ("uses undeclared sampler", "the manual allows sampler 31"),
        ("wrong type of src0", "source 0 of LINE is not a constant"),
        (":vf datatype is not supported", "the manual allows packed floats"),
        ("Only arithmetic modifiers should be used", "BFN does not saturate"),
        ("%null must have 0 as offset", "the offset of the null variable has no meaning"),
        ("undefined surface variable", "text before 4.2 may contain all predefined surfaces"),
        ("unexpected LPAREN, expecting DOT", "text before 4.2 may have fewer numbers in sends"),
        ("expecting end of file", "the compiler does not read all operands that it writes"),
        ("unexpected IDENT\n", "this crate accepts blanks before a label"),
        ("expecting DEC_LIT", "this crate accepts both bases of numbers"),
        ("expecting HEX_LIT", "this crate accepts both bases of numbers"),
        ("unexpected HEX_LIT", "this crate accepts both bases of numbers"),
        ("expecting ITYPE or VTYPE", "this crate accepts both bases of numbers"),
    ],
    crate_rejects: &[
        ("dialect igc2022, version 4.1", "text of 4.1 is that of the reader of 2022"),
        ("is specified more than once", "the compiler ignores a repeated word"),
        ("expected a number of owords", "the compiler ignores the mask"),
        ("expected the end of the line", "the compiler ignores operands without a word for them"),
        ("expected `(`", "the compiler has a default execution size"),
        ("expected `start` or `end`", "the compiler divides `lifetime.endV`"),
        ("expected an integer", "the compiler has a default plane"),
        ("expected a block size", "the compiler ignores other block sizes"),
        ("is out of range for", "the compiler truncates numbers silently"),
        ("expected a general variable, found sampler", "the compiler confuses the tables"),
    ],
};
