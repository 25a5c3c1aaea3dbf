"""What a verdict, a fit, a run, an advice, a machine and a profile say: rows, marks, labels and texts, laid out once.

The window, the terminal and the reports render it; it knows none of them.
"""
