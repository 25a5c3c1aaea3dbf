"""What the whole program speaks of: workload, machine, traced step, prediction, measurement, errors.  No algorithm."""
