"""Ordinary Python over UMLS RRF files: concepts, relations, licences, linking, confusion sets."""
