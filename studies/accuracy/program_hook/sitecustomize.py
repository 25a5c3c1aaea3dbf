"""On ``PYTHONPATH`` of every program of the table, bare or asked about: what it is given, and who looks on.

The program itself stays as its author wrote it.  ``WILLITTRAIN_MADE_UP`` names the folder of files that stand for
downloads (`made_up_network`); ``WILLITTRAIN_PEAK`` the file that takes the bare program's peak (`peak_reader`).
"""

import os
import sys

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
if os.environ.get("WILLITTRAIN_MADE_UP"):
    import made_up_network

    made_up_network.take_the_place_of_the_network(os.environ["WILLITTRAIN_MADE_UP"])
if os.environ.get("WILLITTRAIN_PEAK"):
    import peak_reader

    peak_reader.wait_for_fit(os.environ["WILLITTRAIN_PEAK"])
