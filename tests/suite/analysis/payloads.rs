//! The bytes that messages transfer, from the pages of the instructions.
