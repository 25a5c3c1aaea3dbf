"""The form of model, data and plan, and the Python that trains."""
