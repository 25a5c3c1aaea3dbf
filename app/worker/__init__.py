"""Runs in the child process only: tracing, benchmarks, micro-benchmarks."""
