//! Accesses to storage, compared with a model of each lane and byte.
