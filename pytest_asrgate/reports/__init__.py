"""Verdicts → what people and machines read: hypothesis files, JSON, the table, the failure message."""
