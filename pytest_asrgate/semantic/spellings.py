# ruff: noqa: SIM905 - words in one text are easier to read than in a list
"""British spellings written as American ones; no two different words become one."""

import re
from functools import lru_cache

__all__ = ["american_spelling"]

# Stems before -our that American English writes with -or, whatever follows.
_OUR = (
    "arb ard arm behavi belab cand clam clang col demean discol dishon disfav dol enam endeav fav ferv flav harb "
    "hon hum lab misdemean neighb od parl ranc rig rum sav splend succ tum val vap vig"
).split()
_RE = (
    "amphitheat cali calib cent centimet epicent fib goit kilomet lit louv lust meag met micromet millimet "
    "millilit mit nanomet och reconnoit sab scept sepulch somb spect theat"
).split()
# Verbs whose last l is doubled only in British English.
_DOUBLED = (
    "apparel barrel bevel cancel carol channel chisel counsel cudgel dial dishevel duel enamel equal fuel funnel "
    "gambol grovel initial jewel kennel label level libel marshal marvel model panel parcel pedal pencil pummel "
    "quarrel ravel refuel relabel remodel revel rival shovel shrivel signal snivel snorkel spiral squirrel "
    "stencil swivel tassel total towel trammel travel trowel tunnel unravel yodel"
).split()
# What looks like -ise and is no verb of that kind.
_NOT_IZE = frozenset(
    "advert adv anch anise ar chast chem circumc clockw compr comprom conc coun cris cu den desp dev disenfranch "
    "dem disgu elo el enfranch enterpr exc exerc expert franch gu improv inc inv ir likew lengthw merchand mort m "
    "otherw parad overw pr pra prec prem prom rem repr rev r sunr superv surm surpr tel telev trav treat upr v w "
    "counterw edgew apr cer val marqu jal penn pol tortu porpo turquo fra sidew unw streetw".split()
)
_YSE = "analy paraly cataly electroly hydroly dialy breathaly psychoanaly".split()

_TABLE = {
    "grey": "gray", "greys": "grays", "greyer": "grayer", "greyish": "grayish", "tyre": "tire", "tyres": "tires",
    "kerb": "curb", "kerbs": "curbs", "kerbside": "curbside", "cheque": "check", "cheques": "checks",
    "chequebook": "checkbook", "chequered": "checkered", "programme": "program", "programmes": "programs",
    "aeroplane": "airplane", "aeroplanes": "airplanes", "plough": "plow", "ploughs": "plows", "ploughed": "plowed",
    "ploughing": "plowing", "doughnut": "donut", "doughnuts": "donuts", "pyjama": "pajama", "pyjamas": "pajamas",
    "storey": "story", "storeys": "stories", "aluminium": "aluminum", "mould": "mold", "moulds": "molds",
    "mouldy": "moldy", "moulded": "molded", "moult": "molt", "smoulder": "smolder", "smouldering": "smoldering",
    "sceptic": "skeptic", "sceptics": "skeptics", "sceptical": "skeptical", "scepticism": "skepticism",
    "cosy": "cozy", "cosier": "cozier", "moustache": "mustache", "moustaches": "mustaches", "yoghurt": "yogurt",
    "yoghurts": "yogurts", "draught": "draft", "draughts": "drafts", "draughty": "drafty", "gaol": "jail",
    "judgement": "judgment", "judgements": "judgments", "acknowledgement": "acknowledgment",
    "acknowledgements": "acknowledgments", "ageing": "aging", "axe": "ax", "sulphur": "sulfur",
    "sulphate": "sulfate", "omelette": "omelet", "omelettes": "omelets", "learnt": "learned", "dreamt": "dreamed",
    "burnt": "burned", "spoilt": "spoiled", "leant": "leaned", "leapt": "leaped", "whilst": "while",
    "amongst": "among", "amidst": "amid", "towards": "toward", "afterwards": "afterward", "maths": "math",
    "artefact": "artifact", "artefacts": "artifacts", "disc": "disk", "discs": "disks", "enquire": "inquire",
    "enquired": "inquired", "enquiring": "inquiring", "enquiry": "inquiry", "enquiries": "inquiries",
    "speciality": "specialty", "specialities": "specialties", "carburettor": "carburetor", "phoney": "phony",
    "cypher": "cipher", "jewellery": "jewelry", "kilogramme": "kilogram", "kilogrammes": "kilograms",
    "gramme": "gram", "grammes": "grams", "marvellous": "marvelous", "marvellously": "marvelously",
    "woollen": "woolen", "woollens": "woolens", "counsellor": "counselor", "counsellors": "counselors",
    "jeweller": "jeweler", "jewellers": "jewelers", "enrol": "enroll", "enrols": "enrolls",
    "enrolment": "enrollment", "fulfil": "fulfill", "fulfils": "fulfills", "fulfilment": "fulfillment",
    "instalment": "installment", "instalments": "installments", "skilful": "skillful", "skilfully": "skillfully",
    "wilful": "willful", "wilfully": "willfully", "distil": "distill", "instil": "instill", "appal": "appall",
    "cancelation": "cancellation", "worshipped": "worshiped", "worshipping": "worshiping",
    "worshipper": "worshiper", "focussed": "focused", "focussing": "focusing", "benefitted": "benefited",
    "benefitting": "benefiting", "defence": "defense", "defences": "defenses", "defenceless": "defenseless",
    "offence": "offense", "offences": "offenses", "licence": "license", "licences": "licenses",
    "pretence": "pretense", "pretences": "pretenses", "practise": "practice", "practises": "practices",
    "practised": "practiced", "practising": "practicing", "manoeuvre": "maneuver", "manoeuvres": "maneuvers",
    "manoeuvred": "maneuvered", "manoeuvring": "maneuvering", "anaemia": "anemia", "anaemic": "anemic",
    "anaesthetic": "anesthetic", "anaesthetics": "anesthetics", "anaesthesia": "anesthesia",
    "anaesthetist": "anesthetist", "paediatric": "pediatric", "paediatrics": "pediatrics",
    "paediatrician": "pediatrician", "gynaecology": "gynecology", "gynaecologist": "gynecologist",
    "haemorrhage": "hemorrhage", "haemoglobin": "hemoglobin", "haemophilia": "hemophilia", "leukaemia": "leukemia",
    "encyclopaedia": "encyclopedia", "mediaeval": "medieval", "archeology": "archaeology",
    "archeologist": "archaeologist", "archeological": "archaeological", "esthetic": "aesthetic",
    "oestrogen": "estrogen", "foetus": "fetus", "foetal": "fetal", "diarrhoea": "diarrhea",
    "oesophagus": "esophagus", "orthopaedic": "orthopedic", "caesarean": "cesarean", "faeces": "feces",
    "faecal": "fecal", "homoeopathic": "homeopathic", "tsar": "czar", "tzar": "czar", "whisky": "whiskey",
    "furore": "furor", "adviser": "advisor", "advisers": "advisors", "catalogue": "catalog",
    "catalogues": "catalogs", "catalogued": "cataloged", "cataloguing": "cataloging", "dialogue": "dialog",
    "dialogues": "dialogs", "analogue": "analog", "analogues": "analogs", "storeyed": "storied",
    "centring": "centering", "fibreglass": "fiberglass", "theatregoer": "theatergoer", "sombrely": "somberly",
    "armoury": "armory", "barbecue": "barbecue", "barbeque": "barbecue", "bannister": "banister",
    "snowplough": "snowplow", "liquorice": "licorice", "cancelling": "canceling", "sizeable": "sizable",
    "likeable": "likable", "loveable": "lovable", "behove": "behoove", "ochre": "ocher",
}  # fmt: skip

_OUR_PATTERN = re.compile(rf"((?:un|re|multi|tech?ni)?(?:{'|'.join(_OUR)}))our(.*)")
_RE_PATTERN = re.compile(rf"({'|'.join(_RE)})re(s|d)?")
_L_PATTERN = re.compile(rf"({'|'.join(_DOUBLED)})l(ed|ing|ings|er|ers)")
_IZE_PATTERN = re.compile(r"(.{3,}?)is(e|es|ed|er|ers|ing|able|ation|ations|ational)")
_YZE_PATTERN = re.compile(rf"((?:re|over)?(?:{'|'.join(_YSE)}))s(e|ed|er|ers|ing)")


@lru_cache(maxsize=20_000)
def american_spelling(word: str) -> str:
    """The American spelling of a lower-case word, or the word itself."""
    if word in _TABLE:
        american = _TABLE[word]
    elif found := _OUR_PATTERN.fullmatch(word):
        american = f"{found[1]}or{found[2]}"
    elif found := _RE_PATTERN.fullmatch(word):
        american = f"{found[1]}er{'ed' if found[2] == 'd' else found[2] or ''}"
    elif found := _L_PATTERN.fullmatch(word):
        american = found[1] + found[2]
    elif found := _YZE_PATTERN.fullmatch(word):
        american = f"{found[1]}z{found[2]}"
    elif (found := _IZE_PATTERN.fullmatch(word)) and _may_be_ize(found[1]):
        american = f"{found[1]}iz{found[2]}"
    else:
        american = word
    return american


def _may_be_ize(stem: str) -> bool:
    """Whether a stem takes -ize: not after a vowel (`raise`, `noise`), nor where -ise belongs to the word."""
    bare = stem.removeprefix("un").removeprefix("re").removeprefix("over")
    return stem not in _NOT_IZE and bare not in _NOT_IZE and stem[-1] not in "aeou"
