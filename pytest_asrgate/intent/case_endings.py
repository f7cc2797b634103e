"""Endings of case, number and emphasis that are written behind nouns of ten Indian languages, without their stems.

They begin with a letter: an ending that begins with a vowel sign changes the last letter of its word.
"""

__all__ = ["CASE_ENDINGS"]

_ENDINGS = (
    # Hindi, where a postposition is written as one with its word.
    "ने को का की के से में पर तक जी "
    # Marathi.
    "ला त चा ची चे च्या च्याकडे मध्ये साठी वर नी हून तून कडे "
    # Bengali.
    "র কে তে য় য়ে য়ের এর রা দের টা টি টার টির গুলো "
    # Gujarati.
    "ને નો ની નું ના માં થી એ "
    # Punjabi.
    "ਨੇ ਨੂੰ ਦਾ ਦੇ ਦੀ ਤੋਂ ਵਿੱਚ "
    # Odia.
    "ରେ କୁ ରୁ ର ଙ୍କ ଙ୍କୁ ଙ୍କର "
    # Tamil.
    "யில் யின் யை யால் யும் யிலிருந்து வில் வின் வை வுக்கு விடம் யிடம் விலிருந்து க்கு "
    # Telugu.
    "కి కు ని నికి ను లో తో గారు గారి గారికి నుండి "
    # Kannada.
    "ಗೆ ನ್ನು ನನ್ನು ಯನ್ನು ವನ್ನು ಯಲ್ಲಿ ದಲ್ಲಿ ನಲ್ಲಿ ಯಿಂದ ನಿಗೆ ಕ್ಕೆ ಯ ನ "
    # Malayalam.
    "യിൽ യെ യുടെ യ്ക്ക് ക്ക് യിലേക്ക് വിൽ വിന്റെ വിനെ നെ ന്റെ യോട് നോട്"
)

CASE_ENDINGS = frozenset(_ENDINGS.split())
