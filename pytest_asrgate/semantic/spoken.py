"""Informal speech written in full, and each filler in one spelling."""

import re

__all__ = ["PAIRS", "SPLIT", "SPOKEN", "fold_filler"]

# One word, and what it is in full.
SPOKEN: dict[str, tuple[str, ...]] = {
    word: tuple(full.split())
    for word, full in {
        "gonna": "going to", "wanna": "want to", "gotta": "got to", "hafta": "have to", "oughta": "ought to",
        "tryna": "trying to", "kinda": "kind of", "sorta": "sort of", "lotta": "lot of", "outta": "out of",
        "lemme": "let me", "gimme": "give me", "dunno": "do not know", "shoulda": "should have",
        "coulda": "could have", "woulda": "would have", "musta": "must have", "imma": "i am going to",
        "whatcha": "what are you", "y'know": "you know", "yknow": "you know", "c'mon": "come on",
        "cmon": "come on", "d'you": "do you", "ya": "you", "yeah": "yes", "yep": "yes", "yup": "yes", "yea": "yes",
        "nope": "no", "nah": "no", "naw": "no", "mhm": "yes", "mmhmm": "yes", "uhhuh": "yes", "ok": "okay",
        "okey": "okay", "cuz": "because", "coz": "because", "thru": "through", "tho": "though",
        "altho": "although", "til": "until", "alright": "all right", "pls": "please", "thx": "thanks",
        "nite": "night", "goin": "going", "doin": "doing", "nothin": "nothing", "somethin": "something",
        "comin": "coming", "runnin": "running", "lookin": "looking", "talkin": "talking", "tryin": "trying",
        "gettin": "getting", "makin": "making", "sayin": "saying", "workin": "working", "thinkin": "thinking",
        "feelin": "feeling", "livin": "living", "playin": "playing", "'cause": "because", "'em": "them",
        "'til": "until", "'bout": "about", "'tis": "it is", "'twas": "it was",
        "'ll": "will", "etcetera": "et cetera",
        "ma'am": "maam", "n't": "not", "twas": "it was", "tis": "it is",
    }.items()
}  # fmt: skip

# Two words that stand beside each other, with a hyphen or a blank between them, and what they are together.
PAIRS: dict[tuple[str, str], str] = {
    ("mm", "hmm"): "yes", ("mm", "hm"): "yes", ("mhm", "hmm"): "yes", ("m", "hm"): "yes", ("um", "hmm"): "yes",
    ("uh", "huh"): "yes", ("nuh", "uh"): "no",
    ("e", "mail"): "email", ("e", "mails"): "emails", ("e", "mailed"): "emailed", ("e", "mailing"): "emailing",
    ("per", "cent"): "percent", ("o", "clock"): "oclock",
    # After `U.S.` is one word, it is so too where the letters stand apart.
    ("u", "s"): "usa", ("u", "k"): "uk",
}  # fmt: skip

# Contractions whose parts stand apart, as in texts that were cut into tokens, where the first part is no word.
SPLIT: dict[tuple[str, str], str] = {
    ("wo", "n't"): "will not", ("ca", "n't"): "can not", ("sha", "n't"): "shall not", ("ai", "n't"): "is not",
}  # fmt: skip

_FILLERS = (
    (re.compile(r"u+h*m+|erm+"), "um"),
    (re.compile(r"u+h+"), "uh"),
    (re.compile(r"h+m+|m{2,}"), "hmm"),
    (re.compile(r"a+h+"), "ah"),
    (re.compile(r"oh+"), "oh"),
)


def fold_filler(word: str) -> str:
    """One spelling for each sound that fills a pause: `um`, `uh`, `hmm`, `ah`, `oh`; other words as they are.

    `er` stays as it is, since `the ER` is a place: the rule for fillers sees which it is.
    """
    if word[0] not in "uehmao":
        return word
    for pattern, filler in _FILLERS:
        if pattern.fullmatch(word):
            return filler
    return word
