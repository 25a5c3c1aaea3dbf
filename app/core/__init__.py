"""What we know: arithmetic on models, machines and plans.  Python and NumPy only."""
