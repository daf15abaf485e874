//! Kernels of media drivers and encoders, which ship as `.isa` files, on pictures.

mod models;
mod survey;

use std::fs;

use genvisa::isa::IdClass;
use genvisa::{Dialect, Module, RegisterSize};
use genvisa_interp::{Device, Fault, Image, Layout, Machine, Program, Surface, ThreadStart};
use genvisa_test_support::corpus;

/// The bytes of an image.
#[derive(Clone, Debug, PartialEq)]
struct Picture {
    image: Image,
    bytes: Vec<u8>,
}

/// An input of a kernel.
enum Input {
    Picture(Picture),
    Buffer(Vec<u8>),
    /// A number, or the bytes of several.
    Bytes(Vec<u8>),
}

impl Picture {
    /// Returns an image of a layout with noise.
    fn noise(layout: &str, size: [u32; 2], seed: u32) -> Picture {
        let mut picture = Picture::black(layout, size);
        let mut state = seed.wrapping_mul(0x9e37_79b9) | 1;
        for byte in &mut picture.bytes {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *byte = (state >> 24) as u8;
        }
        picture
    }

    fn black(layout: &str, [width, height]: [u32; 2]) -> Picture {
        let layout = Layout::from_name(layout).expect("a layout");
        let image = layout.image(genvisa_interp::Dimensions::D2, [width, height, 1], 0);
        let image = image.expect("a 2D image");
        Picture { bytes: vec![0; image.bytes() as usize], image }
    }

    /// Returns the bytes of a plane, without those between rows, and the number of bytes of a row.
    fn plane(&self, index: usize) -> (Vec<u8>, usize) {
        let image = &self.image;
        let (start, width, height, pitch) = match index.checked_sub(1) {
            None => (0, image.width * image.format.bytes(), image.height, image.row_pitch),
            Some(index) => {
                let plane = image.planes[index];
                (plane.address as usize, plane.width, plane.height, plane.row_pitch)
            }
        };
        let rows = self.bytes[start..].chunks(pitch as usize).take(height as usize);
        (rows.flat_map(|row| row[..width as usize].to_vec()).collect(), width as usize)
    }

    /// Returns a byte of a plane; outside, the nearest one.
    fn at(&self, plane: usize, x: usize, y: usize) -> u8 {
        let (bytes, width) = self.plane(plane);
        bytes[y.min(bytes.len() / width - 1) * width + x.min(width - 1)]
    }
}

/// Runs a kernel of a file of the corpus in a thread for each place of a space, with its inputs in the order
/// of its declarations. Returns the pictures and buffers afterwards.
fn run(file: &str, kernel: &str, space: [u32; 2], inputs: &[Input]) -> Result<Vec<Vec<u8>>, Fault> {
    let bytes = fs::read(corpus::required().join(format!("{file}.isa"))).expect("a file");
    let module = Module::from_bytes(&bytes, Dialect::Igc2022).expect("a module");
    let program = Program::new([&module], Device { registers: RegisterSize::Bytes32 })?;
    let code = program.routines().iter().find(|code| code.name() == kernel).expect("a kernel");
    assert_eq!(code.inputs().len(), inputs.len(), "the inputs of {kernel}");

    let mut machine = Machine::new(&program);
    let mut start = ThreadStart { image: vec![0; 1024], mask: u32::MAX, ..ThreadStart::default() };
    let mut buffers = Vec::new();
    for ((declared, input), handle) in code.inputs().iter().zip(inputs).zip(0x1000u32..) {
        let (from, size) = (declared.offset as usize, usize::from(declared.size));
        let is_surface = declared.id().is_some_and(|id| id.class == IdClass::Surface);
        assert_eq!(is_surface, !matches!(input, Input::Bytes(_)), "the input at {from}");
        let value = match input {
            Input::Picture(Picture { image, bytes }) => {
                let address = machine.memory().allocate("picture", bytes.clone());
                machine.surfaces().set(handle, image.clone().at(address));
                buffers.push(address);
                // All elements of an array are the same.
                handle.to_le_bytes().repeat(size / 4)
            }
            Input::Buffer(bytes) => {
                let address = machine.memory().allocate("buffer", bytes.clone());
                let surface = Surface::Buffer { address, size: bytes.len() as u64 };
                machine.surfaces().set(handle, surface);
                buffers.push(address);
                // All elements of an array are the same.
                handle.to_le_bytes().repeat(size / 4)
            }
            Input::Bytes(bytes) => bytes.clone(),
        };
        assert_eq!(value.len(), size, "the input at {from}");
        start.image[from..from + size].copy_from_slice(&value);
    }
    machine.memory().check_races(true);
    machine.run_groups(space[0] * space[1], 2, |number, _| {
        let place = [number % space[0], number / space[0]];
        let start = start.clone().in_space(place);
        machine.group(kernel, [place[0], place[1], 0], number, 0, [start])
    })?;
    let memory = machine.memory();
    Ok(buffers.into_iter().map(|it| memory.bytes(it).expect("a buffer").to_vec()).collect())
}
