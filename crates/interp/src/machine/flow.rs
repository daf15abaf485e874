//! Control flow: where lanes continue after an instruction (3_execution_model.md).

use genvisa::Instruction;
use genvisa::operand::{BarrierMode, Exec, IfcallFlags, LabelId, Pred, StringId, Vector};

use crate::context::Context;
use crate::fault::{FaultKind, Result};
use crate::program::is_marker;

/// Where lanes continue. Lanes that are not named continue at the next instruction.
pub(super) enum Flow {
    /// All lanes continue at the next instruction.
    Next,
    /// Lanes of the thread continue at an instruction.
    Jump { lanes: u32, target: u32 },
    /// Lanes call a subroutine.
    Call { lanes: u32, target: u32 },
    /// Lanes return from a subroutine, or end.
    Return { lanes: u32 },
    /// Lanes call a function, which has its own variables.
    StackCall { lanes: u32, routine: usize },
    /// Lanes return from a function.
    StackReturn { lanes: u32 },
    /// The thread waits until all threads of the group do.
    Barrier,
    /// The thread signals a split barrier.
    Signal,
    /// The thread waits until all threads have signalled the split barrier.
    Wait,
    /// The thread signals a named barrier.
    NamedSignal(Signal),
    /// The thread waits for a named barrier that it has signalled.
    NamedWait { id: u8 },
}

/// The signal of a named barrier (NBARRIER.md).
#[derive(Clone, Copy, Debug)]
pub(super) struct Signal {
    pub id: u8,
    pub produces: bool,
    pub consumes: bool,
    pub producers: u32,
    pub consumers: u32,
}

/// Returns where lanes continue after an instruction; `None` if it does not change control flow.
pub(super) fn flow(cx: &mut Context<'_>, instruction: &Instruction) -> Result<Option<Flow>> {
    Ok(Some(match instruction {
        marker if is_marker(marker) => Flow::Next,
        Instruction::Yield(_) => Flow::Next,
        Instruction::Goto(goto) => jump(cx, goto.exec, goto.pred, goto.label)?,
        Instruction::Jmp(jmp) => jump(cx, jmp.exec, jmp.pred, jmp.label)?,
        Instruction::SwitchJmp(switch) => {
            let (_, index) = cx.scalar(&switch.index, "index")?;
            let label = usize::try_from(index).ok().and_then(|index| switch.labels.get(index));
            let Some(label) = label else {
                return Err(FaultKind::NotDefined(format!("index {index} of a switch")).into());
            };
            Flow::Jump { lanes: cx.active, target: target(cx, *label)? }
        }
        Instruction::Call(call) => {
            let lanes = lanes_of(cx, call.exec, call.pred)?;
            Flow::Call { lanes, target: target(cx, call.label)? }
        }
        Instruction::Ret(ret) => Flow::Return { lanes: lanes_of(cx, ret.exec, ret.pred)? },
        Instruction::Fcall(call) => {
            let lanes = lanes_of(cx, call.exec, call.pred)?;
            let name = cx.code.name_of(StringId(call.func_id.0.into()));
            let routine = cx.shared.program.function(&name).ok_or_else(|| {
                FaultKind::Malformed(format!("function `{name}` is not in the program"))
            })?;
            Flow::StackCall { lanes, routine }
        }
        Instruction::Ifcall(call) => {
            // The address is a scalar in any case.
            let others = call.modifiers.unwrap_or_default() - IfcallFlags::UNIFORM;
            if !others.is_empty() {
                return Err(FaultKind::not_modelled("this form of ifcall").into());
            }
            let lanes = lanes_of(cx, call.exec, call.pred)?;
            let (_, address) = cx.scalar(&call.func_addr, "func_addr")?;
            let routine = cx.shared.program.function_at(address).ok_or_else(|| {
                FaultKind::NotDefined(format!("a call of {address:#x}, which is no function,"))
            })?;
            Flow::StackCall { lanes, routine }
        }
        Instruction::Fret(ret) => Flow::StackReturn { lanes: lanes_of(cx, ret.exec, ret.pred)? },
        Instruction::Barrier(_) => Flow::Barrier,
        Instruction::Sbarrier(barrier) => match barrier.mode {
            BarrierMode::SIGNAL => Flow::Signal,
            BarrierMode::WAIT => Flow::Wait,
            _ => return Err(FaultKind::not_modelled("this mode of a barrier").into()),
        },
        Instruction::Nbarrier(barrier) => {
            let byte =
                |operand: &Vector, field| -> Result<u64> { Ok(cx.scalar(operand, field)?.1) };
            let id = byte(&barrier.id, "id")? as u8;
            match barrier.mode {
                BarrierMode::WAIT => Flow::NamedWait { id },
                BarrierMode::SIGNAL => {
                    let producers = byte(&barrier.num_producers, "num_producers")? as u32;
                    // The short form has one number, of threads that do both.
                    let consumers = match &barrier.num_consumers {
                        Some(operand) => byte(operand, "num_consumers")? as u32,
                        None => producers,
                    };
                    let role = match &barrier.barrier_type {
                        Some(operand) => byte(operand, "barrier_type")?,
                        None => 0,
                    };
                    let (produces, consumes) = (role != 2, role != 1);
                    Flow::NamedSignal(Signal { id, produces, consumes, producers, consumers })
                }
                _ => return Err(FaultKind::not_modelled("this mode of a barrier").into()),
            }
        }
        _ => return Ok(None),
    }))
}

fn jump(cx: &Context<'_>, exec: Exec, pred: Pred, label: LabelId) -> Result<Flow> {
    Ok(Flow::Jump { lanes: lanes_of(cx, exec, pred)?, target: target(cx, label)? })
}

/// Returns the lanes of the thread that an instruction moves. One with one lane moves all active lanes.
fn lanes_of(cx: &Context<'_>, exec: Exec, pred: Pred) -> Result<u32> {
    if exec.size.lanes() == 1 {
        if pred.is_none() {
            return Ok(cx.active);
        }
        let taken = cx.selected(exec, pred, 1)? & 1 != 0;
        return Ok(if taken { cx.active } else { 0 });
    }
    let enabled = cx.enabled(exec, pred)?;
    Ok(enabled << exec.mask.first_lane() & cx.active)
}

fn target(cx: &Context<'_>, label: LabelId) -> Result<u32> {
    Ok(cx.code.label(label)? as u32)
}
