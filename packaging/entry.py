"""Where a built program begins: PyInstaller wants a script, and `app.__main__` is a module of a package."""

import sys

from app.__main__ import main

sys.exit(main())
