"""The files in which hypotheses, references and scores are kept; every odd one is refused by file, line and id."""
