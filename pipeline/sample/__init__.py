"""A small benchmark's worth of sources, written for this project: nothing of it is UMLS text."""
