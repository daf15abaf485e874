from __future__ import annotations

from typing import TypedDict


class Field(TypedDict):
    """A field of a file or of an instruction."""

    name: str
    offset: int
    """The offset of the first byte in the file."""
    size: int
    """The number of bytes."""
    value: str
    """The value; empty for a group of fields."""
    meaning: str
    """An explanation of the value, or the string or label that it refers to. May be empty."""
    parts: list[Field]
    """The fields of a group, or of an operand."""
