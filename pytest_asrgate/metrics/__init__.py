"""Pure functions from texts to counts: no files, no engines, no opinions."""
