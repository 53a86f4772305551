"""Keys that no two tasks may share: claiming them and proving that none is shared."""
