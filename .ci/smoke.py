"""Tests an installed wheel of the Python package: reads, assembles and runs a command. Needs no other package."""

import json
import subprocess
import sysconfig
from pathlib import Path

import genvisa

TEXT = '.version 3.6\n.kernel "k"\n.decl V32 v_type=G type=d num_elts=8\nmov (M1, 8) V32(0,0)<1> 0x1:d\nret (M1, 1)\n'

file = Path("k.isa")
file.write_bytes(genvisa.assemble(TEXT))
(routine,) = genvisa.read(file).routines
assert [instruction.mnemonic for instruction in routine.instructions] == ["mov", "ret"]
command = Path(sysconfig.get_path("scripts"), "genvisa")
output = subprocess.run([command, "stats", "--json", "--registers=32", file], stdout=subprocess.PIPE, check=True).stdout
assert json.loads(output) == genvisa.stats(file, registers=32)
print(f"genvisa {genvisa.__version__}: the wheel works")
