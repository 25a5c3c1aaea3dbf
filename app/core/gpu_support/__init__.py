"""Which framework can use which card; if not, why, and what to do."""
