"""How much memory a step needs: the allocator simulated, replayed and refined."""
