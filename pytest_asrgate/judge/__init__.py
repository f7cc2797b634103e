"""A judge of meaning: one question about one text pair, its reply checked, voted on, kept, and paid for."""
