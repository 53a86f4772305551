"""Reference pages in Markdown, made from docstrings, fields, schemas and the command line."""
