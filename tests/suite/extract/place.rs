//! Replacement of objects and texts in their places.
