"""A corpus → 16-bit mono 16 kHz files and a manifest, begun again where it was interrupted."""
