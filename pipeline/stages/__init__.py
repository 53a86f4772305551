"""One Beam composite per box of the figure: wiring only, the work is done elsewhere."""
