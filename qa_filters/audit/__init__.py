"""A sheet of translations that people judge, and what their judgements come to."""
