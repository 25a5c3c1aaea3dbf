"""The workload that is open and the doors to the services."""
