//! The kernels that a SPIR-V module declares.

const MAGIC: u32 = 0x0723_0203;
/// The number of words before the first instruction.
const HEADER: usize = 5;
const OP_ENTRY_POINT: u32 = 15;
/// The execution model of OpenCL.
const KERNEL: u32 = 6;

/// Returns the names of the entry points of a module for OpenCL; none if it cannot be read.
pub fn kernels(bytes: &[u8]) -> Vec<String> {
    let words: Vec<u32> = bytes
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect();
    let mut names = Vec::new();
    if words.first() != Some(&MAGIC) {
        return names;
    }
    let mut rest = words.get(HEADER..).unwrap_or_default();
    while let Some(first) = rest.first() {
        let length = (first >> 16) as usize;
        let Some(instruction) = rest.get(..length.max(1)) else { break };
        if first & 0xffff == OP_ENTRY_POINT && instruction.get(1) == Some(&KERNEL) {
            let text = instruction.get(3..).unwrap_or_default();
            let bytes: Vec<u8> = text.iter().flat_map(|word| word.to_le_bytes()).collect();
            let name = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
            names.push(String::from_utf8_lossy(name).into_owned());
        }
        rest = &rest[length.max(1)..];
    }
    names
}
