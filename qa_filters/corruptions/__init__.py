"""Errors of a known kind, planted into good translations to see who finds them."""
