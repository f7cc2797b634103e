"""Pairs of texts with what became of their intent and entities, for each rule of the document and each language.

`kept` is what a careful judge says; `by_rule` says that our rules alone must see it, and no pair that is lost may
ever be kept by rule. `entities` are those a judge would list of the reference, each with its text, its kind (one
of `intent.listing.KINDS`) and its status; for digits, dates, e-mails, identifiers and capitalised names our rules
must find the same. Pairs whose entities do not matter have none. All sentences are our own.
"""

from dataclasses import dataclass

__all__ = ["EXACT_KINDS", "GOLDEN_INTENTS", "GoldenIntent"]

# Kinds whose text and status rules must find as they stand here.
EXACT_KINDS = frozenset({"number", "amount", "phone", "email", "identifier", "date", "time"})


@dataclass(frozen=True, slots=True)
class GoldenIntent:
    """One pair; `rule` names the document's rule that decides it, `entities` are (text, kind, status)."""

    rule: str
    language: str
    reference: str
    hypothesis: str
    kept: bool
    by_rule: bool = False
    context: str | None = None
    entities: tuple[tuple[str, str, str], ...] = ()


_KEPT, _LOST, _RULED = (True, False), (False, False), (True, True)
_Row = tuple[str, str, tuple[bool, bool]] | tuple[str, str, tuple[bool, bool], tuple[tuple[str, str, str], ...]]


def _pairs(rule: str, language: str, *rows: _Row) -> list[GoldenIntent]:
    return [
        GoldenIntent(rule, language, row[0], row[1], *row[2], entities=row[3] if len(row) == 4 else ())
        for row in rows
    ]


def _one(text: str, kind: str, status: str) -> tuple[tuple[str, str, str], ...]:
    return ((text, kind, status),)


_ENGLISH = [
    *_pairs(
        "actor",
        "en",
        ("I can ask Ravi Mehta about it", "I can let you ask Ravi Mehta about it", _LOST,
         _one("Ravi Mehta", "person", "preserved")),
        ("Yes, the driver will call you", "Yes, you will call the driver", _LOST),
        ("The nurse will send the report", "The nurse will send the report.", _RULED),
    ),
    *_pairs(
        "direction of action",
        "en",
        ("I have to pay her", "She has to pay me", _LOST),
        ("Tell him to write to us", "Tell us to write to him", _LOST),
        ("Transfer it from savings to checking", "Transfer it from checking to savings", _LOST),
        ("Move it from the shelf to the box.", "move it from the shelf to the box", _RULED),
    ),
    *_pairs(
        "subject",
        "en",
        ("You must sign the form", "I must sign the form", _LOST, _one("form", "object", "preserved")),
        ("They are leaving now", "We are leaving now", _LOST),
        ("They are leaving now", "they are leaving now!", _RULED),
    ),
    *_pairs(
        "object",
        "en",
        ("Cancel the order", "Cancel the ride", _LOST, _one("order", "object", "substituted")),
        ("Send me the bill", "Send me the Bill", _RULED, _one("bill", "object", "preserved")),
        ("Open the door", "Open", _LOST, _one("door", "object", "missing")),
    ),
    *_pairs(
        "question, statement or command",
        "en",
        ("The shop is open", "Is the shop open?", _LOST),
        ("You can wait here.", "You can wait here?", _LOST),
        ("Is it ready?", "Is it ready", _LOST),
        ("Turn off the light", "Should I turn off the light?", _LOST),
        ("Where is my parcel?", "where is my parcel ?", _RULED, _one("parcel", "object", "preserved")),
        ("Really?! Where?", "really? where??", _RULED),
        ("Is it here? I am not sure", "Is it here, I am not sure?", _LOST),
    ),
    *_pairs(
        "pronouns",
        "en",
        ("Could you wait a little?", "Could we wait a little?", _LOST),
        ("She wants it today", "He wants it today", _LOST, _one("today", "date", "preserved")),
        ("We're at home", "Were at home", _LOST),
        ("I'll be there", "Ill be there", _LOST),
        ("I’ll be there", "i'll be there", _RULED),
        ("Let me know, he said", "let me know he said", _RULED),
    ),
    *_pairs(
        "honorifics",
        "en",
        ("Please ask Mrs. Rao", "Please ask Mr. Rao", _LOST, _one("Mrs. Rao", "person", "substituted")),
        ("Please ask Mrs. Rao", "please ask mrs rao", _RULED),
    ),
    *_pairs(
        "possessives",
        "en",
        ("It is in your account", "It is in her account", _LOST),
        ("the driver's number", "the drivers number", _LOST),
        ("Take our bags", "take our bags", _RULED),
    ),
    *_pairs(
        "tense",
        "en",
        ("I paid the fee", "I will pay the fee", _LOST),
        ("She works there", "She worked there", _LOST),
        ("She worked there", "She worked there...", _RULED),
    ),
    *_pairs(
        "number",
        "en",
        ("Bring three chairs", "Bring seven chairs", _LOST, _one("three", "number", "substituted")),
        ("It costs 1.5 dollars", "It costs 15 dollars", _LOST, _one("1.5", "amount", "substituted")),
        ("Set it to -5 degrees", "Set it to 5 degrees", _LOST, _one("-5", "number", "substituted")),
        ("We gave 10% off", "We gave 10 off", _LOST),
        ("It is $20", "It is €20", _LOST, _one("$20", "amount", "substituted")),
        ("Take two 10 mg tablets", "Take 210 mg tablets", _LOST),
        ("Bring the third sheep", "Bring the three sheep", _LOST),
        ("Read pages 5-10", "Read pages 510", _LOST),
        ("Bring three chairs", "bring 3 chairs", _RULED, _one("three", "number", "preserved")),
    ),
    *_pairs(
        "singular or plural",
        "en",
        ("Book the ticket", "Book the tickets", _LOST, _one("ticket", "object", "substituted")),
        ("Close all windows", "close all windows", _RULED),
    ),
    *_pairs(
        "negation",
        "en",
        ("I can't come", "I can come", _LOST),
        ("Do not ship it", "Do ship it", _LOST),
        ("It is not mine", "It is not mine,", _RULED),
        ("No dogs here", "Nope dogs here", _LOST),
    ),
    *_pairs(
        "names",
        "en",
        ("I spoke to Jon Peters", "I spoke to John Peters", _LOST, _one("Jon Peters", "person", "substituted")),
        ("I spoke to Jon Peters", "i spoke to jon peters", _RULED, _one("Jon Peters", "person", "preserved")),
        ("The flight goes to New Delhi", "The flight goes to Mumbai", _LOST,
         _one("New Delhi", "place", "substituted")),
        ("We met Priya yesterday", "We met yesterday", _LOST,
         (("Priya", "person", "missing"), ("yesterday", "date", "preserved"))),
    ),
    *_pairs(
        "dates of birth",
        "en",
        ("I was born on March 4th, 1988", "I was born on March 14th, 1988", _LOST,
         _one("March 4th, 1988", "date", "substituted")),
        ("I was born on March 4th, 1988", "I was born on march fourth nineteen eighty eight", _RULED,
         _one("March 4th, 1988", "date", "preserved")),
        ("My birthday is 4 March 1988", "My birthday is 4 May 1988", _LOST,
         _one("4 March 1988", "date", "substituted")),
        ("My birthday is 4 March 1988", "My birthday is March 4th 1988", _KEPT,
         _one("4 March 1988", "date", "preserved")),
        ("born on 04/03/1988", "born on 04/03/1989", _LOST, _one("04/03/1988", "date", "substituted")),
        ("born on 04/03/1988", "born on 04-03-1988", _RULED, _one("04/03/1988", "date", "preserved")),
    ),
    *_pairs(
        "e-mail addresses",
        "en",
        ("Write to anna@shop.com", "Write to hanna@shop.com", _LOST,
         _one("anna@shop.com", "email", "substituted")),
        ("Write to a.b@shop.com", "Write to ab@shop.com", _LOST, _one("a.b@shop.com", "email", "substituted")),
        ("Write to anna@shop.com", "write to Anna at shop dot com", _RULED,
         _one("anna@shop.com", "email", "preserved")),
        ("Write to anna@shop.com", "Write to", _LOST, _one("anna@shop.com", "email", "missing")),
    ),
    *_pairs(
        "phone numbers",
        "en",
        ("Call 555-201-4470", "Call 555-202-4470", _LOST, _one("555-201-4470", "phone", "substituted")),
        ("Call 555-201-4470", "call 5552014470", _RULED, _one("555-201-4470", "phone", "preserved")),
        ("Call 555-201-4470", "Call five five five two zero one four four seven zero", _RULED,
         _one("555-201-4470", "phone", "preserved")),
        ("My mobile is 98400 71223", "my mobile is 9840071223", _RULED, _one("98400 71223", "phone", "preserved")),
        ("My mobile is 98400 71223", "my mobile is 98400", _LOST, _one("98400 71223", "phone", "substituted")),
    ),
    *_pairs(
        "account numbers and identifiers",
        "en",
        ("The plate is KA 05 MX 2210", "The plate is KA 05 MX 2201", _LOST,
         _one("KA 05 MX 2210", "identifier", "substituted")),
        ("My code is AB12", "my code is a b one two", _KEPT, _one("AB12", "identifier", "preserved")),
        ("My code is AB12", "my code is ab 12", _RULED, _one("AB12", "identifier", "preserved")),
        ("My code is AB12", "My code is AD12", _LOST, _one("AB12", "identifier", "substituted")),
        ("account 0042", "account 42", _LOST, _one("0042", "number", "substituted")),
    ),
    *_pairs(
        "addresses",
        "en",
        ("I live at 14 Park Road", "I live at 40 Park Road", _LOST,
         (("14", "number", "substituted"), ("Park Road", "address", "preserved"))),
        ("I live at 14 Park Road", "I live at fourteen park road", _RULED,
         (("14", "number", "preserved"), ("Park Road", "address", "preserved"))),
        ("Deliver to Lake View Street", "Deliver to Lake Street", _LOST,
         _one("Lake View Street", "address", "substituted")),
    ),
    *_pairs("yes or no", "en", ("Yes", "No", _LOST), ("No, thanks", "Yes, thanks", _LOST), ("yes.", "Yes", _RULED)),
    *_pairs(
        "agree or disagree",
        "en",
        ("I accept the offer", "I reject the offer", _LOST),
        ("I am in favour", "I am not in favour", _LOST),
        ("I am in favour", "i am in favour", _RULED),
    ),
    *_pairs(
        "empty reference",
        "en",
        ("", "hello", _LOST),
        ("[noise]", "thank you", _LOST),
        ("", "", _LOST),
        ("...", "...", _LOST),
    ),
    *_pairs("empty hypothesis", "en", ("Please stop", "", _LOST), ("Please stop", "[laughter]", _LOST)),
    *_pairs(
        "acknowledgements",
        "en",
        ("Yes", "Yeah.", _RULED),
        ("Okay", "mm-hmm", _RULED),
        ("Hmm", "Right", _RULED),
        ("No", "nope", _RULED),
        ("Uh-uh", "no", _RULED),
        ("Yeah, I will wait", "Yes, I will wait", _RULED),
        ("No, I will wait", "Nah, I will wait", _RULED),
        ("Okay?", "Okay", _LOST),
        ("Right turn ahead", "Yes turn ahead", _LOST),
        ("Uh-huh", "uh-uh", _LOST),
    ),
    *_pairs(
        "repetition",
        "en",
        ("Good night, good night", "Good night", _RULED),
        ("Red bag, red bag", "Red bag", _KEPT),
        ("Yes, yes, yes", "yes", _RULED),
        ("I I want a taxi", "I want a taxi", _KEPT, _one("taxi", "object", "preserved")),
        ("Please, please help me", "Please help me", _RULED),
        ("two two", "two", _LOST, _one("two two", "number", "substituted")),
        ("It was so so", "It was so", _LOST),
    ),
    *_pairs(
        "equivalent requests",
        "en",
        ("Please say the sentence again", "Repeat the sentence", _KEPT),
        ("Could you repeat it?", "Please repeat it", _KEPT),
        ("Please say the sentence again", "Please write the sentence again", _LOST),
    ),
    *_pairs(
        "number formats",
        "en",
        ("I need twenty five copies", "I need 25 copies", _RULED, _one("twenty five", "number", "preserved")),
        ("Gate two five", "gate 25", _RULED, _one("two five", "number", "preserved")),
        ("first", "1st", _RULED, _one("first", "number", "preserved")),
        ("first", "one", _RULED, _one("first", "number", "preserved")),
        ("It costs 1,00,000 rupees", "It costs 100000 rupees", _RULED, _one("1,00,000", "amount", "preserved")),
        ("It costs $40", "it costs forty dollars", _RULED, _one("$40", "amount", "preserved")),
        ("Wake me at 6:45 pm", "wake me at six forty five p.m.", _RULED, _one("6:45 pm", "time", "preserved")),
        ("I need twenty five copies", "I need 35 copies", _LOST, _one("twenty five", "number", "substituted")),
    ),
    *_pairs(
        "minor variations",
        "en",
        ("I am fine with that", "I am fine", _KEPT),
        ("not sure", "I'm not sure", _KEPT),
        ("I am fine with that", "You are fine with that", _LOST),
    ),
    *_pairs(
        "language preference",
        "en",
        ("Tamil. Talk in Tamil", "Talk in Tamil", _KEPT),
        ("Odia. Talk in Odia", "Talk in Hindi", _LOST),
    ),
    *_pairs(
        "direct acknowledgement",
        "en",
        ("Yes, I will send the papers tomorrow.", "Yes.", _KEPT),
        ("Yes, I will send the papers tomorrow.", "No.", _LOST),
    ),
]  # fmt: skip

_INDIAN = [
    *_pairs(
        "pronouns",
        "hi",
        ("तुम शाम को आओगे", "हम शाम को आएंगे", _LOST),
        ("तुम शाम को आओगे।", "तुम शाम को आओगे", _RULED),
        ("यह मेरी किताब है", "यह तेरी किताब है", _LOST),
        ("वह पढ़ रही थी", "वह पढ़ रहा था", _LOST),
    ),
    *_pairs(
        "subject and object",
        "hi",
        ("मोहन ने सोहन को बुलाया", "सोहन ने मोहन को बुलाया", _LOST),
        ("मोहन ने सोहन को बुलाया", "सोहन को मोहन ने बुलाया", _KEPT),
    ),
    *_pairs("honorifics", "hi", ("आप कहाँ हैं?", "तू कहाँ है?", _LOST)),
    *_pairs("negation", "hi", ("मुझे पैसे नहीं मिले", "मुझे पैसे मिले", _LOST)),
    *_pairs("question, statement or command", "hi", ("दुकान खुली है?", "दुकान खुली है", _LOST)),
    *_pairs(
        "number formats",
        "hi",
        ("मेरा कोड ४८२१ है", "मेरा कोड 4821 है", _RULED, _one("४८२१", "number", "preserved")),
        ("मेरा कोड 4821 है", "मेरा कोड 4827 है", _LOST, _one("4821", "number", "substituted")),
        ("नंबर नौ आठ सात छह है", "नंबर 9876 है", _RULED, _one("नौ आठ सात छह", "number", "preserved")),
        ("मुझे पानी दो", "मुझे पानी 2", _LOST),
    ),
    *_pairs("acknowledgements", "hi", ("हाँ", "जी हाँ", _RULED), ("ठीक है", "अच्छा", _RULED), ("नहीं", "हाँ", _LOST)),
    *_pairs("repetition", "hi", ("हाँ, हाँ", "हाँ", _RULED), ("कभी कभी", "कभी", _LOST)),
    *_pairs(
        "named entities",
        "bn",
        ("আমি কাল ঢাকায় থাকব", "আমি কাল খুলনায় থাকব", _LOST, _one("ঢাকা", "place", "substituted")),
        ("আমি কাল ঢাকায় থাকব।", "আমি কাল ঢাকায় থাকব", _RULED, _one("ঢাকা", "place", "preserved")),
    ),
    *_pairs(
        "number formats",
        "bn",
        ("আমার রোল নম্বর ২৭", "আমার রোল নম্বর 27", _RULED, _one("২৭", "number", "preserved")),
        ("আমার রোল নম্বর ২৭", "আমার রোল নম্বর ৭২", _LOST, _one("২৭", "number", "substituted")),
        ("এটা নয়", "এটা 9", _LOST),
    ),
    *_pairs("question, statement or command", "bn", ("তুমি যাবে?", "তুমি যাবে", _LOST)),
    *_pairs("acknowledgements", "bn", ("হ্যাঁ", "আচ্ছা", _RULED), ("না", "হ্যাঁ", _LOST)),
    *_pairs(
        "tense",
        "mr",
        ("ती शाळेत गेली", "ती शाळेत जाईल", _LOST),
        ("ती शाळेत गेली.", "ती शाळेत गेली", _RULED),
    ),
    *_pairs("possessives", "mr", ("माझे पुस्तक कुठे आहे?", "तुझे पुस्तक कुठे आहे?", _LOST)),
    *_pairs("acknowledgements", "mr", ("हो", "होय", _RULED), ("नाही", "हो", _LOST)),
    *_pairs("number formats", "mr", ("खोली क्रमांक १२", "खोली क्रमांक 12", _RULED, _one("१२", "number", "preserved"))),
    *_pairs(
        "question, statement or command",
        "ml",
        ("അവൻ എവിടെയാണ്?", "അവൻ അവിടെയാണ്", _LOST),
        ("അവൻ വീട്ടിലാണോ?", "അവൻ വീട്ടിലാണ്", _LOST),
        ("അവൻ എവിടെയാണ്?", "അവൻ എവിടെയാണ് ?", _RULED),
    ),
    *_pairs(
        "pronouns",
        "ml",
        # The same letter, written in two ways of which one needs a joiner; without any joiner it says "to him".
        ("അവന്\u200d വന്നു", "അവൻ വന്നു", _RULED),
        ("അവന് വേണം", "അവൻ വേണം", _LOST),
        ("അവന്\u200d പറഞ്ഞു", "അവന് പറഞ്ഞു", _LOST),
    ),
    *_pairs("acknowledgements", "ml", ("അതെ", "ശരി", _RULED), ("ഇല്ല", "അതെ", _LOST)),
    *_pairs(
        "number formats",
        "ml",
        ("മുറി നമ്പർ ൨൫", "മുറി നമ്പർ 25", _RULED, _one("൨൫", "number", "preserved")),
        ("മുറി നമ്പർ 25", "മുറി നമ്പർ 52", _LOST, _one("25", "number", "substituted")),
    ),
    *_pairs(
        "singular or plural",
        "kn",
        ("ಹುಡುಗ ಆಡುತ್ತಿದ್ದಾನೆ", "ಹುಡುಗರು ಆಡುತ್ತಿದ್ದಾರೆ", _LOST),
        ("ಹುಡುಗ ಆಡುತ್ತಿದ್ದಾನೆ.", "ಹುಡುಗ ಆಡುತ್ತಿದ್ದಾನೆ", _RULED),
    ),
    *_pairs("acknowledgements", "kn", ("ಹೌದು", "ಸರಿ", _RULED), ("ಇಲ್ಲ", "ಹೌದು", _LOST)),
    *_pairs("number formats", "kn", ("ಕೊಠಡಿ ೩೪", "ಕೊಠಡಿ 34", _RULED, _one("೩೪", "number", "preserved"))),
    *_pairs(
        "phone numbers",
        "ta",
        ("எனது கணக்கு எண் 40718265", "எனது கணக்கு எண் 40718256", _LOST,
         _one("40718265", "identifier", "substituted")),
        ("எனது எண் 98400 12345", "எனது எண் 9840012345", _RULED, _one("98400 12345", "phone", "preserved")),
        ("எண் ஒன்பது எட்டு ஏழு ஆறு", "எண் 9876", _KEPT, _one("ஒன்பது எட்டு ஏழு ஆறு", "number", "preserved")),
    ),
    *_pairs("subject", "ta", ("நான் வருகிறேன்", "அவன் வருகிறான்", _LOST)),
    *_pairs("acknowledgements", "ta", ("ஆமாம்", "சரி", _RULED), ("இல்லை", "ஆமாம்", _LOST)),
    *_pairs(
        "subject and object",
        "te",
        ("రవి గీతను పిలిచాడు", "గీత రవిని పిలిచింది", _LOST),
        ("రవి గీతను పిలిచాడు", "గీతను రవి పిలిచాడు", _KEPT),
        ("రవి గీతను పిలిచాడు", "రవి గీతను పిలిచాడు!", _RULED),
    ),
    *_pairs("acknowledgements", "te", ("అవును", "సరే", _RULED), ("కాదు", "అవును", _LOST)),
    *_pairs(
        "number formats",
        "te",
        ("గది ౧౫", "గది 15", _RULED, _one("౧౫", "number", "preserved")),
        ("గది 15", "గది 50", _LOST, _one("15", "number", "substituted")),
    ),
    *_pairs(
        "negation",
        "gu",
        ("મારે ચા નથી જોઈતી", "મારે ચા જોઈએ છે", _LOST),
        ("મારે ચા નથી જોઈતી", "મારે ચા નથી જોઈતી.", _RULED),
    ),
    *_pairs("acknowledgements", "gu", ("હા", "ઠીક છે", _RULED), ("ના", "હા", _LOST)),
    *_pairs(
        "number formats",
        "gu",
        ("રૂમ ૪૫", "રૂમ 45", _RULED, _one("૪૫", "number", "preserved")),
        ("રૂમ ૪૫", "રૂમ ૫૪", _LOST, _one("૪૫", "number", "substituted")),
    ),
    *_pairs(
        "named entities",
        "or",
        ("ମୁଁ କାଲି ପୁରୀ ଯିବି", "ମୁଁ କାଲି ରାଉରକେଲା ଯିବି", _LOST, _one("ପୁରୀ", "place", "substituted")),
        ("ମୁଁ କାଲି ପୁରୀ ଯିବି।", "ମୁଁ କାଲି ପୁରୀ ଯିବି", _RULED, _one("ପୁରୀ", "place", "preserved")),
    ),
    *_pairs("acknowledgements", "or", ("ହଁ", "ଠିକ୍ ଅଛି", _RULED), ("ନା", "ହଁ", _LOST)),
    *_pairs(
        "number formats",
        "or",
        ("ଘର ନମ୍ବର ୬୨", "ଘର ନମ୍ବର 62", _RULED, _one("୬୨", "number", "preserved")),
        ("ଘର ନମ୍ବର ୬୨", "ଘର ନମ୍ବର 26", _LOST, _one("୬୨", "number", "substituted")),
    ),
    *_pairs(
        "tense",
        "pa",
        ("ਉਹ ਘਰ ਗਿਆ", "ਉਹ ਘਰ ਜਾਵੇਗਾ", _LOST),
        ("ਉਹ ਘਰ ਗਿਆ।", "ਉਹ ਘਰ ਗਿਆ", _RULED),
    ),
    *_pairs("acknowledgements", "pa", ("ਹਾਂ", "ਠੀਕ ਹੈ", _RULED), ("ਨਹੀਂ", "ਹਾਂ", _LOST)),
    *_pairs(
        "number formats",
        "pa",
        ("ਕਮਰਾ ੧੮", "ਕਮਰਾ 18", _RULED, _one("੧੮", "number", "preserved")),
        ("ਕਮਰਾ 18", "ਕਮਰਾ 81", _LOST, _one("18", "number", "substituted")),
    ),
]  # fmt: skip

_IN_CONTEXT = [
    GoldenIntent(
        "direct acknowledgement", "en", "Yes, that is me", "Yeah", True, context="Am I speaking to the owner?"
    ),
    GoldenIntent("equivalent requests", "hi", "फिर से बोलिए", "दोबारा बोलिए", True, context="आपका पता क्या है?"),
    GoldenIntent("pronouns", "hi", "मैं भेज दूँगा", "आप भेज देंगे", False, context="रसीद कौन भेजेगा?"),
]

GOLDEN_INTENTS: tuple[GoldenIntent, ...] = (*_ENGLISH, *_INDIAN, *_IN_CONTEXT)
