"""Claims about spellings: British and American ones are equal, and no two words become one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_asrgate.semantic.spellings import american_spelling
from tests.unit.properties import STEADY

PAIRS = """
colour color|favourite favorite|favourable favorable|honour honor|honourable honorable|humour humor|labour labor
labourers laborers|neighbourhood neighborhood|harbour harbor|rumours rumors|behaviour behavior|armour armor
flavoured flavored|discoloured discolored|parlour parlor|savoury savory|vapour vapor|misdemeanour misdemeanor
centre center|centres centers|centred centered|metre meter|kilometres kilometers|litre liter|theatre theater
fibre fiber|calibre caliber|sombre somber|spectre specter|meagre meager|manoeuvre maneuver
realise realize|realised realized|organisation organization|organising organizing|organiser organizer
recognise recognize|apologise apologize|specialised specialized|civilisation civilization|minimises minimizes
analyse analyze|analysed analyzed|paralysed paralyzed|catalyse catalyze
travelled traveled|travelling traveling|traveller traveler|cancelled canceled|cancelling canceling
labelled labeled|modelling modeling|signalling signaling|fuelled fueled|jewellery jewelry|marvellous marvelous
enrolment enrollment|fulfil fulfill|instalment installment|skilful skillful|counsellor counselor
defence defense|offence offense|licence license|pretence pretense|practise practice|practising practicing
catalogue catalog|dialogue dialog|analogue analog
grey gray|tyre tire|kerb curb|cheque check|programme program|aeroplane airplane|plough plow|doughnut donut
pyjamas pajamas|aluminium aluminum|mould mold|sceptical skeptical|moustache mustache|yoghurt yogurt
judgement judgment|ageing aging|sulphur sulfur|learnt learned|whilst while|towards toward|maths math
artefact artifact|enquiry inquiry|paediatric pediatric|anaemia anemia|encyclopaedia encyclopedia|adviser advisor
"""

DIFFERENT = """
four for|hour hor|sour sor|our or|pour por|tour tor|flour flor|your yor|devour devor|contour contor|detour detor
rise rize|wise wize|exercise exercize|advise advize|promise promize|surprise surprize|otherwise otherwize
comprise comprize|compromise compromize|uncompromising uncompromizing|precise precize|praise praize|noise noize
raised raized|revise revize|supervise supervize|franchise franchize|disguise disguize|paradise paradize
advertise advertize|merchandise merchandize|wiser wizer|crises crizes|irises irizes|cruising cruizing
customer custom|acre acer|ogre oger|genre gener|mediocre mediocer|here heer|there theer|fire fier|more moer
called caled|rolled roled|filled filed|pulled puled|selling seling|killer kiler|taller taler|fallen falen
league leag|vogue vog|rogue rog|tongue tong|monologue monolog
fence fense|hence hense|sentence sentense|science sciense|silence silense|absence absense
checker check|tier tire|store story|mum mom|tonne ton|councillor counselor|ensure insure|complement compliment
analyses analyzes|sore soar|bass base|missing mizing|visited vizited
"""


def _pairs(table: str) -> list[tuple[str, str]]:
    return [(pair.split()[0], pair.split()[1]) for line in table.split("\n") for pair in line.split("|") if pair]


@pytest.mark.parametrize(("british", "american"), _pairs(PAIRS))
def test_british_spellings_are_american(british: str, american: str) -> None:
    """The British spelling becomes the American one, which stays."""
    assert american_spelling(british) == american_spelling(american) == american


@pytest.mark.parametrize(("left", "right"), _pairs(DIFFERENT))
def test_other_words_stay_apart(left: str, right: str) -> None:
    """What only looks like such a spelling is left alone."""
    assert american_spelling(left) == left
    assert american_spelling(left) != american_spelling(right)


@STEADY
@given(st.text("abcdeilnorsuyz", max_size=12))
def test_spelling_twice_is_spelling_once(word: str) -> None:
    """An American spelling is no British one, whatever the letters."""
    assert american_spelling(american_spelling(word)) == american_spelling(word)
