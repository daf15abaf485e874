//! Odd arguments: what a careless caller could give to a function.
//!
//! A list of [`Call`]s, which [`odd_calls`](crate::odd_calls) makes, has a call of each public function of a
//! package with odd arguments. [`check_list`] compares it with the sources, and [`check_calls`] runs it.

mod values;

use std::any::Any;
use std::collections::BTreeSet;
use std::ops::Range;
use std::panic::{self, AssertUnwindSafe};
use std::sync::LazyLock;

use proptest::test_runner::TestRunner;

use crate::public_functions::public_functions;
use crate::random::{cases, runner_from_data, seed};
use crate::repository;
use crate::rng::Rng;

/// A call of a public function with odd arguments.
pub struct Call {
    /// The path of the function in its package.
    pub path: &'static str,
    /// Calls it.
    pub call: fn(&mut Draw),
}

/// Defines a list of [`Call`]s of functions of a package. `o` is the [`Draw`] of the arguments. Methods after a
/// call are called on its result, such as `count` to exhaust an iterator, and `where` defines a variable before it.
///
/// ```ignore
/// const CALLS: &[Call] = odd_calls! { genvisa, o =>
///     analysis::RegisterSize::from_bytes(o.any());
///     text::words_of(o.any()).count();
///     Module::edit(&mut module, o.any()) where mut module = Module::new(o.any());
/// };
/// ```
#[macro_export]
macro_rules! odd_calls {
    ($package:ident, $o:ident => $(
        $first:ident $(:: $segment:ident)* $(<$argument:ident> $(:: $method:ident)?)? ($($arguments:tt)*)
        $(. $then:ident ($($more:tt)*))* $(where $variable:pat = $value:expr)?;
    )*) => {
        &[$($crate::odd::Call {
            path: concat!(
                stringify!($first), $("::", stringify!($segment),)*
                $($("<", stringify!($argument), ">::", stringify!($method),)?)?
            ),
            call: |$o| {
                $(let $variable = $value;)?
                $crate::odd::discard(
                    $package::$first $(::$segment)* $(::<$argument> $(::$method)?)? ($($arguments)*)
                    $(.$then($($more)*))*
                )
            },
        },)*]
    };
}

/// Ignores a result.
pub fn discard<T>(_: T) {}

/// Checks that a list has the public functions of a package with these sources, and nothing else.
///
/// # Panics
/// Panics if it does not.
pub fn check_list(sources: &str, calls: &[Call]) {
    let functions = public_functions(sources);
    let called: BTreeSet<&str> = calls.iter().map(|call| call.path).collect();
    let missing: Vec<_> = functions.keys().filter(|path| !called.contains(&***path)).collect();
    assert!(missing.is_empty(), "add calls of these functions with odd arguments: {missing:#?}");
    let unknown: Vec<_> = called.iter().filter(|path| !functions.contains_key(**path)).collect();
    assert!(unknown.is_empty(), "there are no such functions: {unknown:#?}");
}

/// Calls the functions of a list. One of them may panic only if its documentation has a section "Panics", and then
/// does so at least once, for which it has more calls.
///
/// # Panics
/// Panics if that does not hold.
pub fn check_calls(sources: &str, calls: &[Call]) {
    let functions = public_functions(sources);
    let mut draw = Draw::new();
    let mut wrong = Vec::new();
    for Call { path, call } in calls {
        // The arguments of a function do not depend on the others in the list.
        let number =
            path.bytes().fold(0, |hash: u64, byte| (hash * 31 + u64::from(byte)) & 0xffff_ffff);
        let may_panic = functions.get(*path).is_some_and(|function| function.may_panic);
        let mut found = None;
        let count = cases(CASES) * if may_panic { MORE } else { 1 };
        for case in 0..count {
            if may_panic && found.is_some() {
                break;
            }
            draw.rng = Rng::new(seed() ^ number << 32, case);
            draw.runner = runner_from_data(&draw.rng.bits().to_le_bytes());
            if let Err(panic) = panic::catch_unwind(AssertUnwindSafe(|| call(&mut draw))) {
                found.get_or_insert_with(|| format!("case {case}: {}", message(&*panic)));
            }
        }
        match found {
            Some(found) if !may_panic => wrong.push(format!("{path}, {found}")),
            None if may_panic => wrong.push(format!("{path}, no panic as documented")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The number of calls of a function, and how many times as many a function has that may panic.
const CASES: u64 = 200;
const MORE: u64 = 20;

fn message(panic: &dyn Any) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or_default()
}

/// The source of odd arguments.
pub struct Draw {
    /// The random choices.
    pub rng: Rng,
    /// The random choices of strategies.
    pub runner: TestRunner,
}

impl Draw {
    fn new() -> Draw {
        Draw { rng: Rng::new(0, 0), runner: runner_from_data(&[]) }
    }

    /// Returns an odd value.
    pub fn any<T: Odd>(&mut self) -> T {
        T::odd(self)
    }

    /// Returns one of the choices.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        self.rng.pick(choices)
    }

    /// Returns a few values.
    pub fn few<T>(&mut self, mut item: impl FnMut(&mut Draw) -> T) -> Vec<T> {
        (0..self.rng.below(5)).map(|_| item(self)).collect()
    }
}

/// A type with odd values.
pub trait Odd {
    /// Returns a value: an extreme one, an unusual one, or any.
    fn odd(o: &mut Draw) -> Self;
}

macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl Odd for $ty {
            fn odd(o: &mut Draw) -> $ty {
                match o.rng.below(4) {
                    0 => o.pick(&[0, 1, $ty::MAX, $ty::MAX - 1, $ty::MIN, $ty::MAX / 2 + 1]),
                    // Numbers of bits and of registers, and the first of ids that are declared.
                    1 => o.pick(&[2, 3, 7, 8, 16, 31, 32, 33, 63, 64, 127]),
                    2 => (o.rng.bits() & 0x3f) as $ty,
                    _ => o.rng.bits() as $ty,
                }
            }
        }
    )*};
}

integers! { u8 u16 u32 u64 usize i8 i16 i32 i64 }

impl Odd for bool {
    fn odd(o: &mut Draw) -> bool {
        o.rng.one_in(2)
    }
}

impl Odd for char {
    fn odd(o: &mut Draw) -> char {
        o.pick(&['\0', '\n', '"', 'V', 'v', 'L', 'é', '\u{202e}', '\u{10ffff}'])
    }
}

macro_rules! floats {
    ($($ty:ident)*) => {$(
        impl Odd for $ty {
            fn odd(o: &mut Draw) -> $ty {
                o.pick(&[0.0, -0.0, 0.1, $ty::NAN, -$ty::NAN, $ty::INFINITY, $ty::MIN, $ty::MIN_POSITIVE / 2.0])
            }
        }
    )*};
}

floats! { f32 f64 }

impl Odd for &'static str {
    fn odd(o: &mut Draw) -> &'static str {
        static LONG: LazyLock<String> = LazyLock::new(|| "long".repeat(20_000));
        const WORDS: &[&str] = &[
            "",
            "k",
            "V32",
            "%r0",
            "%null",
            "L0",
            "add",
            "Target",
            "\0",
            "\"",
            "a\"b\\",
            "a\nb",
            "//@",
            "*/",
            "é",
            "\u{202e}x",
            " ",
            "1",
            "-",
            "a b",
        ];
        match o.rng.below(10) {
            0 => &LONG,
            _ => o.pick(WORDS),
        }
    }
}

impl Odd for String {
    fn odd(o: &mut Draw) -> String {
        o.any::<&str>().into()
    }
}

/// Parts of files, and names.
impl Odd for &'static [u8] {
    fn odd(o: &mut Draw) -> &'static [u8] {
        static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
            let files = [
                "tests/data/tour.isa",
                "tests/data/collatz.visaasm",
                "crates/interp/tests/data/scale-bmg.bin",
            ];
            files.map(|file| std::fs::read(repository(file)).expect("a file")).into()
        });
        let file = &FILES[o.rng.below(FILES.len())];
        match o.rng.below(4) {
            0 => o.any::<&str>().as_bytes(),
            1 => file,
            2 => &file[..o.rng.below(file.len())],
            _ => &file[o.rng.below(file.len())..][..o.rng.below(2)],
        }
    }
}

impl<T: Odd> Odd for Vec<T> {
    fn odd(o: &mut Draw) -> Vec<T> {
        let count = o.pick(&[0, 1, 2, 3, 40]);
        (0..count).map(|_| o.any()).collect()
    }
}

impl<T: Odd> Odd for Option<T> {
    fn odd(o: &mut Draw) -> Option<T> {
        (!o.rng.one_in(4)).then(|| o.any())
    }
}

impl<T: Odd, const N: usize> Odd for [T; N] {
    fn odd(o: &mut Draw) -> [T; N] {
        std::array::from_fn(|_| o.any())
    }
}

impl<A: Odd, B: Odd> Odd for (A, B) {
    fn odd(o: &mut Draw) -> (A, B) {
        (o.any(), o.any())
    }
}

/// Also reversed.
impl Odd for Range<usize> {
    fn odd(o: &mut Draw) -> Range<usize> {
        o.any()..o.any()
    }
}
