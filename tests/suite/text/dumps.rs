//! Texts in the output of compilers.

use std::fs;
use std::iter;
use std::ops::Range;

use genvisa::Format;
use genvisa::text::{parse, split_dump};
use genvisa_test_support::random::{cases, seed};
use genvisa_test_support::rng::Rng;
use genvisa_test_support::{corpus, repository};

const OPTIONS: &str = "//Platform: XE2\n//Build option: \"-output -GRFBumpUpNumber 2 \"";

/// Returns texts of this repository and of the corpus, also with errors, as compilers print them.
fn texts() -> Vec<String> {
    let folders = ["tests/data", "tests/data/wrong"].map(repository);
    let mut files: Vec<_> = folders.iter().flat_map(|folder| corpus::texts_under(folder)).collect();
    files.extend(corpus::some_texts());
    files.sort();
    files.dedup();
    let texts = files.into_iter().map(|file| fs::read_to_string(file).expect("a text"));
    texts.filter(|text| text.contains("\n.version") || text.starts_with(".version")).collect()
}

/// Returns the span of a whole source.
fn whole(source: &str) -> Vec<Range<usize>> {
    iter::once(0..source.len()).collect()
}

fn with_options(text: &str) -> String {
    let text = text.trim_end();
    let has_options =
        text.rsplit('\n').next().is_some_and(|line| line.starts_with("//Build option: \""));
    if has_options { text.into() } else { format!("{text}\n\n{OPTIONS}") }
}

/// What a compiler prints before the first text, and between and after the texts.
const BEFORE: [&str; 4] = [
    "",
    "Compilation from IR - skipping loading of FCL\n",
    "\n",
    "------------\nVC_asm0_inline_asm_text.visaasm\n------------\n",
];
const AFTER: [&str; 6] = [
    "",
    "\n",
    "\r\n\n",
    "Build succeeded for : bmg.\n",
    "Build succeeded.\nBuild succeeded for : bmg.\n",
    "1:1:2: warning: hello\n#warning hello\n ^\n\nBuild succeeded.\n",
];

#[test]
fn dumps_are_split_into_their_texts() {
    let texts = texts();
    for number in 0..cases(200) {
        let mut rng = Rng::new(seed(), number);
        let mut dump = rng.pick(&BEFORE).to_owned();
        let mut expected = Vec::new();
        let count = 2 + rng.below(3);
        for _ in 0..count {
            let text = with_options(&texts[rng.below(texts.len())]);
            // Only a text that begins with `.version` can follow in the same line.
            if !text.starts_with(".version") && !dump.is_empty() && !dump.ends_with('\n') {
                dump.push('\n');
            }
            dump += &text;
            dump += rng.pick(&AFTER);
            expected.push(text);
        }
        let found: Vec<&str> = split_dump(&dump).into_iter().map(|span| &dump[span]).collect();
        let found: Vec<&str> = found.into_iter().map(str::trim).collect();
        let expected: Vec<&str> = expected.iter().map(|text| text.trim()).collect();
        assert!(found == expected, "{number}: {dump}");
    }
}

#[test]
fn a_text_is_not_split() {
    for text in texts() {
        for text in [with_options(&text), text] {
            assert_eq!(split_dump(&text), whole(&text), "{text}");
            let lines = text.replace('\n', "\r\n");
            assert_eq!(split_dump(&lines), whole(&lines), "{text}");
        }
    }
}

#[test]
fn one_text_is_found_between_messages() {
    let text = with_options(".version 4.2\n.kernel \"k\"\n    ret (M1, 1)\n");
    for before in &BEFORE[1..] {
        for after in AFTER {
            let output = [before, &*text, after].concat();
            let [span] = &split_dump(&output)[..] else { panic!("{output}") };
            assert_eq!(output[span.clone()].trim(), text.trim(), "{output}");
        }
    }
    // Without the options, the title shows that it is the output of a compiler.
    let text = ".version 4.2\n.kernel \"k\"\n    ret (M1, 1)\n.kernel_attr SimdSize=8\n";
    let output = [BEFORE[3], text].concat();
    let [span] = &split_dump(&output)[..] else { panic!("{output}") };
    assert_eq!(&output[span.clone()], text);
}

/// A statement is always in a text, so that its errors are reported.
#[test]
fn no_statement_is_a_message() {
    let text = with_options(".version 4.2\n.kernel \"k\"\n    ret (M1, 1)\n");
    let statements = [
        "    mov (M1, 1) V32(0,0)<1> 0x1:d",
        "mov (M1, 1) V32(0,0)<1> 0x1:d",
        "(P1) lsc_fence.ugm.none.gpu",
        "lsc_store.ugm (M1, 1) flat[V32]:a64 V33:d32",
        ".decl V32 v_type=G type=d num_elts=8 align=GRF",
        ".kernel \"l\"",
        "label:",
    ];
    for statement in statements {
        for output in [format!("{statement}\n{text}"), format!("{text}\n{statement}\n")] {
            assert_eq!(split_dump(&output), whole(&output), "{output}");
            let messages = format!("{output}\nBuild succeeded.\n");
            assert!(split_dump(&messages)[0].contains(&messages.find(statement).expect("it")));
        }
    }
    // Words in a text without options are errors, too.
    for source in ["words\n.version 3.6\n.kernel \"k\"\n", ".version 3.6\nwords\n", "words\n", ""] {
        assert_eq!(split_dump(source), whole(source), "{source}");
        assert!(parse(source, Format::default()).is_err());
    }
}
