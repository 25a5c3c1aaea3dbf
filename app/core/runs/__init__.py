"""What measured runs say: comparisons, doubts, what a step waited for, memory over time."""
