//! Statistics of routines.
