//! The bytes of the file that the bytes of templates are written as.

use super::*;

#[test]
fn maps_adjacent_literals() {
    let source =
        "asm(\"(M1\\n\" // first\n    \"\\t@1 x\\n\"\n  /* @0 */ u8\"@2\"\"@3\" : \"=rw\"(x));";
    let found = find_c(source);
    let block = only_block(&found);
    assert_eq!(template(block), "(M1\n\t@1 x\n@2@3");
    assert_eq!(place(source, block, "(M1"), (1, 6));
    assert_eq!(place(source, block, "\n\t"), (1, 9));
    assert_eq!(place(source, block, "@1"), (2, 8));
    assert_eq!(place(source, block, "@2"), (3, 15));
    assert_eq!(place(source, block, "@3"), (3, 19));
    assert_eq!(written(source, block, "\n\t@1"), ["\\n", "\\t", "@", "1"]);
}

#[test]
fn maps_escapes() {
    let source = r#"asm("(M1\"\\\'\x41@\101b\0\r\a\?\u00e9@2\U0001F600%%0" :);"#;
    let found = find_c(source);
    let block = only_block(&found);
    assert_eq!(template(block), "(M1\"\\'A@Ab\0\r\u{7}?é@2😀%%0");
    let expected = ["\\\"", "\\\\", "\\'", "\\x41", "@", "\\101", "b", "\\0", "\\r", "\\a", "\\?"];
    assert_eq!(written(source, block, "\"\\'A@Ab\0\r\u{7}?"), expected);
    assert_eq!(written(source, block, "é@"), ["\\u00e9", "\\u00e9", "@"]);
    assert_eq!(written(source, block, "😀"), ["\\U0001F600"; 4]);
    assert_eq!(written(source, block, "%%0"), ["%", "%", "0"]);
    assert_eq!(place(source, block, "@2"), (1, 39));
}

#[test]
fn maps_raw_literals() {
    let source = "asm(R\"x(\n(M1 \\n @1)\" \")x\" \"@2\" LR\"(\r\n@3\\\n@4)\" : \"=rw\"(x));";
    let found = find_c(source);
    let block = only_block(&found);
    assert_eq!(template(block), "\n(M1 \\n @1)\" \"@2\n@3\\\n@4");
    assert_eq!(place(source, block, "@1"), (2, 8));
    assert_eq!(place(source, block, "@2"), (2, 19));
    assert_eq!(written(source, block, "\n@3"), ["\r\n", "@", "3"]);
    assert_eq!(written(source, block, "\\\n@4"), ["\\", "\n", "@", "4"]);
    assert_eq!(place(source, block, "@4"), (4, 1));
}

#[test]
fn maps_spliced_lines() {
    for (newline, line_end) in [("\n", "\\\n"), ("\r\n", "\\\r\n"), ("\n", "\\ \t\n")] {
        let source =
            format!("asm({newline}  \"(M1 @{line_end}1 \\{line_end}n@2\"{line_end}\"@3\" :);");
        let found = find_c(&source);
        let block = only_block(&found);
        assert_eq!(template(block), "(M1 @1 \n@2@3");
        assert_eq!(written(&source, block, "@1"), ["@", "1"]);
        assert_eq!(place(&source, block, "@1"), (2, 8));
        assert_eq!(place(&source, block, "1 \n"), (3, 1));
        assert_eq!(written(&source, block, "\n@2"), [&format!("\\{line_end}n"), "@", "2"]);
        assert_eq!(place(&source, block, "@2"), (4, 2));
        assert_eq!(place(&source, block, "@3"), (5, 2));
    }
}

#[test]
fn maps_constraints_and_clobbers() {
    let source = "asm(\"(M1\"\n  : [x] \"=\" \"rw\" (x)\n  : \"rw\"(y), \"\"(z) : \"mem\\x6fry\");";
    let found = find_c(source);
    let block = only_block(&found);
    let texts: Vec<&str> =
        block.constraint_spans.iter().map(|span| &source[span.clone()]).collect();
    assert_eq!(texts, ["=\" \"rw", "rw", "\"\""]);
    assert_eq!(&source[block.clobber_spans[0].clone()], "mem\\x6fry");
    assert_eq!(statement(block).clobbers, ["memory"]);
    assert_eq!(statement(block).operands[0].name.as_deref(), Some("x"));
}

/// The pieces of literals: their text and their value.
const PIECES: [(&str, &[u8]); 14] = [
    ("a", b"a"),
    ("%%", b"%%"),
    ("(M1", b"(M1"),
    (" ", b" "),
    ("\\n", b"\n"),
    ("\\\\", b"\\"),
    ("\\\"", b"\""),
    ("\\t", b"\t"),
    ("\\x9z", b"\x09z"),
    ("\\18", b"\x018"),
    ("\\u0041", b"A"),
    ("\\\n", b""),
    ("/*", b"/*"),
    ("é", "é".as_bytes()),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn maps_bytes_to_the_pieces_of_a_literal(literals in vec(vec(0..PIECES.len(), 0..6), 1..5)) {
        let mut source = "asm(\".decl\"".to_owned();
        let mut value = b".decl".to_vec();
        let mut starts: Vec<usize> = (5..10).collect();
        for literal in literals {
            source += " \"";
            for piece in literal {
                let (text, bytes) = PIECES[piece];
                let is_escape = text.starts_with('\\');
                for index in 0..bytes.len() {
                    let last = text.len() - (bytes.len() - 1);
                    let first = if is_escape && index > 0 { last + index - 1 } else { index };
                    starts.push(source.len() + first);
                }
                source += text;
                value.extend(bytes);
            }
            source += "\"";
        }
        source += " : );";
        let found = find_c(&source);
        let block = only_block(&found);
        prop_assert_eq!(&statement(block).template, &value);
        let found: Vec<usize> = block.template_map.iter().map(|range| range.start as usize).collect();
        prop_assert_eq!(found, starts);
    }
}
