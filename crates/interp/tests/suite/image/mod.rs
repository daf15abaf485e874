//! Messages to images, samplers and render targets.

mod block2d;
mod cube;
mod hostile;
mod info;
mod levels;
mod media;
mod pocl;
mod render;
mod sample;
mod typed;

use genvisa::isa::IdClass;
use genvisa::operand::VarId;
use genvisa_interp::{
    Dimensions, Fault, Group, Image, Machine, PixelFormat, Program, Surface, ThreadStart,
};

use crate::support::program;

/// A machine with a kernel of one thread of 16 lanes, and the values of its variables.
pub struct Setup<'p> {
    pub program: &'p Program,
    pub machine: Machine<'p>,
    variables: Vec<(&'static str, Vec<u8>)>,
    pixels: Vec<[u32; 2]>,
}

impl<'p> Setup<'p> {
    pub fn new(program: &'p Program) -> Setup<'p> {
        Setup { program, machine: Machine::new(program), variables: Vec::new(), pixels: Vec::new() }
    }

    /// Sets a variable to floats.
    pub fn floats(mut self, name: &'static str, values: &[f32]) -> Setup<'p> {
        self.variables.push((name, values.iter().flat_map(|value| value.to_le_bytes()).collect()));
        self
    }

    /// Sets a variable to integers.
    pub fn dwords(mut self, name: &'static str, values: &[i32]) -> Setup<'p> {
        self.variables.push((name, values.iter().flat_map(|value| value.to_le_bytes()).collect()));
        self
    }

    /// Sets a variable to bytes.
    pub fn bytes(mut self, name: &'static str, values: &[u8]) -> Setup<'p> {
        self.variables.push((name, values.to_vec()));
        self
    }

    /// Sets the pixels of the lanes.
    pub fn pixels(mut self, pixels: Vec<[u32; 2]>) -> Setup<'p> {
        self.pixels = pixels;
        self
    }

    /// Sets a surface to an image without gaps. Returns the address of its texels.
    pub fn image(
        &mut self,
        index: u32,
        dimensions: Dimensions,
        format: PixelFormat,
        size: [u32; 3],
        texels: &[u8],
    ) -> u64 {
        let address = self.machine.memory().allocate("the image", texels.to_vec());
        let image = Image::new(dimensions, format, size, address);
        assert_eq!(image.bytes(), texels.len() as u64, "the texels of the test");
        self.machine.surfaces().set(index, image);
        address
    }

    /// Sets a surface to a buffer.
    pub fn buffer(&mut self, index: u32) {
        let address = self.machine.memory().allocate("the buffer", vec![0; 256]);
        self.machine.surfaces().set(index, Surface::Buffer { address, size: 256 });
    }

    /// Runs the kernel with some lanes.
    pub fn run_lanes(&self, mask: u32) -> Result<Group, Fault> {
        let start = ThreadStart { image: vec![0; 64], mask, ..ThreadStart::default() };
        let mut group = self.machine.group("k", [0; 3], 0, 0, [start])?;
        let body = self.program.routines()[0].body();
        let thread = group.thread_mut(0).expect("a thread");
        for (name, value) in &self.variables {
            let id = body.find(IdClass::Variable, name).expect("a declared variable");
            assert!(
                thread.set_variable(self.program, VarId(id.number), 0, value),
                "{name} is smaller"
            );
        }
        thread.set_pixels(self.pixels.clone());
        self.machine.run(&mut group)?;
        Ok(group)
    }

    /// Runs the kernel.
    pub fn run(&self) -> Group {
        self.run_lanes(0xffff).unwrap_or_else(|fault| panic!("{fault}"))
    }

    /// Returns the name of the fault of the kernel, and its text.
    pub fn fault(&self) -> (&'static str, String) {
        match self.run_lanes(0xffff) {
            Err(fault) => (fault.kind.name(), fault.to_string()),
            Ok(_) => panic!("the kernel runs"),
        }
    }
}

/// Returns the program of a kernel with variables and statements. Surface T6 is 5, and sampler S0 is 2.
pub fn image_program(declarations: &[(&str, &str, u32)], statements: &str) -> Program {
    let mut text = String::from(
        ".version 4.2\n.kernel \"k\"\n.decl T6 v_type=T num_elts=1 v_name=T006\n.decl S0 v_type=S num_elts=1 v_name=S000\n",
    );
    for (name, ty, elements) in declarations {
        text += &format!(".decl {name} v_type=G type={ty} num_elts={elements} align=GRF\n");
    }
    text += "    movs (M1_NM, 1) T6(0) 0x5:ud\n    movs (M1_NM, 1) S0(0) 0x2:ud\n";
    program(&(text + statements + "\n    ret (M1, 1)\n"))
}

/// Returns the bytes of a variable, and those of its bits that are undefined.
pub fn raw(program: &Program, group: &Group, name: &str) -> (Vec<u8>, Vec<u8>) {
    let id = program.routines()[0].body().find(IdClass::Variable, name).expect("a variable");
    group.threads()[0].variable(program, VarId(id.number)).expect("a variable")
}

/// Returns the dwords of a variable, which are all defined.
pub fn dwords(program: &Program, group: &Group, name: &str) -> Vec<u32> {
    let (bytes, undefined) = raw(program, group, name);
    assert!(undefined.iter().all(|byte| *byte == 0), "{name} has undefined bits: {undefined:x?}");
    bytes.chunks(4).map(|dword| u32::from_le_bytes(dword.try_into().expect("a dword"))).collect()
}

/// Returns the floats of a variable, which are all defined.
pub fn floats(program: &Program, group: &Group, name: &str) -> Vec<f32> {
    dwords(program, group, name).into_iter().map(f32::from_bits).collect()
}

/// Returns numbers that repeat after a long time, to fill images.
pub fn noise(count: usize, seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2_654_435_761) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 11) as u8
    };
    (0..count).map(|_| next()).collect()
}
