"""What differs between two releases, and which version the newer one must bear for it."""
