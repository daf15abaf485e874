//! Comparisons with kernels that run elsewhere than in the interpreter.

use genvisa_equiv::interp::dispatch::Argument;
use genvisa_equiv::{Author, Case, Comparison, Difference, Runner, Side, Tolerance, Verdict};

use super::edits::{binary, difference};

/// The kernel `scale` of `crates/interp/tests/data/scale.cl`, with its offsets.
struct Scale([i32; 4]);

impl Runner for Scale {
    fn run(&mut self, case: &Case) -> Result<Vec<Option<Vec<u8>>>, String> {
        let [Argument::Buffer(y), Argument::Buffer(x), Argument::Value(a), Argument::Value(n)] =
            &case.arguments[..]
        else {
            return Err("other arguments".into());
        };
        let word = |bytes: &[u8]| bytes.try_into().expect("four bytes");
        let (a, n) = (f32::from_le_bytes(word(a)), i32::from_le_bytes(word(n)));
        let mut y = y.clone();
        for i in 0..case.global.iter().product::<u32>().min(n.max(0) as u32) as usize {
            let x = f32::from_le_bytes(word(&x[4 * i..4 * i + 4]));
            let result = a.mul_add(x, self.0[i % 4] as f32);
            y[4 * i..4 * i + 4].copy_from_slice(&result.to_le_bytes());
        }
        Ok(vec![Some(y), Some(x.clone()), None, None])
    }
}

/// Leaves the same in any case.
struct Fixed(Vec<Option<Vec<u8>>>);

impl Runner for Fixed {
    fn run(&mut self, _: &Case) -> Result<Vec<Option<Vec<u8>>>, String> {
        Ok(self.0.clone())
    }
}

/// Runs nothing.
struct Refused;

impl Runner for Refused {
    fn run(&mut self, _: &Case) -> Result<Vec<Option<Vec<u8>>>, String> {
        Err("it is refused".into())
    }
}

#[test]
fn results_from_elsewhere_are_compared() {
    let bmg = binary("bmg");
    let side = Side::new(&bmg, "scale", None).expect("a kernel");
    let mut comparison = Comparison::new();
    comparison.sizes = Some((vec![64], vec![32]));
    comparison.tolerance = Tolerance { ulp: 2, relative: 1e-6 };
    let verdict = comparison.compare_with(&side, &mut Scale([1, -2, 3, -4]));
    assert!(matches!(verdict, Verdict::Equal { runs: 96, .. }), "{verdict:?}");
    let verdict = comparison.compare_with(&side, &mut Scale([1, -2, 3, 4]));
    let (found, case) = difference(verdict);
    let Difference::Element { argument: 0, index, name, values, .. } = &found else { panic!() };
    assert_eq!((index % 4, &**name), (3, "y"));
    assert!(matches!(values[0].by, Author::Store(_)) && values[1].by == Author::Unknown);
    let text = found.to_string();
    assert!(text.contains("  A --> scale $") && !text.contains("  B -->"), "{text}");
    // The numbers are made small.
    assert!(matches!(&case.arguments[1], Argument::Buffer(x) if x.iter().all(|byte| *byte == 0)));
    let verdict = comparison.compare_with(&side, &mut Refused);
    assert_eq!(verdict, Verdict::NotCompared("B: it is refused".into()));
    // What is missing would not be compared.
    for memory in [vec![], vec![Some(vec![0; 8])], vec![Some(vec![0; 1 << 16]), None]] {
        let verdict = comparison.compare_with(&side, &mut Fixed(memory));
        let Verdict::NotCompared(problem) = &verdict else { panic!("{verdict:?}") };
        assert!(problem.contains(" bytes after the run, not 65536"), "{problem}");
    }
}
