//! Texts in which some routines have errors.

use std::collections::BTreeSet;

use genvisa::object::{Routine, RoutineKind};
use genvisa::strategy::Generate;
use genvisa::text::{Diagnostic, Document, FileListing, SourceMap};
use genvisa::{Format, Module};
use proptest::strategy::{Strategy, ValueTree};

use genvisa_test_support::formats;
use genvisa_test_support::random::{cases, runner, seed};
use genvisa_test_support::rng::Rng;

fn read(source: &str) -> Document {
    read_in(source, Format::default())
}

fn read_in(source: &str, format: Format) -> Document {
    let document = Document::parse(source, format);
    assert!(
        document.is_readable,
        "{}
{source}",
        document.errors
    );
    document
}

/// Returns the names of the routines in the module, and those of the omitted ones with whether they
/// have errors.
fn names(partial: &Document) -> (Vec<String>, Vec<(Option<String>, bool)>) {
    let names = partial.module.routines().map(|routine| routine.name.to_string()).collect();
    let omitted = partial
        .omitted
        .iter()
        .map(|routine| (routine.name.as_ref().map(ToString::to_string), routine.has_errors));
    (names, omitted.collect())
}

/// Checks the names of the routines in the module, and of those with errors.
#[track_caller]
fn check(source: &str, expected: &[&str], wrong: &[Option<&str>]) -> Document {
    let partial = read(source);
    check_agrees(source, Format::default(), &partial);
    let wrong = wrong.iter().map(|name| (name.map(String::from), true)).collect();
    let expected = expected.iter().map(ToString::to_string).collect();
    assert_eq!(names(&partial), (expected, wrong), "{}\n{source}", partial.errors);
    partial
}

/// Checks that `assemble` returns the same module, or the first hundred of the same errors, and that
/// the errors are in the omitted routines.
#[track_caller]
fn check_agrees(source: &str, format: Format, partial: &Document) {
    let sort = |diagnostics: Vec<&Diagnostic>| {
        let mut all: Vec<_> =
            diagnostics.iter().map(|it| (it.span.start, it.span.end, it.to_string())).collect();
        all.sort();
        all
    };
    let expected = sort(partial.errors.iter().chain(&partial.duplicates).collect());
    match Document::parse(source, format).into_result() {
        Ok(assembly) => {
            assert_eq!(expected, [], "{source}");
            assert_eq!(assembly.module, partial.module);
            assert_eq!(assembly.source_map, partial.source_map);
            assert_eq!(assembly.warnings, partial.warnings);
            assert_eq!(partial.omitted, []);
        }
        Err(errors) => {
            assert_eq!(errors.len(), expected.len().min(100), "{source}");
            let errors = sort(errors.iter().collect());
            assert!(errors.iter().all(|error| expected.contains(error)), "{errors:?}\n{source}");
        }
    }
    let mut end = 0;
    for routine in &partial.omitted {
        assert!(routine.span.start >= end && routine.span.end <= source.len(), "{routine:?}");
        end = routine.span.end;
    }
    for error in &partial.errors {
        let is_in = partial.omitted.iter().any(|routine| {
            let span = &routine.span;
            routine.has_errors && span.start <= error.span.start && error.span.end <= span.end
        });
        assert!(is_in, "{error:#}\n{:?}\n{source}", partial.omitted);
    }
}

#[test]
fn routines_without_errors_are_read() {
    let a = ".version 3.6\n.kernel \"a\"\n    ret (M1, 1)\n";
    let b = a.replace("\"a\"", "\"b\"");
    for wrong in [
        // In the body.
        ".version 3.6\n.kernel \"x\"\n    movv (M1, 1)\n",
        ".version 3.6\n.kernel \"x\"\n    jmp (M1, 1) nowhere\n",
        ".version 3.6\n.kernel \"x\"\n{\n",
        ".version 3.6\n.kernel \"x\"\n}\n",
        ".version 3.6\n.kernel \"x\"\n.function \"f\"\n.function \"f\"\n",
        ".version 3.6\n.kernel \"x\"\n//@ strings x\n",
        ".version 3.6\n.kernel \"x\"\n//@ no_routines\n",
        ".version 3.6\n.kernel \"x\"\n//@ relocs function 0:0=\"f\"\n",
        ".version 3.6\n.kernel \"x\"\n    FILE \"\n",
        ".version 3.6\n.kernel \"x\"\n/*\n    ret (M1, 1)\n",
        ".version 3.6\n.kernel \"x\"\n    ret /*\n    ret (M1, 1)\n",
        ".version 3.6\n.kernel \"x\"\n    ret (M1, 1) \\\n",
        ".version 3.6\n.kernel \"x\"\n    ret (M1, \\\r\n",
        ".version 3.6\n.kernel \"x\"\n    FILE \"//\" \\\n",
        ".version 3.6\n.kernel \"x\"\n//@ labels \\\n",
        // In the first lines.
        ".version 3.6\n.kernel \"x\" y\n    ret (M1, 1)\n",
        ".version 3.6\n.kernel \"x\" //@ name=\n    ret (M1, 1)\n",
        ".version 3.6 7\n.kernel \"x\"\n    ret (M1, 1)\n",
        ".version 3\n.kernel \"x\"\n    ret (M1, 1)\n",
        ".version 2.9\n.kernel \"x\"\n    ret (M1, 1)\n",
        ".version 3.6\n.version 3.6\n.kernel \"x\"\n    ret (M1, 1)\n",
        ".version 3.6\n    ret (M1, 1)\n.kernel \"x\"\n    ret (M1, 1)\n",
        ".version 3.6\n.decl x\n\"\n.kernel \"x\"\n    ret (M1, 1)\n",
        ".version 3.6\n//@ strings\n.kernel \"x\"\n    ret (M1, 1)\n",
    ] {
        let x = Some("x");
        check(&format!("{a}{wrong}{b}"), &["a", "b"], &[x]);
        check(&format!("{wrong}{a}{b}"), &["a", "b"], &[x]);
        // At the end of the text, no line follows a backslash.
        check(&format!("{a}{b}{wrong}    movv (M1, 1)\n"), &["a", "b"], &[x]);
        let c = a.replace("\"a\"", "\"c\"");
        let y = wrong.replace("\"x\"", "\"y\"");
        check(&format!("{a}{wrong}{b}{y}{c}"), &["a", "b", "c"], &[x, Some("y")]);
        // Both routines of the name are omitted, but one has no errors.
        let partial = read(&format!("{a}{wrong}{b}{}", a.replace("\"a\"", "\"x\"")));
        let omitted = [true, false].map(|has_errors| (Some("x".to_string()), has_errors));
        assert_eq!(names(&partial), (vec!["a".into(), "b".into()], omitted.into()), "{wrong}");
    }
}

/// The second routine has no name, or is not recognized as one.
#[test]
fn routines_with_unknown_names_are_omitted() {
    let a = ".version 3.6\n.kernel \"a\"\n    ret (M1, 1)\n";
    let b = a.replace("\"a\"", "\"b\"");
    for (wrong, kind) in [
        (".version 3.6\n.kernel\n    ret (M1, 1)\n", Some(RoutineKind::Kernel)),
        (".version 3.6\n.kernel \"x\n    ret (M1, 1)\n", Some(RoutineKind::Kernel)),
        (".version 3.6\n.global_function 1\n", Some(RoutineKind::Function)),
        (".version 3.6\n.kernell \"x\"\n    ret (M1, 1)\n", None),
        (".version 3.6\n    ret (M1, 1)\n", None),
        (".version 3.6\n{ ret (M1, 1) }\n", None),
        (".version 3.6\n/*\n", None),
    ] {
        let partial = check(&format!("{a}{wrong}"), &["a"], &[None]);
        assert_eq!(partial.omitted[0].kind, kind, "{wrong}");
        assert_eq!(partial.omitted[0].span, a.len()..a.len() + wrong.len(), "{wrong}");
        // Two unknown names are not the same.
        let partial = check(&format!("{a}{wrong}{wrong}{b}"), &["a", "b"], &[None, None]);
        assert!(partial.duplicates.is_empty(), "{wrong}");
    }
}

/// A `.version` also applies to the following routines without one.
#[test]
fn a_wrong_version_affects_all_of_its_routines() {
    let kernel = |name| format!(".kernel \"{name}\"\n    ret (M1, 1)\n");
    let [a, b, c] = ["a", "b", "c"].map(kernel);
    let (a_b, c_only) = ([Some("a"), Some("b")], ["c"]);
    for wrong in ["", ".version 2.0\n", ".version\n", ".version 3.6\n.version 3.6\n"] {
        let source = format!("{wrong}{a}{b}.version 3.6\n{c}");
        let partial = check(&source, &c_only, &a_b);
        assert_eq!(partial.omitted[1].span.start, wrong.len() + a.len(), "{wrong}");
    }
    // The version has been read, so the error affects the next routine only.
    check(&format!(".version 3.6 x\n{a}{b}"), &["b"], &[Some("a")]);
}

#[test]
fn errors_outside_of_routines_make_a_text_unreadable() {
    let kernel = ".version 3.6\n.kernel \"k\"\n    ret (M1, 1)\n";
    for (source, expected) in [
        ("", "expected `.kernel` or `.global_function`, found the end of the text"),
        (".version 3.6\n", "expected `.kernel` or `.global_function`, found the end of the text"),
        (
            ".version 3.6\n    ret (M1, 1)\n",
            "expected `.kernel` or `.global_function`, found `ret`",
        ),
        (".version 3.6\n.kernell \"k\"\n", "unknown directive `.kernell`"),
        ("CISA", "expected text, found an object file"),
        (
            &format!("ret (M1, 1)\n{kernel}"),
            "expected `.kernel` or `.global_function`, found `ret`",
        ),
        (&format!("//@ extern f\n{kernel}"), "expected a string in quotes, found `f`"),
        (
            &format!("//@ extern \"f\" at=0\n//@ relocs function 0:0=\"g\"\n{kernel}"),
            "there is no function of this name",
        ),
        (
            &format!("//@ sections kernel 0 kernel 0\n{kernel}"),
            "this section is specified more than once",
        ),
    ] {
        let document = Document::parse(source, Format::default());
        assert!(!document.is_readable, "{source}");
        let errors = document.errors;
        assert_eq!(errors[0].to_string(), expected, "{source}");
        assert!(errors[0].line_and_column().is_some());
        assert_eq!(
            Document::parse(source, Format::default()).into_result().expect_err(source),
            errors,
            "{source}"
        );
    }
    // Errors in routines are reported, too.
    let source = format!("ret (M1, 1)\n{kernel}    movv (M1, 1)\n");
    let errors = Document::parse(&source, Format::default()).errors;
    assert_eq!(errors.len(), 2, "{errors}");
}

/// Calls of omitted functions are no errors, and the indices of functions do not change.
#[test]
fn omitted_functions_are_declared() {
    let source = "\
//@ extern \"e\" at=1
//@ sections kernel 0 function 0 function 2

.version 3.6
.kernel \"k\"
.funcdecl \"d\"
//@ relocs function 0:0=\"f\" 1:1=\"e\" 2:2=\"g\" 3:3=\"d\"
    ret (M1, 1)
.version 3.6
.global_function \"f\"
    fret (M1, 1)
.version 3.6
.global_function \"g\"
    fret (M1, 1)
";
    let whole = check(source, &["k", "f", "g"], &[]);
    let source = source.replacen("fret", "frett", 1);
    let partial = check(&source, &["k", "g"], &[Some("f")]);
    assert!(partial.warnings.is_empty(), "{}", partial.warnings);
    assert_eq!(partial.module.kernels, whole.module.kernels);
    let functions = |module: &Module<'_>| -> Vec<_> {
        let functions = module.functions.iter();
        functions.map(|f| (f.name.to_string(), f.definition.is_some())).collect()
    };
    let expected = [("f", false), ("e", false), ("g", true), ("d", false)];
    assert_eq!(functions(&partial.module), expected.map(|(name, is)| (name.to_string(), is)));
    assert_eq!(partial.module.functions[2], whole.module.functions[2]);
    assert_eq!(
        partial.source_map.routine(1),
        whole.source_map.routine(2).map(|it| it.start + 1..it.end + 1)
    );
    // If the name is unknown, every name may be the name of the omitted function.
    let source = source.replace("_function \"f\"", "_function");
    assert_eq!(check(&source, &["k", "g"], &[None]).errors.len(), 2);
}

#[test]
fn routines_of_the_same_name_are_a_warning() {
    let kernel = |annotation| format!(".version 3.6\n.kernel \"k\"{annotation}\n    ret (M1, 1)\n");
    let source = [kernel(""), kernel(" //@ again"), kernel(""), kernel("")].concat();
    let partial = read(&source);
    assert_eq!((partial.module.kernels.len(), partial.errors.len()), (4, 0));
    let duplicates: Vec<_> = (partial.duplicates.iter())
        .map(|it| (it.severity.to_string(), it.line_and_column(), it.to_string()))
        .collect();
    let duplicate =
        |line| ("warning".into(), Some((line, 1)), "kernel `k` is already defined".to_string());
    assert_eq!(duplicates, [duplicate(8), duplicate(11)]);
    let errors =
        Document::parse(&source, Format::default()).into_result().expect_err("the same name");
    let severities: Vec<_> = errors.iter().map(|error| error.severity.to_string()).collect();
    assert_eq!(severities, ["error", "error"]);
    check_agrees(&source, Format::default(), &partial);
    // They are told apart by their order, so all are omitted if one has an error.
    let partial = check_partial_names(&(source + "    movv\n"));
    assert_eq!(partial, [false, false, false, true]);
    let function = kernel("").replace(".kernel", ".global_function");
    check(&format!("{}    movv\n{function}", kernel("")), &["k"], &[Some("k")]);
}

/// Returns whether each omitted routine has errors. No routine is in the module.
fn check_partial_names(source: &str) -> Vec<bool> {
    let partial = read(source);
    assert_eq!(partial.module.routines().count(), 0);
    partial.omitted.iter().map(|routine| routine.has_errors).collect()
}

/// Warnings about an omitted routine may follow from its errors.
#[test]
fn warnings_about_omitted_routines_are_dropped() {
    let kernel = |name, line| {
        format!(".version 3.6\n.kernel \"{name}\"\n{line}\n    ret (M1, 1)\n//@ labels none\n")
    };
    let source = format!(".version 9.9\n{}", kernel("a", "").replace(".version 3.6\n", ""));
    let source = format!("{source}{}{}", kernel("b", "movv"), kernel("c", ""));
    let partial = check(&source, &["a", "c"], &[Some("b")]);
    let lines: Vec<_> =
        partial.warnings.iter().map(|it| it.line_and_column().map(|it| it.0)).collect();
    assert_eq!(lines, [Some(1), Some(5), Some(15)]);
}

/// A routine with many errors does not hide the errors of others, and the number of errors is limited.
#[test]
fn each_routine_has_at_most_a_hundred_errors() {
    let kernel = |name: usize, errors| {
        // In the comment after the errors is no routine.
        let errors = "    movv (M1, 1)\n".repeat(errors);
        format!(".version 3.6\n.kernel \"k{name}\"\n{errors}/*\n.kernel \"no\"\n*/\n")
    };
    let good = ".version 3.6\n.kernel \"good\"\n    ret (M1, 1)\n";
    let wrong = [kernel(0, 99), kernel(1, 100), kernel(2, 150), kernel(3, 1)].concat();
    let omitted = ["k0", "k1", "k2", "k3"].map(Some);
    let partial = check(&format!("{wrong}{good}"), &["good"], &omitted);
    assert_eq!(partial.errors.len(), 99 + 100 + 100 + 1);
    // After ten thousand errors, only the first of each routine is listed.
    let source: String = (0..120).map(|name| kernel(name, 150)).collect();
    let partial = read(&(source + good));
    assert_eq!((partial.module.kernels.len(), partial.omitted.len()), (1, 120));
    assert_eq!(partial.errors.len(), 10_000 + 20);
}

#[test]
fn many_routines_with_errors_are_read() {
    const COUNT: usize = 2000;
    let source: String = (0..COUNT)
        .map(|name| {
            let wrong = if name % 2 == 0 { "movv" } else { "/*" };
            let good = format!(".kernel \"good{name}\"\n    ret (M1, 1)\n");
            format!(".version 3.6\n.kernel \"wrong{name}\"\n    {wrong}\n.version 3.6\n{good}")
        })
        .collect();
    let partial = read(&source);
    assert_eq!(partial.module.kernels.len(), COUNT);
    assert_eq!((partial.omitted.len(), partial.errors.len()), (COUNT, COUNT));
}

/// A routine of a text.
struct Original<'m> {
    routine: Routine<'m, 'm>,
    /// Its bytes, from the `.version` in the first routine.
    span: std::ops::Range<usize>,
    /// The end of its first line.
    body: usize,
}

/// Returns the routines of a text that was printed from a module.
fn originals<'m>(text: &str, module: &'m Module<'m>, source_map: &SourceMap) -> Vec<Original<'m>> {
    let starts: Vec<usize> = (0..module.routines().count())
        .map(|index| {
            let header = source_map.routine(index).expect("a routine").start;
            match index {
                0 => text[..header].rfind(".version").expect("a version"),
                _ => header,
            }
        })
        .collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let originals = module.routines().zip(starts.iter().zip(ends)).enumerate();
    let original =
        |(index, (routine, (start, end))): (usize, (Routine<'m, 'm>, (&usize, usize)))| {
            let header = source_map.routine(index).expect("a routine").end;
            let body = header + text[header..].find('\n').expect("a line");
            Original { routine, span: *start..end, body }
        };
    originals.map(original).collect()
}

/// Edits a random place in the body of a routine. Lines about other routines do not change.
fn damage(body: &str, words: &[&str], rng: &mut Rng) -> String {
    const NOISE: [&str; 12] =
        ["\"", "{", "}", "/*", " \\\n", "//@", "//@ 00", "//", ".decl", "x", "\n", "\u{e9}"];
    let is_own = |line: &&str| !line.contains(".funcdecl") && !line.contains("//@ relocs");
    let mut lines: Vec<String> = body.split_inclusive('\n').map(String::from).collect();
    let candidates: Vec<usize> =
        (0..lines.len()).filter(|index| is_own(&&*lines[*index])).collect();
    let Some(last) = candidates.last() else { return body.into() };
    let index = if rng.one_in(4) { *last } else { rng.pick(&candidates) };
    let line = &mut lines[index];
    let at = |rng: &mut Rng| {
        let at = rng.below(line.len() + 1);
        (0..=at).rev().find(|at| line.is_char_boundary(*at)).unwrap_or_default()
    };
    let mut ends = [at(rng), at(rng)];
    ends.sort_unstable();
    let new = match rng.below(4) {
        0 => "",
        1 => rng.pick(words),
        _ => rng.pick(&NOISE),
    };
    match rng.below(3) {
        0 => line.replace_range(ends[0]..ends[0], new),
        1 => line.replace_range(ends[0]..ends[1], new),
        _ => *line = format!("{}{new}\n", line.trim_end()),
    }
    let damaged = lines.concat();
    // A part of `.kernel_attr` may begin another routine.
    if damaged.replace(".kernel_attr", "").contains(".kernel") {
        return body.into();
    }
    // The next routine begins in a line of its own.
    if damaged.ends_with('\n') { damaged } else { damaged + "\n" }
}

/// Random edits of some routines neither change the others nor have errors there.
#[test]
fn damage_to_a_routine_affects_no_other() {
    const CASES: u64 = 750;
    let mut rng = Rng::new(seed(), 11);
    let formats = formats::all();
    let (mut damaged, mut omitted) = (0, 0);
    for (salt, format) in formats.iter().enumerate() {
        let mut runner = runner(1, salt);
        let strategy = <Module<'static>>::strategy(*format);
        for _ in 0..cases(CASES.div_ceil(formats.len() as u64)) {
            let module = strategy.new_tree(&mut runner).expect("a module").current();
            let text = FileListing::new(&module).to_text().expect("a valid module");
            // Otherwise, a comment could begin in one routine and end in another.
            if module.routines().count() < 2 || text.contains("*/") {
                continue;
            }
            let whole = Document::parse(&text, *format).into_result().expect("a printed module");
            let originals = originals(&text, &whole.module, &whole.source_map);
            let words: Vec<&str> = text.split_ascii_whitespace().filter(is_in_routines).collect();
            let mut edited = text[..originals[0].span.start].to_string();
            let mut spans = Vec::new();
            for Original { span, body, .. } in &originals {
                let start = edited.len();
                edited += &text[span.start..*body];
                let is_damaged = rng.one_in(2);
                let rest = &text[*body..span.end];
                match is_damaged {
                    true => edited += &damage(rest, &words, &mut rng),
                    false => edited += rest,
                }
                damaged += usize::from(is_damaged);
                spans.push((start..edited.len(), is_damaged));
            }
            let partial = read_in(&edited, *format);
            omitted += partial.omitted.len();
            check_agrees(&edited, *format, &partial);
            check_others(&edited, &originals, &spans, &partial);
        }
    }
    eprintln!("{omitted} routines omitted after {damaged} edits");
    assert!(omitted > damaged / 4, "{omitted} of {damaged}");
}

/// Returns whether a word neither starts a routine nor is about the file.
fn is_in_routines(word: &&str) -> bool {
    let others = [".version", ".kernel", ".global_function", ".funcdecl", "relocs", "again"];
    !others.iter().any(|other| word.contains(other))
}

/// Checks that the routines that were not edited are those of the original text. `spans` are those
/// of the routines of the edited text, with whether each was edited.
fn check_others(
    text: &str,
    originals: &[Original<'_>],
    spans: &[(std::ops::Range<usize>, bool)],
    partial: &Document,
) {
    let mut omitted = partial.omitted.iter().peekable();
    let mut wrong_names = BTreeSet::new();
    for routine in partial.omitted.iter().filter(|routine| routine.has_errors) {
        wrong_names.insert((routine.kind, routine.name.clone()));
    }
    let mut read = partial.module.routines().enumerate();
    for (original, (span, is_damaged)) in originals.iter().zip(spans) {
        let expected = &original.routine;
        if let Some(routine) = omitted.next_if(|routine| routine.span == *span) {
            let key = (Some(expected.kind), Some(expected.name.clone()));
            assert_eq!((routine.kind, routine.name.clone()), key, "{text}");
            assert!(*is_damaged || !routine.has_errors, "{key:?}\n{}\n{text}", partial.errors);
            assert!(wrong_names.contains(&key), "{key:?}\n{text}");
            continue;
        }
        let (index, routine) = read.next().expect("a routine");
        assert_eq!((routine.kind, routine.name), (expected.kind, expected.name), "{text}");
        assert!(span.contains(&partial.source_map.routine(index).expect("a routine").start));
        if !is_damaged {
            assert_eq!(routine.body, expected.body, "{}\n{text}", routine.name);
            assert_eq!(routine.inputs, expected.inputs, "{text}");
            assert_eq!(routine.stack_sizes, expected.stack_sizes, "{text}");
            assert_eq!(routine.linkage, expected.linkage, "{text}");
            assert_eq!(routine.variable_relocs, expected.variable_relocs, "{text}");
        }
    }
    let rest = (omitted.next().map(|routine| &text[routine.span.clone()]), read.next().is_some());
    assert_eq!(rest, (None, false), "{text}");
}
