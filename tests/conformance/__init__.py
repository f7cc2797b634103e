"""Against figures that others published."""
