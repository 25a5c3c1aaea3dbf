"""A workload's model: built from the catalog, a saved file or the user's function, then changed as the plan says."""
