"""Restores the texts that a release of the profile `ids` withholds, from the user's own META."""

from pipeline.hydrate.run import Hydrated, hydrate

__all__ = ["Hydrated", "hydrate"]
