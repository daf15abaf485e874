//! Device binaries in the format with patch tokens, which the compiler wrote before ELF files.

use std::ops::Range;

use memchr::memmem;

use crate::budget::Budget;

/// The first bytes, a number of 32 bits.
const MAGIC: &[u8] = b"CTNI";

/// The sizes of the headers of a program and of a kernel.
const PROGRAM_HEADER: usize = 28;
const KERNEL_HEADER: usize = 40;

/// A device binary.
pub struct Program {
    pub range: Range<usize>,
    pub kernels: usize,
}

/// Returns the device binaries in the bytes of a file.
pub fn programs(bytes: &[u8], budget: &Budget) -> Vec<Program> {
    let mut programs: Vec<Program> = Vec::new();
    for offset in memmem::find_iter(bytes, MAGIC) {
        if programs.last().is_none_or(|last| last.range.end <= offset) {
            programs.extend(program_at(bytes, offset, budget));
        }
    }
    programs
}

/// Returns the device binary at an offset, if the headers of the program and of all its kernels are
/// plausible.
fn program_at(bytes: &[u8], offset: usize, budget: &Budget) -> Option<Program> {
    let header = numbers::<{ PROGRAM_HEADER / 4 }>(bytes, offset)?;
    let [_, version, _device, pointer_size, kernels, _stepping, patch_list] = header;
    let is_plausible =
        (1000..2000).contains(&version) && [4, 8].contains(&pointer_size) && kernels > 0;
    if !is_plausible {
        return None;
    }
    let mut end = sum(offset, &[PROGRAM_HEADER, patch_list])?;
    for _ in 0..kernels {
        if !budget.take(KERNEL_HEADER) {
            return None;
        }
        let header = numbers::<{ KERNEL_HEADER / 4 }>(bytes, end)?;
        let [_, _, _, name, patch_list, code, general, dynamic, surface, unpadded] = header;
        if name == 0 || unpadded > code {
            return None;
        }
        end = sum(end, &[KERNEL_HEADER, name, code, general, dynamic, surface, patch_list])?;
    }
    (end <= bytes.len()).then_some(Program { range: offset..end, kernels })
}

/// Returns numbers of 32 bits from an offset.
fn numbers<const N: usize>(bytes: &[u8], offset: usize) -> Option<[usize; N]> {
    let bytes = bytes.get(offset..)?.get(..4 * N)?;
    let mut numbers = [0; N];
    for (number, bytes) in numbers.iter_mut().zip(bytes.chunks_exact(4)) {
        *number = usize::try_from(u32::from_le_bytes(bytes.try_into().ok()?)).ok()?;
    }
    Some(numbers)
}

/// Returns an offset after parts of these sizes.
fn sum(offset: usize, sizes: &[usize]) -> Option<usize> {
    sizes.iter().try_fold(offset, |sum, size| sum.checked_add(*size))
}
