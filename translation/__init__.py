"""Translation engines, the memory in front of them, and what must hold between the two."""
