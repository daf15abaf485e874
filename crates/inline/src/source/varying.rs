//! The functions whose results differ between the lanes of a subgroup.

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
