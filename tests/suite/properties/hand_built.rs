//! Modules whose public fields have any values: each operation returns a result or an error with the
//! routine, and takes memory in proportion to the module.

use allocation_counter::measure;
use genvisa::Platform;
use genvisa::RegisterSize;
use genvisa::analysis::{Analysis, Statistics};
use genvisa::error::PathSegment;
use genvisa::isa::IdClass;
use genvisa::object::{Attribute, FileScopeVar, Kernel};
use genvisa::text::{FileListing, PrintError, Style, parse};
use genvisa::verify::{Group, Verifier};
use genvisa::{Error, ErrorKind, Format, Module};
use genvisa_test_support::formats;
use genvisa_test_support::hand_built;
use genvisa_test_support::parallel::parallel;
use genvisa_test_support::random::{cases, runner, seed};
use genvisa_test_support::rng::Rng;

/// The most bytes that an operation allocates for each byte of its input, and for an empty module.
const MEMORY: (u64, u64) = (200, 1 << 20);

/// A module, with what failures print about it.
struct Case<'m> {
    name: String,
    module: &'m Module<'static>,
    /// The size in bytes as Rust prints the module.
    size: u64,
}

/// Returns a module without symbols, because text has only those that it can call a state by.
fn without_symbols(mut module: Module<'static>) -> Module<'static> {
    for body in module.bodies_mut() {
        let states = body.surfaces.iter_mut().chain(&mut body.samplers);
        let all = states.chain(&mut body.addresses).chain(&mut body.predicates);
        all.for_each(|state| state.symbol = None);
    }
    module
}

/// Returns where two modules begin to differ.
fn difference(a: &Module<'_>, b: &Module<'_>) -> String {
    let [a, b] = [a, b].map(|module| format!("{module:?}").into_bytes());
    let at = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let part = |text: &[u8]| {
        let part = &text[at.saturating_sub(200)..text.len().min(at + 100)];
        String::from_utf8_lossy(part).into_owned()
    };
    format!("found: {}\nexpected: {}", part(&a), part(&b))
}

impl Drop for Case<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let module = format!("{:?}", self.module);
            eprintln!("{}: {}", self.name, module.chars().take(2000).collect::<String>());
        }
    }
}

impl Case<'_> {
    /// Runs an operation, and checks the memory that it takes.
    fn run<T>(&self, what: &str, output: impl Fn(&T) -> usize, operation: impl FnOnce() -> T) -> T {
        let mut result = None;
        let used = measure(|| result = Some(operation()));
        let result = result.expect("a result");
        let size = self.size + output(&result) as u64;
        let limit = MEMORY.0 * size + MEMORY.1;
        assert!(used.bytes_total <= limit, "{what}: {} for {size} bytes", used.bytes_total);
        result
    }

    /// Checks that an error begins with a routine of the module, or a variable of the file.
    fn check_error(&self, what: &str, error: &Error) {
        let is_known = |segment: &PathSegment| match segment {
            PathSegment::Routine { name, .. } => {
                let names = self.module.kernels.iter().map(|kernel| &kernel.name);
                let mut names = names.chain(self.module.functions.iter().map(|f| &f.name));
                names.any(|known| known.to_string() == *name)
            }
            PathSegment::Entry { table, .. } => *table == "file-scope variable",
            PathSegment::Field(name) => *name == "num_filescope_vars",
            _ => false,
        };
        assert!(error.path().next().is_some_and(is_known), "{what}: {error}");
    }

    fn bytes(&self) {
        let module = self.module;
        let bytes = self.run("to_bytes", |_| 0, || module.to_bytes());
        let bytes = match bytes {
            Ok(bytes) => bytes,
            Err(error) => {
                if !matches!(error.kind(), ErrorKind::TextOnly { .. }) {
                    self.check_error("to_bytes", &error);
                }
                return;
            }
        };
        let read = || Module::from_bytes(&bytes, module.format.dialect);
        let read = self.run("from_bytes", |_| bytes.len(), read);
        let read = read.unwrap_or_else(|error| panic!("from_bytes: {error}"));
        assert!(read.to_bytes().is_ok_and(|again| again == bytes), "other bytes");
    }

    fn text(&self) {
        let module = self.module;
        for style in [Style::Complete, Style::GenXIr] {
            for with_offsets in [false, true] {
                let listing = FileListing::new(module).with_style(style);
                let listing = listing.with_offsets(with_offsets).with_numbers(!with_offsets);
                let length = |text: &Result<String, _>| text.as_ref().map_or(0, String::len);
                let text = match self.run("to_text", length, || listing.to_text()) {
                    Ok(text) => text,
                    Err(PrintError::Code(error)) => {
                        self.check_error("to_text", &error);
                        continue;
                    }
                    Err(error) => panic!("{error}"),
                };
                let parsed = self.run("parse", |_| text.len(), || parse(&text, module.format));
                if let (Style::Complete, Ok(parsed)) = (style, parsed) {
                    let parsed = without_symbols(parsed.with_gen_binaries_of(module));
                    let expected = without_symbols(module.clone());
                    assert!(parsed == expected, "{}", difference(&parsed, &expected));
                }
            }
        }
    }

    fn verify(&self) {
        for platform in [None, Some(Platform::Skl), Some(Platform::Xe3p)] {
            let verifier = Verifier::new().with_groups(Group::ALL.iter().copied());
            let verifier = match platform {
                Some(platform) => verifier.with_platform(platform),
                None => verifier,
            };
            let findings = || {
                let mut length = 0;
                verifier.visit_module(self.module, |finding| length += finding.to_string().len());
                length
            };
            self.run("check_module", |length| *length, findings);
        }
    }

    fn analyse(&self) {
        for routine in self.module.routines() {
            for registers in [RegisterSize::default(), routine.body.register_size(None)] {
                let new = || Analysis::new(&routine, registers);
                let analysis = match self.run("analysis", |_| 0, new) {
                    Ok(analysis) => analysis,
                    Err(error) => {
                        self.check_error("analysis", &error);
                        continue;
                    }
                };
                self.run("statistics", |_| 0, || Statistics::new(&routine, &analysis));
                let chains = self.run("chains", |_| 0, || analysis.chains());
                for (index, instruction) in analysis.instructions.iter().enumerate().take(50) {
                    instruction.visit_ids(|id| {
                        chains.definitions(index, id);
                        chains.uses(index, id);
                    });
                }
            }
        }
    }

    fn edit(&self) {
        for index in 0..self.module.routines().count().min(3) {
            let (mut module, mut other) = (self.module.clone(), self.module.clone());
            let edit = || {
                let mut editor = module.edit(index)?;
                let source = other.edit(0)?;
                for (class, place) in [(IdClass::Variable, 0), (IdClass::Label, 1)] {
                    let number = class.first_declared() + place;
                    editor.uses(genvisa::isa::Id { class, number });
                }
                editor.undeclared();
                editor.retain_used();
                if let Ok(imported) = editor.import(source.body(), &source.instructions) {
                    editor.instructions.extend(imported);
                }
                editor.finish()
            };
            if let Err(error) = self.run("edit", |_| 0, edit) {
                self.check_error("edit", &error);
            }
        }
    }
}

#[test]
fn hand_built_modules_give_results_or_errors() {
    let formats: Vec<_> = formats::all().into_iter().enumerate().collect();
    parallel(&formats, |(salt, format): &(usize, Format)| {
        let (mut rng, mut runner) = (Rng::new(seed(), *salt as u64), runner(256, *salt));
        for case in 0..cases(5) {
            let module = hand_built::module(&mut rng, &mut runner, *format);
            let size = format!("{module:?}").len() as u64;
            let name = format!("{format}, case {case}");
            let case = Case { name, module: &module, size };
            case.bytes();
            case.text();
            case.verify();
            case.analyse();
            case.edit();
        }
    });
}

#[test]
fn what_text_cannot_express_is_an_error_with_its_place() {
    let error = |change: &dyn Fn(&mut Module<'static>)| {
        let mut module = Module::new(Format::default());
        module.kernels.push(Kernel::new("k"));
        change(&mut module);
        let error = FileListing::new(&module).to_text().unwrap_err().to_string();
        error.split(" (offset").next().unwrap_or_default().to_owned()
    };
    assert_eq!(
        error(&|module| module.kernels[0].body.predicates = vec![Default::default(); 65_536]),
        "kernel `k`, predicate_count: 65536 is out of range: the maximum in dialect igc2022, \
         version 3.6 is 65535"
    );
    assert_eq!(
        error(&|module| module.kernels[0].body.efficient_64bit = true),
        "kernel `k`: efficient 64-bit addressing cannot be expressed in dialect igc2022, version 3.6"
    );
    let attributes = vec![Attribute::default(); 256];
    assert_eq!(
        error(&|module| {
            let attributes = attributes.clone();
            module.file_scope_vars = vec![FileScopeVar { attributes, ..Default::default() }];
        }),
        "file-scope variable 0, attribute_count: 256 is out of range: the maximum in dialect \
         igc2022, version 3.6 is 255"
    );
}
