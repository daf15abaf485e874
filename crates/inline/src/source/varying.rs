//! What differs between the lanes of a subgroup.

use alloc::collections::BTreeMap;

/// Functions of OpenCL C, SYCL and SPIR-V without arguments.
const FUNCTIONS: [&str; 8] = [
    "get_sub_group_local_id",
    "get_local_linear_id",
    "get_global_linear_id",
    "__spirv_SubgroupLocalInvocationId",
    "__spirv_BuiltInSubgroupLocalInvocationId",
    "__spirv_LocalInvocationIndex",
    "__spirv_BuiltInLocalInvocationIndex",
    "__spirv_BuiltInGlobalLinearId",
];

/// Functions that return a number for a dimension.
const OF_DIMENSIONS: [&str; 4] = [
    "get_local_id",
    "get_global_id",
    "__spirv_BuiltInLocalInvocationId",
    "__spirv_BuiltInGlobalInvocationId",
];

/// Returns whether the result of a function differs between lanes. `argument` returns its argument, if it
/// is a number. Lanes differ in dimension 0, and in the others if groups may have any size.
pub(super) fn is_function(
    name: &str,
    has_any_group_size: bool,
    argument: impl FnOnce() -> Option<u64>,
) -> bool {
    let is_varying = |dimension| dimension == 0 || dimension < 3 && has_any_group_size;
    FUNCTIONS.contains(&name) || OF_DIMENSIONS.contains(&name) && argument().is_some_and(is_varying)
}

/// The values of a SPIR-V module that certainly differ between lanes.
#[derive(Debug, Default)]
pub(super) struct SpirvValues(BTreeMap<u32, Shape>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// A number or a pointer.
    Scalar,
    /// The ids of three dimensions, or a pointer to them.
    Dimensions,
}

impl SpirvValues {
    /// Records a variable with the decoration `BuiltIn`.
    pub(super) fn decorate(&mut self, variable: u32, built_in: u32) {
        let shape = match built_in {
            // LocalInvocationId and GlobalInvocationId.
            27 | 28 => Shape::Dimensions,
            // LocalInvocationIndex, GlobalLinearId and SubgroupLocalInvocationId.
            29 | 34 | 41 => Shape::Scalar,
            _ => return,
        };
        self.0.insert(variable, shape);
    }

    /// Records the result of an instruction. The operands follow the result.
    pub(super) fn define(&mut self, opcode: u32, result: u32, operands: &[u32]) {
        // Other operands are numbers.
        let ids = match opcode {
            // OpLoad, OpCompositeExtract, conversions and OpBitcast.
            61 | 81 | 111..=115 | 124 => 1,
            // OpIAdd and OpISub.
            128 | 130 => 2,
            // Access chains.
            65..=67 | 70 => operands.len(),
            _ => return,
        };
        let ids = operands.get(..ids).unwrap_or_default();
        let mut varying = ids.iter().filter_map(|operand| self.0.get(operand));
        let (Some(shape), None) = (varying.next().copied(), varying.next()) else { return };
        let shape = match (opcode, shape, operands) {
            (61, shape, _) => shape,
            // Dimension 0.
            (81, Shape::Dimensions, [_, 0]) => Shape::Scalar,
            (81, ..) | (_, Shape::Dimensions, _) => return,
            _ => Shape::Scalar,
        };
        self.0.insert(result, shape);
    }

    /// Returns whether a value certainly differs between lanes.
    pub(super) fn contains(&self, id: u32) -> bool {
        self.0.get(&id) == Some(&Shape::Scalar)
    }
}
