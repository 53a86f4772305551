"""Writing a release: tables, card, licence notices, manifest, certificate, all at once."""
