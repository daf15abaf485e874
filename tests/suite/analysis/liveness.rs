//! Liveness, compared with its definition applied to every path.
