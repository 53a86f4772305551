"""Build, release and score MMed-Bench-IR, a multilingual medical retrieval benchmark."""
