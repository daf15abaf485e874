"""vISA, the instruction set between Intel's GPU compilers and their finalizer."""

from . import _genvisa
from ._field import Field
from ._genvisa import *

__all__ = [*_genvisa.__all__, "Field"]
