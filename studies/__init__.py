"""How good and how fast the program is: tables that measure it.  None of this is a test, and the program needs none."""
