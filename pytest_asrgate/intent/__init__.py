"""Whether the intent and the entities of what was said survived: rules, two questions to a judge, and our sums."""
