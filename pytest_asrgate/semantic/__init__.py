"""Semantic word error rate: only the differences that would change what an agent does."""
