//! Builds, encodes, decodes, prints, assembles and verifies a module, and checks inline assembly,
//! without the standard library, in an arena of fixed size.

#![no_std]
#![no_main]

extern crate alloc;

use alloc::string::String;
use core::alloc::{GlobalAlloc, Layout};
use core::sync::atomic::{AtomicUsize, Ordering};

use genvisa::build::Builder;
use genvisa::object::Align;
use genvisa::operand::{DataType, ExecSize};
use genvisa::text::{self, FileListing};
use genvisa::verify::Verifier;
use genvisa::{Format, Module};
use genvisa_inline::Checker;
use genvisa_inline::source::{self, Language};

// Provides the entry point, `memcpy` and similar functions.
#[link(name = "c")]
unsafe extern "C" {}

/// An allocator that never frees memory.
struct Arena;

const SIZE: usize = 4 << 20;

#[repr(align(16))]
struct Memory(core::cell::UnsafeCell<[u8; SIZE]>);

// SAFETY: every byte is allocated at most once.
unsafe impl Sync for Memory {}

static MEMORY: Memory = Memory(core::cell::UnsafeCell::new([0; SIZE]));
static USED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: blocks are disjoint, aligned and within the arena.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let size = layout.size() + layout.align();
        let start = USED.fetch_add(size, Ordering::Relaxed);
        if start + size > SIZE {
            return core::ptr::null_mut();
        }
        let at = MEMORY.0.get().cast::<u8>().wrapping_add(start);
        at.wrapping_add(at.align_offset(layout.align()))
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ARENA: Arena = Arena;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// The compiled `alloc` refers to this symbol, although this program does not unwind.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

#[unsafe(no_mangle)]
extern "C" fn _Unwind_Resume() -> ! {
    loop {}
}

fn run() -> Option<()> {
    let format = Format::default();
    let mut k = Builder::new("k", format);
    let x = k.add_variable("x", DataType::D, 8, Align::GRF);
    k.add(ExecSize::S8, x, x.region(8, 8, 1), 1i32).ret(ExecSize::S1);
    let mut module = Module::new(format);
    module.kernels.push(k.into_kernel().ok()?);
    let file = module.to_bytes().ok()?;
    let read = Module::from_bytes(&file, format.dialect).ok()?;
    let mut printed = String::new();
    FileListing::new(&read).write_to(&mut printed).ok()?;
    let again = text::parse(&printed, format).ok()?;
    let is_same = again == read && again.to_bytes().ok()? == file;
    let kernel = b"void f() { asm(\"barrier $\" :: \"rw\"(1)); }";
    let report = source::find(kernel, Language::C).blocks.first()?.check(&Checker::new())?;
    let is_same = is_same && report.findings.first()?.rule == "dollar-drop";
    (is_same && Verifier::new().check_module(&again).is_empty()).then_some(())
}

/// Returns 0 on success.
#[unsafe(no_mangle)]
pub extern "C" fn main() -> i32 {
    i32::from(run().is_none())
}
