"""The one error that this package raises for bad input."""


class RrfError(ValueError):
    """A Metathesaurus file or folder that cannot be used, with the place and the remedy."""
