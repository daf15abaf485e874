//! Cubes: the face that a direction meets, and the texels beyond the edges of a face.
//!
//! The page of 3D_SAMPLE says only that u, v and r are x, y and z. Faces, their coordinates and filters across edges
//! follow Vulkan ("Cube Map Face Selection", "Cube Map Derivative Transformation", "Cube Map Edge Handling") and
//! Direct3D, which agree: the faces are +x, -x, +y, -y, +z and -z.

use crate::fault::{FaultKind, Result};
use crate::surface::Dimensions;

/// An axis, 0 to 2, and its direction.
type Axis = (usize, f64);

/// The axes of the coordinates s and t of each face, and the axis to which the face is normal.
const FACES: [[Axis; 3]; Dimensions::CUBE_FACES as usize] = [
    [(2, -1.0), (1, -1.0), (0, 1.0)],
    [(2, 1.0), (1, -1.0), (0, -1.0)],
    [(0, 1.0), (2, 1.0), (1, 1.0)],
    [(0, 1.0), (2, -1.0), (1, -1.0)],
    [(0, 1.0), (1, -1.0), (2, 1.0)],
    [(0, -1.0), (1, -1.0), (2, -1.0)],
];

/// Returns the face that a direction meets, and where: s and t, from 0 to 1. On an edge, z precedes y, and y
/// precedes x.
pub(super) fn project(direction: [f64; 3]) -> Result<(usize, [f64; 2])> {
    let [x, y, z] = direction.map(f64::abs);
    let longest = x.max(y).max(z);
    if !direction.iter().all(|coordinate| coordinate.is_finite()) || longest == 0.0 {
        let [x, y, z] = direction;
        let what = format!("a sample of a cube in direction ({x}, {y}, {z})");
        return Err(FaultKind::NotDefined(what).into());
    }
    let axis = [2, 1, 0].into_iter().find(|axis| direction[*axis].abs() == longest).unwrap_or(0);
    let face = 2 * axis + usize::from(direction[axis] < 0.0);
    let [sc, tc, _] = in_face(face, direction);
    Ok((face, [sc, tc].map(|coordinate| (coordinate / longest + 1.0) / 2.0)))
}

/// Returns the derivatives of s and t, given those of the direction.
pub(super) fn derivative(direction: [f64; 3], change: [f64; 3]) -> Result<[f64; 3]> {
    let (face, _) = project(direction)?;
    let [sc, tc, rc] = in_face(face, direction);
    let [dsc, dtc, drc] = in_face(face, change);
    let quotient = |number: f64, change: f64| (change * rc - number * drc) / (rc * rc) / 2.0;
    Ok([quotient(sc, dsc), quotient(tc, dtc), 0.0])
}

/// Returns the texels, as x, y and the face, that are at a place of a face or beyond one of its edges. Beyond a corner,
/// there are the three texels that meet there, of which a filter uses the mean.
pub(super) fn texels(face: usize, place: [i64; 2], size: u32) -> Result<Vec<[u32; 3]>> {
    let last = i64::from(size) - 1;
    let [x, y] = place;
    let inner = place.map(|coordinate| coordinate.clamp(0, last));
    Ok(match place.map(|coordinate| (0..=last).contains(&coordinate)) {
        [true, true] => vec![[x as u32, y as u32, face as u32]],
        [false, false] => vec![
            [inner[0] as u32, inner[1] as u32, face as u32],
            neighbour(face, [x, inner[1]], size)?,
            neighbour(face, [inner[0], y], size)?,
        ],
        _ => vec![neighbour(face, place, size)?],
    })
}

/// Returns the texel beyond an edge of a face, by folding the face along the edge.
fn neighbour(face: usize, place: [i64; 2], size: u32) -> Result<[u32; 3]> {
    let size = f64::from(size);
    // The distance of the middle of a texel from the middle of the face, in halves of a texel.
    let middle = |coordinate: i64| (2 * coordinate + 1) as f64 - size;
    let [s, t] = place.map(|coordinate| middle(coordinate).clamp(-size, size));
    let mut direction = [0.0; 3];
    for ((axis, sign), coordinate) in FACES[face].into_iter().zip([s, t, size - 1.0]) {
        direction[axis] = sign * coordinate;
    }
    let (face, place) = project(direction)?;
    let [x, y] = place.map(|coordinate| (coordinate * size) as u32);
    Ok([x, y, face as u32])
}

/// Returns a direction in the axes of a face.
fn in_face(face: usize, direction: [f64; 3]) -> [f64; 3] {
    FACES[face].map(|(axis, sign)| sign * direction[axis])
}
