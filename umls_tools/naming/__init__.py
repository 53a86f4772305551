"""Which names of a concept may be shown to a person or asked with, and in which text."""
