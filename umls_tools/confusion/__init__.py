"""Confusion sets: for one gold concept, the concepts it is most easily taken for."""
