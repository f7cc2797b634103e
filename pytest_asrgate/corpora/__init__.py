"""Corpora as they are downloaded or installed, one shape a file: where each sound and its transcript are."""
