"""Filters that score a translated query first and decide second."""
