//! Arrays of integers in C and C++ sources.

use std::ops::Range;

use genvisa_container::{Array, arrays};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Returns the names and values of the lists in a source.
fn lists(source: &str) -> Vec<(&str, Vec<u8>)> {
    let values = arrays(source.as_bytes()).map(|array| {
        (array.name().map_or("", |name| &source[name]), array.value(source.as_bytes()))
    });
    values.collect()
}

#[test]
fn literals_have_their_values() {
    for (literals, value) in [
        ("0x43, 0X7f, 103, 0103, 0b1010, 0B1", &[0x43, 0x7f, 103, 0o103, 10, 1][..]),
        ("0, 00, 1u, 2L, 3ull, 4LLU, 5z, 6uz", &[0, 0, 1, 2, 3, 4, 5, 6]),
        ("1'0, 0b1'1, 0x7'f, 0'17", &[10, 3, 0x7f, 0o17]),
        ("-1, +1, - 128, -/**/2", &[0xff, 1, 0x80, 0xfe]),
        ("(char)0x80, (unsigned char) 1, (std::uint8_t)-1", &[0x80, 1, 0xff]),
        (r"'C', '\x43', '\0', '\101', '\n', '\'', '\\', '\xfF'", b"CC\0A\n'\\\xff"),
        ("',', '}', '{', '\"', '/', u8'a', L'b'", b",}{\"/ab"),
        ("1, // 2, }\n3, /* 4, } // */ 5, // 6 \\\n 7,\n \\\n8,\\\r\n9", &[1, 3, 5, 8, 9]),
        ("255, 256", &[255, 0, 0, 1]),
        ("-129, 1", &[0x7f, 0xff, 1, 0]),
        ("0x41534943, 0", b"CISA\0\0\0\0"),
        ("-2147483649", &[0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff]),
        ("0xffffffffffffffff", &[0xff; 8]),
    ] {
        for end in ["", ",", " ,\n"] {
            let source = format!("x[] = {{{literals}{end}}};");
            assert_eq!(lists(&source), [("x", value.to_vec())], "{source}");
        }
    }
}

#[test]
fn other_lists_are_skipped() {
    for list in [
        "",
        ",",
        "1,,2",
        "1 2",
        "a",
        "1, a",
        "1.0",
        "1.5f",
        ".5",
        "1 + 2",
        "(1)",
        "f(1)",
        "1, \"\"",
        "08",
        "0b2",
        "0x",
        "1uu",
        "1x",
        "0x1e+1",
        "'ab'",
        "''",
        "''1",
        "'\\x100'",
        "'\\400'",
        "'é'",
        "--1",
        "-",
        "(char)",
        "(1)2",
        "18446744073709551616",
        "-9223372036854775809",
        ".x = 1",
        "\n#ifdef A\n1\n#endif\n",
        "[0] = 1",
        "1; 2",
        "~1",
    ] {
        let source = format!("int x[] = {{{list}}}, y[] = {{1}};");
        assert_eq!(lists(&source), [("y", vec![1])], "{source}");
    }
}

#[test]
fn lists_have_the_names_of_their_declarations() {
    for (source, names) in [
        ("const unsigned char name[3] = { 1 };", "name"),
        ("static uint8_t name[] __attribute__((aligned(16))) = {1};", "name"),
        ("__attribute__((section(\"a = {\"))) const char name[SIZE] ALIGNED = {1};", "name"),
        ("alignas(4) [[maybe_unused]] static const char name[] {1};", "name"),
        ("std::array<uint8_t, 3> ns::name{{1}};", "name"),
        ("#include <x.h>\n#error don't\nextern \"C\" { int a[] = {1}, b[2] = {2}; }", "a b"),
        ("int name[2][2] = {{1, 2}, {3, 4}};", "name name"),
        ("void f(int x) { static char name[] = {1}; g({2}); } int b[] = {1};", "name  b"),
        ("K kernels[] = { { \"a\", 3, {1} }, { \"b\", 4, {2} } };", "kernels kernels"),
        ("K k = { .code = {1}, .size = 1, [N] = {2} };", "code N"),
        ("#define NAME { 1, \\\n 2 }", "NAME"),
        ("auto x = (const unsigned char[]){1};", "x"),
        ("return {1};", ""),
    ] {
        let found = lists(source);
        let found: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
        assert_eq!(found.join(" "), names, "{source}");
    }
}

#[test]
fn strings_and_comments_contain_no_lists() {
    let source = r#"
        // int a[] = {1}; \
           int b[] = {2};
        /* int c[] = {3}; */ const char *d = "int e[] = {4}; \" \
        ", *f = "int g[] = {5};
        ; int h[] = {6}; '"' /*/ int i[] = {7}; /*/ int j[] = {8}; /* int k[] = {9};
    "#;
    assert_eq!(lists(source), [("h", vec![6]), ("j", vec![8])]);
}

/// Applies replacements to a source.
fn replaced(source: &str, edits: Vec<(Range<usize>, Vec<u8>)>) -> String {
    let mut text = source.to_string();
    for (range, new) in edits.into_iter().rev() {
        text.replace_range(range, &String::from_utf8(new).expect("UTF-8"));
    }
    text
}

/// Replaces bytes of the value of the only list of a source.
fn with_bytes(source: &str, bytes: Range<usize>, new: &[u8]) -> String {
    let [array] = &arrays(source.as_bytes()).collect::<Vec<Array>>()[..] else {
        panic!("{source}: not one list")
    };
    let edits = array.replace(source.as_bytes(), bytes, new);
    replaced(source, edits)
}

#[test]
fn replaced_literals_keep_their_style() {
    for (old, new, expected) in [
        ("0x43, 0x49", &[5, 0x49][..], "0x05, 0x49"),
        ("0X0a, 0x0", &[0xb, 0xff], "0X0b, 0xff"),
        ("0xAF, 0x00", &[0xaf, 0xbd], "0xAF, 0xBD"),
        ("0x41534943u, 0x0U", &[1, 0, 0, 1, 0xff, 0, 0, 0], "0x01000001u, 0xffU"),
        ("67, 10, 200", &[0, 255, 3], "0, 255, 3"),
        ("0103, 007, 0", &[8, 9, 10], "0010, 011, 10"),
        ("0b01000011, 0b0", &[3, 3], "0b00000011, 0b11"),
        ("1'000, 0xff'fful", &[0xff, 0xff, 1, 0], "65'535, 0x00'01ul"),
        ("-1, 2, - 3, +4", &[1, 0xff, 0xfe, 0x80], "1, -1, - 2, -128"),
        ("(char)0x80, 'C'", &[0x81, b'D'], "(char)0x81, 'D'"),
        (r"'a', 'b', 'c', 'd', 'e'", b"\0\n'\\\xfe", r"'\0', '\n', '\'', '\\', '\xfe'"),
        (r"'\x43', '\103', '\n', u8'a'", b"\xAB\x01?\"", r#"'\xab', '\001', '?', u8'"'"#),
        ("'a', 1000", &[0, 1, 0xe8, 3], "0x100, 1000"),
    ] {
        let source = format!("x[] = {{{old}}};");
        let packed = with_bytes(&source, 0..new.len(), new);
        assert_eq!(packed, format!("x[] = {{{expected}}};"));
        assert_eq!(lists(&packed), [("x", new.to_vec())]);
    }
    assert_eq!(with_bytes("{1, 2, 3, 4, 5}", 1..4, &[9]), "{1, 9, 0, 0, 5}");
    assert_eq!(with_bytes("{0x11223344, 0x55667788}", 3..5, &[1, 2]), "{0x01223344, 0x55667702}");
}

/// An integer, and a literal with this value.
#[derive(Clone, Debug)]
struct Literal {
    value: i128,
    text: String,
}

fn literal(value: i128, [style, width, suffix, prefix]: [usize; 4]) -> Literal {
    let magnitude = value.unsigned_abs();
    let width = width % 12;
    let digits = match style % 8 {
        0 => format!("0x{magnitude:0width$x}"),
        1 => format!("0X{magnitude:0width$X}"),
        2 => format!("0{magnitude:0width$o}"),
        3 => format!("0b{magnitude:0width$b}"),
        4 => match magnitude.to_string() {
            text if text.len() > 3 => format!("{}'{}", &text[..2], &text[2..]),
            text => text,
        },
        5 if (0..=255).contains(&value) => format!("'\\x{value:02x}'"),
        6 if (b'a'.into()..=b'z'.into()).contains(&value) => {
            format!("'{}'", char::from(value as u8))
        }
        _ => magnitude.to_string(),
    };
    let suffix = ["", "u", "L", "ull", "", "", ""][suffix % 7];
    let suffix = if digits.ends_with('\'') { "" } else { suffix };
    let sign = if value < 0 { "-" } else { "" };
    let prefix = ["", "", "", "(char)", "(unsigned long)"][prefix % 5];
    Literal { value, text: format!("{prefix}{sign}{digits}{suffix}") }
}

/// Separates the items of the lists for [`pieces`]. Items do not contain it.
const MARK: &str = "/*#*/";

fn separator() -> impl Strategy<Value = String> {
    const SEPARATORS: [&str; 7] =
        [",", ", ", ",\n\t", " , // 0x43 }\n", ",\\\n", ",/* { ' \" */", "\r\n,"];
    select(&SEPARATORS[..]).prop_map(|separator| format!("{MARK}{separator}"))
}

/// Returns the items of the only list of a source.
fn pieces(source: &str) -> Vec<&str> {
    source.split(MARK).collect()
}

/// A list of literals of 1 to 8 bytes.
fn literals() -> impl Strategy<Value = Vec<(Literal, String)>> {
    (select(&[8, 16, 32, 64][..]), any::<bool>()).prop_flat_map(|(bits, is_signed)| {
        let values = (any::<u64>(), select(&[8, 16, 32, 64][..])).prop_map(move |(value, few)| {
            let value = i128::from(value >> (64 - bits.min(few)));
            match is_signed && value >= 1 << (bits - 1) {
                true => value - (1 << bits),
                false => value,
            }
        });
        let literals = (values, any::<[usize; 4]>()).prop_map(|(value, at)| literal(value, at));
        vec((literals, separator()), 1..40)
    })
}

/// Returns the source of a list.
fn source_of(literals: &[(Literal, String)], ends_with_comma: bool) -> String {
    let mut source = String::from("static const char name[] = {");
    for (index, (literal, separator)) in literals.iter().enumerate() {
        let is_last = index + 1 == literals.len() && !ends_with_comma;
        source += &literal.text;
        source += if is_last { "" } else { separator };
    }
    source + "};\n"
}

/// Returns the value of the list, by the definition: in the least size that all values fit.
fn expected(literals: &[(Literal, String)]) -> (usize, Vec<u8>) {
    let fits = |size: &usize| {
        let bits = 8 * size;
        literals.iter().all(|(it, _)| (-(1 << (bits - 1))..1 << bits).contains(&it.value))
    };
    let size = [1, 2, 4, 8].into_iter().find(fits).expect("they fit 8 bytes");
    let bytes = literals.iter().flat_map(|(it, _)| it.value.to_le_bytes().into_iter().take(size));
    (size, bytes.collect())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_lists_have_their_values(
        all in vec((literals(), any::<bool>()), 1..4),
        between in select(&["", "// {1}\n", "char *s = \"{1}\";\n", "#error don't\n", "{a}\n"][..]),
    ) {
        let sources: Vec<String> = all.iter().map(|(list, comma)| source_of(list, *comma)).collect();
        let source = sources.join(between);
        let found = lists(&source);
        let values: Vec<Vec<u8>> = all.iter().map(|(list, _)| expected(list).1).collect();
        let values: Vec<_> = values.into_iter().map(|value| ("name", value)).collect();
        prop_assert_eq!(found, values, "{}", source);
    }

    #[test]
    fn replacing_bytes_changes_only_their_literals(
        list in literals(),
        comma in any::<bool>(),
        range in any::<[proptest::sample::Index; 2]>(),
        new in vec(any::<u8>(), 0..400),
    ) {
        // A last item keeps the size of the elements if the others become smaller.
        let (element, _) = expected(&list);
        let last = literal((1 << (8 * element)) - 1, [0; 4]);
        let list: Vec<_> = list.into_iter().chain([(last, format!("{MARK},"))]).collect();
        let source = source_of(&list, comma);
        let (_, mut value) = expected(&list);
        let [first, last] = range.map(|index| index.index(value.len() - element + 1));
        let bytes = first.min(last)..first.max(last);
        let new = &new[..new.len().min(bytes.len())];
        let old_value = value.clone();
        value[bytes.clone()].fill(0);
        value[bytes.start..][..new.len()].copy_from_slice(new);

        let array = arrays(source.as_bytes()).next().expect("a list");
        let edits = array.replace(source.as_bytes(), bytes, new);
        let packed = replaced(&source, edits);
        let read = arrays(packed.as_bytes()).next().expect("a list").value(packed.as_bytes());
        prop_assert_eq!(&read, &value, "{}\n{}", source, packed);

        let (old, new) = (pieces(&source), pieces(&packed));
        prop_assert_eq!(old.len(), new.len());
        let same = old_value.chunks(element).zip(value.chunks(element)).map(|(a, b)| a == b);
        for ((old, new), is_same) in old.iter().zip(&new).zip(same) {
            prop_assert_eq!(old == new, is_same, "{} and {}", old, new);
        }
    }

    #[test]
    fn any_text_can_be_read(source in "[{}()\\[\\]'\"0-9a-fxuL,;=#/*\\\\\n \u{e9}-]{0,200}") {
        lists(&source);
    }
}

/// In a quadratic search, each of these texts would take minutes.
#[test]
fn hostile_text_takes_linear_time() {
    let size = 1 << 18;
    for part in [
        "{", "}", "{}", "{1", "{1,", "{-", "{(", "{(a", "(", ")", "[", "=", "a=", "a[", ",", ";",
        "/*", "*/", "*", "//", "\\", "\\\n", "\"", "\\\"", "'", "\\'", "''", "'a", "1", "1'",
        "0e+", "0x", "a", "u8'", "R\"(", "#", "a(", "{1}", "{{1},", "\u{e9}", "/", "{/*", "{'\\x",
    ] {
        let text = part.repeat(size / part.len());
        for source in [text.clone(), format!("{{{text}"), format!("{text}}}")] {
            let found: usize = lists(&source).iter().map(|(_, bytes)| bytes.len()).sum();
            assert!(found <= source.len(), "{part}");
        }
        assert!(lists(&format!("/**/{text}\n*/\n}};x[]={{7}};")).len() <= size, "{part}");
    }
    let numbers = "1,".repeat(size);
    assert_eq!(lists(&format!("{{{numbers}}}")), [("", vec![1; size])]);
    assert_eq!(lists(&format!("{{{numbers}")), []);
}
