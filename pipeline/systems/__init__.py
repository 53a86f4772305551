"""Retrieval systems that answer a release's queries and write TREC run files."""
