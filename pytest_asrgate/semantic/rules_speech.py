"""Rules for where a recording ends: trailing function words, truncated words."""

from collections import Counter

from pytest_asrgate.records import Label
from pytest_asrgate.semantic.edit import Edit, Settled, quoted
from pytest_asrgate.semantic.forms import ARTICLES, NEGATIONS, bare
from pytest_asrgate.semantic.rules_forms import is_letter
from pytest_asrgate.semantic.words import Text

__all__ = ["trailing", "truncated"]

# Function words that say nothing at the end of a sentence that breaks off. Behind the first a sentence is never
# over; behind the second it is where they are stranded; the third may be what is said.
_NEVER_LAST = ARTICLES | frozenset({"and", "but", "or", "because", "although", "if", "than", "until", "unless"})
_PREPOSITIONS = frozenset(
    "to for on in with about from by at of into onto as during between".split()  # noqa: SIM905 - shorter
)
_MAY_BE_LAST = frozenset(
    "so that which who when while since though through after before".split()  # noqa: SIM905 - shorter
)
_TRAILING = _NEVER_LAST | _PREPOSITIONS | _MAY_BE_LAST
# Before or right before a preposition at the end, these show that a sentence may be over: `where are you from`,
# `the light is on`, `let me in`.
_ASKING = frozenset("what who whom whose which where when how that".split())  # noqa: SIM905 - shorter
_COMPLETE = frozenset(
    """
    is are was were am be been being do does did me you him her it us them i he she we they here there not
    """.split()  # noqa: SIM905 - shorter
)
_PARTICLES = frozenset({"on", "in", "off", "by", "about", "through", "with", "for", "at", "after", "to"})
# A particle after one of these, or a little later, is part of what is to be done: `turn the light on`.
_PHRASAL = frozenset(
    """
    turn turns turned turning switch switches switched switching log logs logged logging put puts putting come
    comes came coming go goes went going gone get gets got getting give gives gave giving take takes took taking
    carry carries carried carrying hold holds held holding keep keeps kept keeping bring brings brought bringing
    sign signs signed signing check checks checked checking hang hangs hung drop drops dropped stop stops stopped
    call calls called fill fills filled filling plug plugs plugged plugging set sets move moves moved moving stay
    stays stayed staying pass passes passed passing try tries tried trying
    walk walks walked walking run runs ran running read reads reading jump jumps jumped break breaks broke click
    press pressed tune tuned leave leaves left live lives lived fit fits join joins joined scroll zoom dial opt
    write writes wrote lie lies lay let lets
    send sends sent sending look looks looked looking wait waits waited waiting ask asks asked
    asking
    """.split()  # noqa: SIM905 - shorter
)
_PARTICLE_WITHIN = 4
# These end a whole sentence behind most nouns (`lights on`, `trade in`), but not behind such, which are about
# something, somewhere, by someone.
_PARTICLES_OF_NOUNS = frozenset({"on", "in", "by"})
_WITH_MORE = frozenset(
    """
    presentation presentations talk talks lecture lectures speech essay essays paper papers article articles book
    books report reports thesis information info advice tips ideas opinion question questions
    hotel hotels restaurant restaurants weather interest song songs movie movies film films album novel novels
    """.split()  # noqa: SIM905 - shorter
)
# A while is a time after these.
_BEFORE_WHILE = ARTICLES | {"little", "long", "short", "good", "some"}
_LONGEST_TAIL = 3


def _breaks_off(raw: str) -> bool:
    """Whether a text ends within a word: in a hyphen that touches a letter."""
    stripped = raw.rstrip(" \"'”’)]")
    return len(stripped) > 1 and stripped[-1] in "-\u2010\u2011" and stripped[-2].isalpha()


def trailing(edit: Edit) -> Settled | None:
    """Same: up to 3 function words at the end of a reference that does not end like a sentence are omitted.

    Not a particle that a phrasal verb needs (`turn the light on`), on, in or by behind other nouns than those that
    want more said (`a talk on`; `lights on` is whole), a preposition that may end a question (`where are you from`)
    or stands behind a form of `be` or a pronoun, words like `that` unless the text is cut off, the letter A, and no
    part of a hyphenated word.
    """
    words = edit.spoken_words
    text = edit.reference
    if edit.heard_words or not words or len(words) > _LONGEST_TAIL or edit.spoken[1] != len(text.words):
        return None
    if text.ended or any(word.text not in _TRAILING or word.compound is not None for word in words):
        return None
    if any(is_letter(text, place) or _is_said(text, place) for place in range(*edit.spoken)):
        return None
    if words[-1].text not in _NEVER_LAST and not text.cut and _may_end(text, edit.spoken):
        return None
    return Settled(Label.SAME, f"The reference breaks off after {quoted(words)}, which says nothing by itself.")


def _is_said(text: Text, place: int) -> bool:
    """Whether a function word may belong to the words before it: `a while`, `turn the light on`, `lights on`."""
    words, earlier = text.words, text.words[:place]
    word = words[place].text
    if word == "while":
        return bool(earlier) and earlier[-1].text in _BEFORE_WHILE
    if word in _PARTICLES and any(near.text in _PHRASAL for near in earlier[-_PARTICLE_WITHIN:]):
        return True
    followed = place + 1 < len(words) and words[place + 1].text in ARTICLES
    if word not in _PARTICLES_OF_NOUNS or followed:
        return False
    return not earlier or earlier[-1].text not in _WITH_MORE or any(word.text in _PHRASAL for word in earlier)


def _may_end(text: Text, part: tuple[int, int]) -> bool:
    """Whether function words at the end of a text may be the end of a whole sentence."""
    words, (start, stop) = text.words, part
    if any(word.text in _MAY_BE_LAST for word in words[start:stop]):
        return True
    earlier = words[:start]
    return any(word.text in _ASKING for word in earlier) or (bool(earlier) and earlier[-1].text in _COMPLETE)


def _at_the_end(edit: Edit) -> bool:
    return edit.spoken[1] == len(edit.reference.words) and edit.heard[1] == len(edit.hypothesis.words)


# Whole words that longer ones begin with. A piece that is one of them may be all that was said.
_WHOLE = frozenset(
    """
    able after back ball band bank base bath beat bill bird blue boat body book boot born break bull burn
    butter cake call came camp card care cart case cash cast chair check chip city class clean clear clock
    close cloud club coat code cold come cook cool corn cost count cross data date dead deal dear deep desk
    dial dinner dish door down draw dress drive drop drug each earn earth ease east edge even ever face fact
    fair fall farm fast father feed feel file fill film find fine fire fish five flat floor flow food foot
    form four free friend from front fruit full game gate gift girl give glad glass goal gold good grand grass
    great green ground grow hair half hall hand hard have head health hear heart heat help here high hill hold
    home hope horse hour house idea inter into iron item join jump just keep kick kind king know lady lake
    land last late lead learn leave left life lift light like line link list live load loan lock long look
    lord lose love luck lunch made mail main make many mark market mass master match mate meal mean meat meet
    mile milk mind mine miss monday month moon more most mother motor move much music must name near neck need
    news next nice night nine none noon north note nurse office once only open order other over pack page pain
    paint pair paper park part pass past path peace phone photo pick pill pink place plain plan plane plant
    plate play plus point pool poor port post pound power press price print push quick quiet race radio rail
    rain rate read real rent rest rice rich ride right ring rise river road rock role roll roof room root rose
    round rule safe sail sale salt same sand save school score seat second seed self sell send sense serve
    service seven ship shirt shoe shop short show shut sick side sign silver sing site size skin sleep slow
    small smoke snow soft some song soon sort sound south space speak speed spend sport spot spring square
    stair stand star start state station stay step stop store storm story street strong study such suit summer
    sweet swim table tail take talk tall tank tape task team tell tend tent term test text than that them then
    there they thing think this time tire told tone tool tooth total touch tour town track trade train travel
    tree trip trouble true trust turn type under unit upon user view voice wait walk wall want ward warm wash
    waste watch water wave weather week well west what wheel when where while white wife wild will wind window
    wine wing winter wish with woman wonder wood word work world worth yard year
    """.split()  # noqa: SIM905 - shorter
)
_SHORTEST_PIECE = 4
# Of one to three letters, behind an article: things that may be asked for.
_SHORT_WHOLE = frozenset(
    """
    ad ads age air app arm art ax bag bar bed bet bid bit box boy bus cab can cap car cat cow cup cut dad dam
    day den dew dip dog due duo ear egg end era eye fan fee fix fly fog fox fun gap gas gun gym ham hat hen
    hip hit hub hut ice id ink inn jam jar jet job jug key kid kit lab law leg lid lie lip lot low man map mat
    men mix mob mom mud mug mum net new nut oil old one owl ox pad pan pay pc pen pet pie pig pin pit pop pot
    pub rap rat raw red row rug run sad saw sea set shy sim sir sit six ski sky son spa sum sun tag tap tax
    tea ten tie tin tip toe top toy try tub tv two use van vet vow war way web wig zoo
    """.split()  # noqa: SIM905 - shorter
)


def _is_piece(short: str, long: str) -> bool:
    """Whether the shorter of two words is a piece of the longer, up to the order of its last letters."""
    if len(short) < _SHORTEST_PIECE or short == long or short in _WHOLE:
        return False
    return long.startswith(short) or (short[:2] == long[:2] and Counter(short) <= Counter(long))


def _is_lost_piece(edit: Edit) -> bool:
    """Whether the word that is lost is the first letters of another: up to three behind an article, no word."""
    text, place = edit.reference.words[edit.spoken[0]].text, edit.spoken[0]
    behind = place > 0 and edit.reference.words[place - 1].text in ARTICLES
    return behind and len(text) < _SHORTEST_PIECE and text not in _SHORT_WHOLE | _TRAILING


def truncated(edit: Edit) -> Settled | None:
    """Same: the reference is cut off, and its last word and the hypothesis's are one word and a piece of it.

    The piece has four letters or more and is no common word by itself (`book a car...`, `a cargo`). So is a last
    piece of up to three letters that the hypothesis does not have, behind an article, where the raw reference
    breaks off within the word. Names, numbers and negations stay open.
    """
    if not edit.reference.cut or len(edit.spoken_words) != 1 or not _at_the_end(edit):
        return None
    if any(word.name or word.number or word.text in NEGATIONS for word in (*edit.spoken_words, *edit.heard_words)):
        return None
    if not edit.heard_words and _breaks_off(edit.reference.raw) and _is_lost_piece(edit):
        one = quoted(edit.spoken_words)
        return Settled(Label.SAME, f"{one} is a piece of a word where the reference is cut off.")
    pair = edit.one_for_one
    if pair is None or not _is_piece(*sorted((bare(word.text) for word in pair), key=len)):
        return None
    both = f"{quoted(edit.spoken_words)} and {quoted(edit.heard_words)}"
    return Settled(Label.SAME, f"{both} are pieces of one word where the reference is cut off.")
