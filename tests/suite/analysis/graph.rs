//! Control-flow graphs, dominators, loops and divergence.
