"""Score run files against a release: what trec_eval -c says, and what it does not.

Needs numpy and pyarrow only, and nothing else of the project: it also lies in every release.
"""

VERSION = "0.1.0"
"""Part of every result's signature; it changes whenever a value could."""
