//! `genvisa extract`: finds the vISA in other files.
