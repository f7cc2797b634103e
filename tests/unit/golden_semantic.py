"""Pairs of texts with the counts that the rules alone must give, for each rule of the semantic error rate.

What is open counts as an error here, since nobody is asked. All sentences are our own.
"""

from dataclasses import dataclass

__all__ = ["GOLDEN", "Golden"]


@dataclass(frozen=True, slots=True)
class Golden:
    """S, D, I and N of a pair by rules alone; `decided` names who settled each difference, `open` for nobody."""

    topic: str
    reference: str
    hypothesis: str
    counts: tuple[int, int, int]
    words: int
    decided: tuple[str, ...] = ()


def _golden(topic: str, *rows: tuple[str, str, tuple[int, int, int], int, str]) -> list[Golden]:
    return [Golden(topic, *row[:4], tuple(row[4].split("+")) if row[4] else ()) for row in rows]


_NONE = (0, 0, 0)

GOLDEN: list[Golden] = [
    *_golden(
        "case",
        ("Call My Mother now", "call my mother now", _NONE, 4, ""),
        ("call my mother", "CALL MY BROTHER", (1, 0, 0), 3, "open"),
    ),
    *_golden(
        "punctuation",
        ("Stop, please. Now!", "stop please now", _NONE, 3, ""),
        ("Wait; then go, slowly.", "wait then go slowly", _NONE, 4, ""),
        ("Wait; then go, slowly.", "wait then go slower", (1, 0, 0), 4, "open"),
        ("[laughs] Wait; then go (noise).", "wait then go", _NONE, 3, ""),
    ),
    *_golden(
        "contractions",
        ("I'm sure we won't go", "I am sure we will not go", _NONE, 7, ""),
        ("don't wait for him", "do not wait for him", _NONE, 5, ""),
        ("don’t wait for him", "do not wait for him", _NONE, 5, ""),
        ("they're late again", "they are late again", _NONE, 4, ""),
        ("I can't come", "I can come", (0, 1, 0), 4, "negation"),
        ("we'll pay later", "we pay later", (0, 1, 0), 4, "open"),
    ),
    *_golden(
        "numbers",
        ("set 3 alarms", "set three alarms", _NONE, 3, ""),
        ("it costs $5", "it costs five dollars", _NONE, 4, ""),
        ("take the 1st exit", "take the first exit", _NONE, 4, ""),
        ("we need 2,000 chairs", "we need two thousand chairs", _NONE, 5, ""),
        ("wake me at 5:30", "wake me at five thirty", _NONE, 5, ""),
        ("room 25 is cold", "room two five is cold", _NONE, 5, "number"),
        ("on the 5th of May", "on the 5 of May", _NONE, 5, "number"),
        ("on the 5th floor", "on the 5 floor", (1, 0, 0), 4, "open"),
        ("room 25 is cold", "room 35 is cold", (1, 0, 0), 5, "number"),
        ("wake me at 5:30", "wake me at 5:40", (1, 0, 0), 5, "number"),
        ("pi is 3.5 for him", "pi is 3.50 for him", _NONE, 7, "number"),
        ("it is 3.50 now", "it is three fifty now", (1, 2, 0), 7, "open"),
        ("it is 3.50 now", "it is three sixty now", (1, 2, 0), 7, "number"),
        ("agent 007 called", "agent 7 called", (0, 2, 0), 5, "open"),
        ("wake me half past two", "wake me half past ten", (1, 0, 0), 5, "open"),
        ("it costs fifteen dollars", "it costs fifty dollars", (1, 0, 0), 4, "number"),
        ("I need two tickets", "I need to tickets", (1, 0, 0), 4, "open"),
        ("book two rooms", "book rooms", (0, 1, 0), 3, "open"),
        ("book rooms for us", "book nine rooms for us", (0, 0, 1), 4, "open"),
    ),
    *_golden(
        "fillers",
        ("um call Anna", "call Anna", _NONE, 3, "filler"),
        ("call Anna", "uh call Anna", _NONE, 2, "filler"),
        ("I want, you know, a taxi", "I want a taxi", _NONE, 6, "filler"),
        ("so book a table", "book a table", _NONE, 4, "filler"),
        ("well book a table", "so book a table", _NONE, 4, "filler"),
        ("I actually need a cab", "I need a cab", _NONE, 5, "filler"),
        ("it was, like, huge", "it was huge", _NONE, 4, "filler"),
        ("it was um like huge", "it was huge", _NONE, 5, "filler"),
        ("I like tea", "I tea", (0, 1, 0), 3, "open"),
        ("it was like new", "it was new", (0, 1, 0), 4, "open"),
        ("do you know the way", "do the way", (0, 2, 0), 5, "open"),
        ("it went well", "it went", (0, 1, 0), 3, "open"),
        ("it is not so cold", "it is not cold", (0, 1, 0), 5, "open"),
    ),
    *_golden(
        "abbreviations",
        ("Dr. Miller called", "doctor Miller called", _NONE, 3, ""),
        ("ask Mr. Stone", "ask mister stone", _NONE, 3, ""),
        ("pray to St. Mary", "pray to saint mary", _NONE, 4, ""),
        ("go to Main St.", "go to main street", _NONE, 4, ""),
        ("ask Dr. Miller", "ask mister Miller", (1, 0, 0), 3, "open"),
    ),
    *_golden(
        "spellings",
        ("my favourite colour", "my favorite color", _NONE, 3, ""),
        ("organise the centre", "organize the center", _NONE, 3, ""),
        ("my favourite colour", "my favorite collar", (1, 0, 0), 3, "open"),
    ),
    *_golden(
        "hyphens",
        ("a long-term plan", "a longterm plan", _NONE, 4, "hyphen"),
        ("a long-term plan", "a long term plan", _NONE, 4, ""),
        ("our wifi is slow", "our Wi-Fi is slow", _NONE, 4, "hyphen"),
        ("he drove every where", "he drove everywhere", _NONE, 4, "hyphen"),
        ("ask N A S A now", "ask NASA now", _NONE, 6, "hyphen"),
        ("our Wi-Fi is slow", "our wi fire is slow", (1, 0, 0), 5, "open"),
        ("he is not able to vote", "he is notable to vote", (1, 1, 0), 6, "open"),
        ("she is a part of us", "she is apart of us", (1, 0, 0), 6, "article+open"),
    ),
    *_golden(
        "spoken forms",
        ("I'm gonna call", "I am going to call", _NONE, 5, ""),
        ("yeah sure", "yes sure", _NONE, 2, ""),
        ("ok fine", "okay fine", _NONE, 2, ""),
        ("ok do it", "right do it", (1, 0, 0), 3, "open"),
        ("I wanna sleep", "I want to eat", (1, 0, 0), 4, "open"),
    ),
    *_golden(
        "symbols",
        ("salt & pepper", "salt and pepper", _NONE, 3, ""),
        ("meet me @ noon", "meet me at noon", _NONE, 4, ""),
        ("it grew by 20%", "it grew by twenty percent", _NONE, 5, ""),
        ("salt & pepper", "salt or pepper", (1, 0, 0), 3, "open"),
    ),
    *_golden(
        "possessives",
        ("clean the driver's seat", "clean the driver seat", _NONE, 4, "possessive"),
        ("find Mary's book", "find Mary book", _NONE, 3, "possessive"),
        ("my parents' house", "my parent house", _NONE, 3, "possessive"),
        ("all of my parents' money", "all of my parent money", _NONE, 5, "possessive"),
        ("an ogre's den", "an ogress den", (1, 0, 0), 3, "open"),
        ("check its engine", "check it engine", (1, 0, 0), 3, "open"),
        ("find Mary's book", "find Maria's book", (1, 0, 0), 3, "open"),
        ("in Mr. Williams' house", "in Mr. William house", (1, 0, 0), 4, "open"),
    ),
    *_golden(
        "plurals",
        ("renew my license", "renew my licenses", _NONE, 3, "plural"),
        ("where the children play", "where the child play", _NONE, 4, "plural"),
        ("move the boxes", "move the box", _NONE, 3, "plural"),
        ("near the city", "near the cities", _NONE, 3, "plural"),
        ("near the potatoes", "near the potato", _NONE, 3, "plural"),
        ("wait three minutes", "wait three minute", _NONE, 3, "number"),
        ("cancel all my tickets", "cancel all my ticket", (1, 0, 0), 4, "open"),
        ("lock both doors", "lock both door", (1, 0, 0), 3, "open"),
        ("clear customs", "clear custom", (1, 0, 0), 2, "open"),
        ("bring my glasses", "bring my glass", (1, 0, 0), 3, "open"),
        ("tell me the news", "tell me the new", (1, 0, 0), 4, "open"),
        ("fly to the United States", "fly to the United State", (1, 0, 0), 5, "open"),
        ("then ask Waters", "then ask Water", (1, 0, 0), 3, "open"),
        ("then ask James", "then ask Jame", (1, 0, 0), 3, "open"),
        ("for my boss", "for my bos", (1, 0, 0), 3, "open"),
    ),
    *_golden(
        "articles and grammar",
        ("a warning for the coast", "a warning for coast", _NONE, 5, "article"),
        ("eat an apple", "eat the apple", _NONE, 3, "article"),
        ("play song", "play a song", _NONE, 2, "article"),
        ("a few friends came", "few friends came", (0, 1, 0), 4, "open"),
        ("wait a little", "wait little", (0, 1, 0), 3, "open"),
        ("take vitamin A daily", "take vitamin daily", (0, 1, 0), 4, "open"),
        ("open the door", "open the the door", (0, 0, 1), 3, "open"),
        ("help me set up my phone", "help me setting up my phone", (1, 0, 0), 6, "open"),
        ("trace the card", "trade card", (1, 0, 0), 3, "open+article"),
    ),
    *_golden(
        "negation",
        ("I do not want it", "I want it", (0, 2, 0), 5, "negation"),
        ("do call him", "do not call him", (0, 0, 1), 3, "negation"),
        ("I am not home", "I am now home", (1, 0, 0), 4, "negation"),
        ("never call me", "ever call me", (1, 0, 0), 3, "negation"),
        ("tea with sugar", "tea without sugar", (1, 0, 0), 3, "negation"),
        ("nobody came", "no body came", _NONE, 2, "hyphen"),
        ("it is not good", "it is bad", (1, 1, 0), 4, "open"),
        ("the goal no one wants", "the goal number one wants", (1, 0, 0), 5, "open"),
        ("I shan’t go", "I shall not go", _NONE, 4, ""),
        ("no no stop", "no stop", (0, 1, 0), 3, "open"),
        ("we never go", "we not go", (1, 0, 0), 3, "open"),
        ("neither tea nor milk", "neither tea or milk", (1, 0, 0), 4, "open"),
    ),
    *_golden(
        "yes and no",
        ("yes please", "no please", (1, 0, 0), 2, "yes-no"),
        ("no thanks", "yeah thanks", (1, 0, 0), 2, "yes-no"),
        ("yes I will", "I will", (0, 1, 0), 3, "open"),
        ("yes I will", "okay I will", (1, 0, 0), 3, "open"),
    ),
    *_golden(
        "compounds",
        ("a cross-country race", "a koscanti race", (1, 0, 0), 4, "open"),
        ("a cross-country race", "a kosk anti race", (1, 0, 0), 4, "open"),
        ("a cross-country race", "a race", (0, 1, 0), 4, "open"),
        ("the state-of-the-art lab", "the lab", (0, 1, 0), 6, "open"),
        ("a race", "a cross-country race", (0, 0, 1), 2, "open"),
        ("a koscanti race", "a cross-country race", (1, 0, 0), 3, "open"),
        ("eat the red apple", "eat blue-green-grey apple", (2, 0, 0), 4, "open"),
    ),
    *_golden(
        "truncated words",
        ("I want to reme...", "I want to remember", _NONE, 4, "truncated"),
        ("we want to fly abor…", "we want to fly abroad", _NONE, 5, "truncated"),
        ("please open the win-", "please open the", _NONE, 4, "truncated"),
        ("I want to reme.", "I want to remember", (1, 0, 0), 4, "open"),
        ("it was very slow...", "it was very", (0, 1, 0), 4, "open"),
        ("it was very slow...", "it was very cheap", (1, 0, 0), 4, "open"),
    ),
    *_golden(
        "trailing function words",
        ("she called about the party and", "she called about the party", _NONE, 6, "trailing"),
        ("some slides for my talk on", "some slides for my talk", _NONE, 6, "trailing"),
        ("we met him when the", "we met him", _NONE, 5, "trailing"),
        ("turn the light on", "turn the light", (0, 1, 0), 4, "open"),
        ("please log me in", "please log me", (0, 1, 0), 4, "open"),
        ("we slept for a while", "we slept for a", (0, 1, 0), 5, "open"),
        ("whom did you send for", "whom did you send", (0, 1, 0), 5, "open"),
        ("tell me what it is about.", "tell me what it is", (0, 1, 0), 6, "open"),
        ("who should I go with?", "who should I go", (0, 1, 0), 5, "open"),
        ("she called and left", "she called left", (0, 1, 0), 4, "open"),
        ("she called", "she called and", (0, 0, 1), 2, "open"),
    ),
    *_golden(
        "grouping",
        ("my card is lost now", "my car is lost then", (2, 0, 0), 5, "open+open"),
        ("lentil soup is nice", "landon soap is nice", (2, 0, 0), 4, "open"),
        ("lentil the soup is nice", "landon soap is nice", (2, 0, 0), 5, "open+article+open"),
    ),
    *_golden(
        "stutter",
        ("we should go", "we should we should go", (0, 0, 2), 3, "open"),
        ("call the the bank", "call the bank", (0, 1, 0), 4, "open"),
    ),
    *_golden(
        "nothing",
        ("", "hello there", (0, 0, 2), 0, "nothing said"),
        ("hello there", "", (0, 2, 0), 2, "empty"),
        ("the state-of-the-art lab", "", (0, 6, 0), 6, "empty"),
        ("um", "", _NONE, 1, "filler"),
        ("", "uh", _NONE, 0, "filler"),
        ("um", "thank you", (1, 0, 1), 1, "nothing said"),
        ("...", "", _NONE, 0, ""),
        ("♪", "♪ ♪", _NONE, 0, ""),
    ),
]
