/** A list of words as the alternatives of a pattern. */
const anyOf = (words: string): string =>
  words
    .trim()
    .split(/\s*\n\s*|\s*,\s*/)
    .filter(Boolean)
    .join("|")

/** Committee, commission, council and agency as people misspell them. */
const misspelled = "com+it+e+s?|com+is+ions?|coun[cs]+il+s?|counsil|boad|athority"

/** What a body may be called without another word before it. */
const bodies = anyOf(`
  commissioners['’]? court, fiscal court, quorum court, board fund, councils?, boards?, select ?boards?, comm,
  bd, cmte, cncl, subcomm, commissions?, commissioners, committees?, sub-?committees?, authority, authorities,
  trustees, supervisors, aldermen, alderpersons, alders, selectmen, selectpersons, freeholders, assessors,
  auditors, listers, task ?forces?, legislature, police jury, fiscal court, quorum court,
  commissioners['’]? court, general assembly, land bank, registrars? of voters,
  hearings? (?:examiner|officer|official|authority|master)s?, special (?:magistrate|master)s?,
  zoning administrator, feoffees, mayor and council, tree wardens?, town moderator, planning (?:&|and) zoning,
  ${misspelled}`)

/** What a body is called after a word that says which: a water district, a review panel. */
const qualified = anyOf(`
  agency, agencies, corporations?, corp, districts?, panels?, trust funds?, trusts?,
  (?:pension|retirement|relief|revolving loan|reserve|memorial|education(?:al)?|vision|putnam|towle) funds?,
  coalition, consortium, collaborative, cooperative, partnerships?, alliance, bureau, legislature, foundation,
  enterprises, zone, court of appeals, code of appeals,
  (?:advisory|work|working|study|stakeholders?|focus|policy|users?|planning|action|evaluation|coordinating|management) group,
  work ?groups?, advisory, civil service,
  (?:pension|retirement|relief|trust|benefits?)(?: and \\w+)?(?: fund| system| plan| trust)+,
  police and fire pension,
  (?:management|review|advisory|leadership|action|planning|implementation|green|oversight|evaluation|plan|policy|update) team,
  planning organization, roundtable, think tank, compact, conservancy, delegation, reinvestment zone,
  oversight body, rent review, charter review, neighborhood association, association area, finance auth,
  library system, conservation, associations?, collaborative, (?:reserve|medical reserve) corps,
  communications center, urban renewal, stakeholders, net, reinvestment zone, ad hocs?,
  (?:staff|project|stream|community|emergency response|operational|roundtable|energy|medical services|abatement|training|development|pre-development|facilitation|collaborative|friends|committee|needs|volunteer) (?:group|team)`)

/** What public bodies are about. One is called for short by nothing else: "Planning & Zoning", "Finance Meeting". */
const topics = anyOf(`
  planning, plan commission, zoning, finance, public works, public safety, public health, parks?, recreation,
  open space, trails, conservation, land use, preservation, historic district, historic design review,
  charter review, budget, development, community services, personnel, ethics, audit, civil service,
  ways and means, government operations, general government, general services, intergovernmental affairs,
  emergency management, emergency services, traffic, parking, transportation, infrastructure, utilities,
  public utilities, licensing, forestry, smart growth, housing, water, sewer, wastewater, stormwater,
  shade tree, appeals, tourism, tax, human services, health, arts, culture, cultural affairs, solid waste,
  human rights, revenue, agriculture, technology, site plan review, soil, wetlands?, watercourses,
  redevelopment, revitalization, airport, public library, library planning, veterans['’]? affairs,
  veteran['’]s affairs, human resources, aging services, purchasing, roads, drainage, tree hearings,
  code enforcement, crime control, prevention, legislative, facilities, beautification, water quality,
  franchises, mosquito control, weed control, noxious weeds, affirmative action, dangerous dogs,
  invasive species, civic affairs, real estate`)

const topic = new RegExp(`\\b(?:${topics})\\b`, "gi")
/** What may stand between and beside topics. */
const between =
  /\b(?:and|of|or|the|on|city|town|county|village|township|borough|historic|historical|community|economic|affordable|local|inland|urban|rural|capital|regional|public|services|management|policy|procedures|restoration|engagement|inclusion|investment|safety|rescue|building|extension|education|travel|convention|joint|planning)\b/gi

/** Whether a phrase has nothing but what a body is about. */
export const isTopic = (phrase: string): boolean => {
  const rest = phrase.replace(topic, "")
  return rest !== phrase && !/\w/.test(rest.replace(between, ""))
}

/** Bodies by letters that mean one thing everywhere. */
export const fullNames: ReadonlyMap<string, string> = new Map([
  ["ZBA", "Zoning Board of Appeals"],
  ["BZA", "Board of Zoning Appeals"],
  ["BOZA", "Board of Zoning Appeals"],
  ["BZBA", "Board of Zoning and Building Appeals"],
  ["ZHB", "Zoning Hearing Board"],
  ["BOE", "Board of Education"],
  ["BOH", "Board of Health"],
  ["BOF", "Board of Finance"],
  ["BOCC", "Board of County Commissioners"],
  ["BCC", "Board of County Commissioners"],
  ["PZC", "Planning and Zoning Commission"],
  ["DDA", "Downtown Development Authority"],
  ["LDC", "Local Development Corporation"],
  ["MPO", "Metropolitan Planning Organization"],
  ["LEPC", "Local Emergency Planning Committee"],
  ["HPC", "Historic Preservation Commission"],
  ["HDC", "Historic District Commission"],
  ["WPCA", "Water Pollution Control Authority"],
  ["BPAC", "Bicycle and Pedestrian Advisory Committee"],
  ["CPMT", "Community Policy and Management Team"],
  ["SEPAC", "Special Education Parent Advisory Council"],
  ["PTABOA", "Property Tax Assessment Board of Appeals"],
  ["FINCOM", "Finance Committee"],
  ["CONCOM", "Conservation Commission"],
  ["CRA", "Community Redevelopment Agency"],
  ["TIRZ", "Tax Increment Reinvestment Zone"]
])

/** Letters of bodies that mean another in another place: a BOS is supervisors or selectmen. They stay letters. */
const ambiguous = anyOf(`
  BOS, BOA, COA, CPC, EDA, EDC, HRA, HRC, URA, IDA, ARB, DRB, PRC, TRC, MDD, CID, BID, TIF, JPA, GSA, RMA, MUA,
  CAB, CAC, TAC, LUAC, URAAC, MAC, IWC, PTRC, FPAC, CEDC, JEDD, TDD, CIC, P ?and ?Z, P/Z`)

const letters = [...fullNames.keys(), ambiguous].join("|")

/** The noun of a body, which its name ends in or goes on from with "of", "on" or "for". */
export const noun = new RegExp(`\\b(?:${bodies})(?![\\w'’-])|(?<=[\\w)'’.&-]\\s)(?:${qualified})(?![\\w'’-])`, "gi")

/** A body named by letters, maybe after words that say which: `TIRZ`, `Bethesda CAB`. */
export const byLetters = new RegExp(`^(?:[\\w'’ /.-]+ )?(?:${letters})$`, "i")

/** What may follow a body's noun in its name. */
export const tail =
  /^(?:\.|\s*[,-]?\s+(?:of|on|for|to|against|from|in)\b.*|,? inc\.?|,\s+[\w' ]{3,40}|,?\s*(?:-\s*)?(?:(?:(?:#|nos?\.?|number|type|district|ward|region|zone|area|division|precinct|part)\s*)?(?:\d{1,4}|[ivx]{1,4}|[a-z])\b[\s,&]*(?:and\s+)?)+)?$/i

/** Whom a body is not: clubs, parties and other people's boards and councils meet in public rooms too. */
export const foreign =
  /\b(?:hoas?|home ?owners|condo(?:minium)?s?|pt[ao]|rotary|lions|kiwanis|scouts?|student council|democratic|republican|churches|re-?elect|realtors|chamber of commerce|vision boards?)\b/i

/** What is announced about a body that does not meet: it is in the words before its name. */
export const announced =
  /\b(?:apply|applicants?|applications? (?:are |now )?(?:due|open|accepted|for|to)|vacanc(?:y|ies)|deadline|due|seeking|seek|needed|volunteers? for|closed|clos(?:es|ing|ure)|open house|filing|voting|vote for|elections? (?:for|of)|candidates?|coffee|donuts|lunch|breakfast|dinner|walk|ride|interviews?|oath|swearing|orientation|training|fundraiser|fair|drive|clinic|concert|party|parade|class|register|registration|trip|tour|sponsored|hosted|presented|celebrat\w+|photo|picture|holiday|vacation|reserved|rental)\b/i

/** What an entry is that names a body and is no meeting of it. */
export const events =
  /\b(?:gala|clinics?|lunch(?:eon)?s?|dinner|breakfast|supper|banquet|potluck|picnic|barbecue|bbq|reception|party|parties|dance|ball|parade|festival|fair|fest|concerts?|performance|recital|exhibit(?:ion)?|raffle|auction|tournament|derby|race|5k|10k|run|walk|hike|ride|trip|tour|class(?:es)?|lessons?|camp|yoga|tai chi|zumba|exercise|bingo|games?|movies?|films?|screening|(?<!of )sales?|fundrais\w+|drives?|giveaway|clean-?up|planting|deadlines?|due|(?<!(?:voter|of|and|&) )registration|filing|sign-?ups?|applications? (?:are |now )?(?:due|open|accepted)|vacanc(?:y|ies)|elections? day|training|webinar|conference|convention|seminar|orientation|office hours|closed|closure|closes|holiday|vacation|out of office|birthday|photo|picture|awards?|scholarships?|contest|vigil|celebration|ceremony|appreciation|recognition|oath|swearing[ -]in|open house|meet and greet|town hall (?:meeting|with)|coffee|foot care|van|support group|book club|story ?time|reserved|rental|maintenance|canceled class|softball|golf|prom|lock-in|car wash|rodeo|pull|march)\b/i

/** The same of an entry that says "meeting": it is about one rather than one. */
export const unheld =
  /\b(?:deadlines?|due|registration|filing|sign-?ups?|applications? (?:are |now )?(?:due|open|accepted)|vacanc(?:y|ies)|training|webinar|orientation|office hours|closed|closure|holiday|party|town hall (?:meeting|with)|support group|book club)\b/i
