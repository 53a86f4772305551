"""The names nearest to a name, among millions, by the cosine of their character n-grams."""
