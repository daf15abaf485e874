//! Where the elements of operands are in the bytes of all variables.

use genvisa::operand::{DataType, Region, Stride, VarId, Vector, VectorKind};

use super::{Context, first_lane};
use crate::fault::{FaultKind, Problem, Result};
use crate::program::Variable;
use crate::state::Strided;
use crate::value::{MAX_LANES, set_bits};

/// Where the elements of lanes are in the bytes of all variables.
pub(super) enum Places {
    /// They have the same distances.
    Strided(Strided),
    /// They are here; those of lanes without a place are nowhere.
    Each { places: Box<[u32; MAX_LANES]>, lanes: u32 },
}

impl Places {
    /// Returns the position of the element of the first lane.
    pub fn first(&self) -> usize {
        match self {
            Places::Strided(elements) => elements.start,
            Places::Each { places, .. } => places[0] as usize,
        }
    }
}

impl Context<'_> {
    /// Returns the type of a general or indirect operand, and where the elements of lanes are.
    ///
    /// A lane that is not active has no place if `reads` is set and its address is wrong: code that ignores the
    /// execution mask looks for the first active lane, and there may be none in its half of the thread.
    pub(super) fn places(
        &self,
        operand: &Vector,
        lanes: u32,
        reads: bool,
    ) -> Result<(DataType, Places)> {
        match operand.kind {
            VectorKind::General { var, row, col, region } => {
                let variable = self.code.variable(var)?;
                let size = variable.ty.size() as i64;
                let row = i64::from(row) * i64::from(self.register_bytes());
                let start = row + i64::from(col) * size;
                let steps = Steps::new(region, size);
                let places = match steps.strided(variable, start, lanes) {
                    Some(elements) => Places::Strided(elements),
                    None => self.each_place(var, variable, start, &steps, lanes)?,
                };
                Ok((variable.ty, places))
            }
            VectorKind::Indirect { addr, addr_offset, offset, ty, region } => {
                let (ty, size) = (ty.ty(), ty.ty().size() as i64);
                let steps = Steps::new(region, size);
                // Without a vertical stride, each row has an address.
                let has_rows = region.vertical() == Stride::NULL && region.width() != Stride::NULL;
                let (mut places, mut found) = (Box::new([0; MAX_LANES]), lanes);
                for lane in set_bits(lanes) {
                    let row = if has_rows { lane / steps.width } else { 0 };
                    let element = usize::from(addr_offset) + row;
                    let place = || {
                        let pointer = self.registers.address(self.code, addr, element)?;
                        let variable = self.code.variable(pointer.variable)?;
                        let at = pointer.offset + i64::from(offset) + steps.of(lane);
                        self.place(pointer.variable, variable, at, variable.storage, size)
                    };
                    match place() {
                        Ok(place) => places[lane] = place,
                        Err(_) if reads && !self.is_active(lane) => found &= !(1 << lane),
                        Err(kind) => return Err(Problem::from(kind).lane(lane as u32)),
                    }
                }
                Ok((ty, Places::Each { places, lanes: found }))
            }
            _ => Err(FaultKind::Malformed("the operand is not in a variable".into()).into()),
        }
    }

    /// Returns the places of the elements of a variable, one by one.
    fn each_place(
        &self,
        id: VarId,
        variable: &Variable,
        start: i64,
        steps: &Steps,
        lanes: u32,
    ) -> Result<Places> {
        let mut places = Box::new([0; MAX_LANES]);
        for lane in set_bits(lanes) {
            let at = start + steps.of(lane);
            places[lane] = self
                .place(id, variable, at, variable.size, steps.size)
                .map_err(|kind| Problem::from(kind).lane(lane as u32))?;
        }
        Ok(Places::Each { places, lanes })
    }

    /// Returns whether a lane of the instruction is active, whatever the instruction does with the mask.
    fn is_active(&self, lane: usize) -> bool {
        let instruction = self.code.instructions().get(self.index as usize);
        let first = instruction.map_or(0, first_lane) as usize;
        self.active.checked_shr((first + lane) as u32).is_some_and(|lanes| lanes & 1 != 0)
    }

    /// Returns the position of an element of a variable, which has to be in its first `bound` bytes.
    #[inline]
    fn place(
        &self,
        id: VarId,
        variable: &Variable,
        at: i64,
        bound: u32,
        size: i64,
    ) -> std::result::Result<u32, FaultKind> {
        if at < 0 || at + size > i64::from(bound) {
            return Err(self.outside(id, at, size as u32, bound));
        }
        Ok((variable.start as i64 + at) as u32)
    }
}

/// The distances of the elements of a region, in bytes.
struct Steps {
    vertical: i64,
    /// The number of elements of a row, which is a power of two.
    width: usize,
    horizontal: i64,
    /// The size of an element.
    size: i64,
}

impl Steps {
    fn new(region: Region, size: i64) -> Steps {
        let horizontal = region.horizontal().elements().unwrap_or(1) as i64;
        let is_dst = region.vertical() == Stride::NULL && region.width() == Stride::NULL;
        // The rows of a destination follow each other.
        let width = if is_dst { MAX_LANES } else { region.width().elements().unwrap_or(1).max(1) };
        let vertical = region.vertical().elements().unwrap_or(0) as i64;
        Steps { vertical: vertical * size, width, horizontal: horizontal * size, size }
    }

    /// Returns the distance of the element of a lane from the first.
    #[inline]
    fn of(&self, lane: usize) -> i64 {
        let row = lane >> self.width.trailing_zeros();
        let column = lane & (self.width - 1);
        row as i64 * self.vertical + column as i64 * self.horizontal
    }

    /// Returns the elements of lanes of a variable, from a place on, if all are in it and have the same distances.
    #[inline]
    fn strided(&self, variable: &Variable, start: i64, lanes: u32) -> Option<Strided> {
        let last = 31u32.checked_sub(lanes.leading_zeros())?;
        let stride = match self.width {
            1 => self.vertical,
            width if (last as usize) < width => self.horizontal,
            width if self.vertical == width as i64 * self.horizontal => self.horizontal,
            _ => return None,
        };
        let end = start + i64::from(last) * stride + self.size;
        (end <= i64::from(variable.size)).then_some(Strided {
            start: variable.start + start as usize,
            stride: stride as usize,
            size: self.size as usize,
        })
    }
}
