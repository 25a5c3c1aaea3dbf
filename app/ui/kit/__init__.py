"""Building blocks of every page: labels, plots, tables, theme, language, background tasks."""
