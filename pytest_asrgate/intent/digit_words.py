"""The words for 0 to 9 in ten Indian languages, as digits are spoken one by one, with common spellings."""

from collections.abc import Mapping

from pytest_asrgate.intent.reading import folded

__all__ = ["DIGIT_WORDS", "DOUBTFUL"]

# For each language ten groups, from 0 to 9, parted by `|`.
_WORDS = {
    "hi": "शून्य ज़ीरो जीरो|एक|दो|तीन|चार|पाँच पांच|छह छः छ|सात|आठ|नौ",
    "bn": "শূন্য জিরো|এক|দুই|তিন|চার|পাঁচ|ছয়|সাত|আট|নয়",
    "mr": "शून्य|एक|दोन|तीन|चार|पाच|सहा|सात|आठ|नऊ",
    "ml": ("പൂജ്യം|ഒന്ന് ഒന്നു|രണ്ട് രണ്ടു|മൂന്ന് മൂന്നു|നാല് നാലു|അഞ്ച് അഞ്ചു|ആറ് ആറു|ഏഴ് ഏഴു|എട്ട് എട്ടു|ഒൻപത് ഒമ്പത് ഒൻപതു ഒമ്പതു"),
    "kn": "ಸೊನ್ನೆ ಶೂನ್ಯ|ಒಂದು|ಎರಡು|ಮೂರು|ನಾಲ್ಕು|ಐದು|ಆರು|ಏಳು|ಎಂಟು|ಒಂಬತ್ತು",
    "ta": ("பூஜ்யம் பூஜ்ஜியம் சுழியம்|ஒன்று ஒண்ணு|இரண்டு ரெண்டு|மூன்று மூணு|நான்கு நாலு|ஐந்து அஞ்சு|ஆறு|ஏழு|எட்டு|ஒன்பது ஒம்பது"),
    "te": "సున్నా సున్న|ఒకటి|రెండు|మూడు|నాలుగు|ఐదు అయిదు|ఆరు|ఏడు|ఎనిమిది|తొమ్మిది",
    "gu": "શૂન્ય|એક|બે|ત્રણ|ચાર|પાંચ|છ|સાત|આઠ|નવ",
    "or": "ଶୂନ ଶୂନ୍ୟ|ଏକ|ଦୁଇ|ତିନି|ଚାରି|ପାଞ୍ଚ|ଛଅ|ସାତ|ଆଠ|ନଅ",
    "pa": "ਸਿਫ਼ਰ ਜ਼ੀਰੋ|ਇੱਕ ਇਕ|ਦੋ|ਤਿੰਨ|ਚਾਰ|ਪੰਜ|ਛੇ|ਸੱਤ|ਅੱਠ|ਨੌਂ",
}


def _table(groups: str) -> Mapping[str, str]:
    return {folded(word): str(digit) for digit, group in enumerate(groups.split("|")) for word in group.split()}


# By language, each folded word with its digit.
DIGIT_WORDS: Mapping[str, Mapping[str, str]] = {code: _table(groups) for code, groups in _WORDS.items()}

# Words that mean something else too, so that alone they are no digit for sure: `दो` is also "give", `নয়` "is not",
# `ഒന്ന്` "once, please", `ആറ്` and `ஆறு` "river", `ಏಳು` "get up", `ఏడు` "cry", `નવ` "new".
DOUBTFUL: Mapping[str, frozenset[str]] = {
    code: frozenset(map(folded, words.split()))
    for code, words in {
        "hi": "दो",
        "bn": "নয়",
        "ml": "ഒന്ന് ഒന്നു ആറ് ആറു",
        "kn": "ಏಳು",
        "ta": "ஆறு அஞ்சு ஒண்ணு",
        "te": "ఏడు ఆరు",
        "gu": "નવ બે",
    }.items()
}
