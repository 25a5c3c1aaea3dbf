"""Small views that know nothing of the application."""
