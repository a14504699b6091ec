import type { Item, Raw } from "./raw.ts"
import type { Judgment } from "./score.ts"

/**
 * What makes a meeting one about the subject of a query: an item of its agenda, or what is said often enough. Patterns
 * are of words as `wordsOf` gives them, and of what the record calls it. A place or use that the query adds ("in
 * gyms") is in the pattern only where the rest of it would find other subjects.
 */
interface Subject {
  /** What an item of New York's has in its name or title. */
  readonly items?: RegExp
  /** Whether it must be in the item's name, because titles also tell it in passing. */
  readonly isNamed?: true
  /** What an item has whose words mean something else. */
  readonly but?: RegExp
  /** Whether the item must have been approved, because the query takes it that there was a vote. */
  readonly isApproved?: true
  /** What Knox County's captions say. */
  readonly said?: RegExp
  /** How often they must say it: where few ever do, a few times is much. */
  readonly times?: number
  /** What they must also say at least once, because the words alone mean other things too. */
  readonly also?: RegExp
  /** The body that the query names. */
  readonly body?: RegExp
}

/** Both words, in either order, with at most so many letters between them. */
const near = (one: string, other: string, most: number) =>
  new RegExp(`\\b(?:${one})\\b.{0,${most}}\\b(?:${other})\\b|\\b(?:${other})\\b.{0,${most}}\\b(?:${one})\\b`)

const either = (...patterns: ReadonlyArray<RegExp>) => new RegExp(patterns.map(({ source }) => source).join("|"))

const bikeLanes = /\b(?:bicycle|bike) lanes?\b/
const streetNames = /\bthoroughfares and public places\b/
const bodyCameras = /\bbody (?:worn )?cam(?:era)?s?\b/
const federalAgents = /\bimmigrations?\b/
const rodents = /\b(?:rats?|rodents?|rodenticides?)\b/
const foam = /\b(?:polystyrene|styrofoam)\b/
const eCigarettes = /\be(?:lectronic)? cigarettes?\b/
const pads = /\b(?:menstrual|feminine hygiene)\b/
const pedicabs = /\bpedicabs?\b/
const masks = /\b(?:masks?|face coverings?)\b/
const covid = /\b(?:covid|coronavirus|pandemic)\b/
const stadium = /\bstadium\b/
const rentals = /\bshort term rentals?\b/
const chickens = /\b(?:chickens?|hens?)\b/
const commission = /\bcounty commission\b/i

/** The subjects of questions and other words, by query. */
const subjects: Readonly<Record<string, Subject>> = {
  "when did the council vote on paid sick days": {
    items: /\bsick (?:time|leave|days)\b/,
    isNamed: true,
    isApproved: true
  },
  "when did the council vote on plastic bags": {
    items: /\bplastic (?:\w+ )?bags?\b|\bcarryout bags?\b/,
    isApproved: true
  },
  "did the council ban styrofoam containers": { items: foam },
  "who opposed the e-cigarette ban in restaurants": { items: eCigarettes, isApproved: true },
  "when did the council approve green carts": { items: /\bgreen carts?\b/, isApproved: true },
  "what did the council do about bed bugs": { items: /\bbed ?bugs?\b/ },
  "how did the council vote on chokeholds by police": { items: /\bchokeholds?\b/, isApproved: true },
  "when did they vote to close the jails on rikers island": {
    items: /\brikers\b/,
    but: /\bnursery\b|\bwastewater\b/,
    isApproved: true
  },
  "is there a hearing about trucks idling": { items: /\bidling\b/, but: /\bcruise\b/ },
  "who voted for the living wage law": { items: /\bliving wage\b/, isNamed: true, isApproved: true },
  "when was the ban on smoking in parks approved": { items: /\bsmoking\b.*\bparks?\b/, isApproved: true },
  "why do buildings have to install sprinklers": { items: /\bsprinklers?\b/, but: /\bunused sprinklers\b/ },
  "did the council vote to allow ferrets as pets": { items: /\bferrets?\b/ },
  "what was decided about horse carriages": { items: /\bhorse drawn\b|\bcarriage horses?\b/ },
  "when did the council approve the willets point plan": {
    items: /\bwillets point\b/,
    isNamed: true,
    isApproved: true
  },
  "who opposed congestion pricing": { items: /\bcongestion pricing\b/ },
  "when did the city vote on pedicabs": { items: pedicabs, isApproved: true },
  "did they approve free menstrual products in schools": { items: pads, isApproved: true },
  "what are they doing about rats": { items: rodents },
  "when did the council vote on trans fats in restaurants": { items: /\btrans fats?\b/, isApproved: true },
  "who voted to change the noise code": { items: /\bnoise (?:control )?code\b/, isApproved: true },
  "has the council talked about stop and frisk": { items: /\bstop (?:question )?and frisk\b/ },
  "when did the council vote on short term rentals": { said: rentals, times: 20 },
  "what did people say about keeping hens in the city": { said: /\bhens?\b/, times: 20 },
  "who opposed the bike lane": { items: bikeLanes, but: streetNames, said: bikeLanes, times: 6 },
  "did the county require people to wear masks": { said: masks, times: 20, also: covid },
  "when did the council discuss electric scooters": { said: /\bscooters?\b/, times: 20 },
  "was there a vote about tethering dogs": { said: /\btether\w*\b/, times: 10 },
  "why are there so few sidewalks": { said: /\bsidewalks?\b/, times: 60 },
  "when did they approve the baseball stadium": { said: stadium, times: 60 },
  "what are the rules for food trucks": {
    items: /\bmobile food\b|\bfood (?:trucks?|carts?|vend(?:ors?|ing))\b/,
    but: /\bdelivery food trucks\b/,
    said: /\bfood trucks?\b/,
    times: 12
  },
  "did the commission vote to raise the wheel tax": { said: /\bwheel tax\b/, times: 5, body: commission },
  "who spoke about the red light cameras": { said: /\bred light cameras?\b/, times: 3 },
  "when did the commission decide on term limits": { said: /\bterm limits?\b/, times: 10, body: commission },
  "what is the city doing for homeless people": { said: /\bhomeless(?:ness)?\b/, times: 80 },
  "did the council approve body cameras for police": {
    items: bodyCameras,
    but: federalAgents,
    said: bodyCameras,
    times: 7
  },
  "who was against the smoking ban in bars": { items: /\bsmoke free air act\b|\bsmoking in public places\b/ },
  "when will they fix the potholes": { said: /\bpot ?holes?\b/, times: 3 },
  "how did the commission vote on billboards": { said: /\bbillboards?\b/, times: 40, body: commission },
  "did the city approve moving the bus station": { said: /\bgreyhound\b/, times: 5 },
  "airbnbs in neighborhoods": { said: /\b(?:short term rentals?|airbnbs?)\b/, times: 25 },
  "cops wearing cameras": { items: bodyCameras, but: federalAgents, said: bodyCameras, times: 7 },
  "ballpark financing": { said: stadium, times: 60 },
  "unhoused encampments": { said: /\b(?:encampments?|homeless camps?)\b/, times: 6 },
  "bicycle lanes": { items: bikeLanes, but: streetNames, said: bikeLanes, times: 5 },
  "speed bumps": {
    items: /\bspeed (?:humps?|bumps?)\b|\btraffic calming\b/,
    said: /\bspeed (?:humps?|bumps?|tables?|cushions?)\b|\btraffic calming\b/,
    times: 10
  },
  "cell phone towers": {
    items: either(
      near("cell phone|cellular|wireless|mobile telecommunications", "towers?|antennas?|equipment|siting", 150),
      /\btelecommunications? (?:towers?|facility)\b/
    ),
    said: /\b(?:cell|cellular|telecommunications?|wireless) (?:phone )?(?:towers?|antennas?)\b|\bmonopoles?\b/,
    times: 6
  },
  "backyard chickens": { said: chickens, times: 60 },
  "trash pickup": {
    said: either(
      /\b(?:garbage|trash|waste|recycling) (?:\w+ )?(?:collections?|pick ?up|carts?|containers?|trucks?)\b/,
      /\bcurbside\b/
    ),
    times: 6
  },
  "manufactured homes": { said: /\bmanufactured (?:homes?|housing)\b|\bmobile homes?\b/, times: 6 },
  "firemen pensions": {
    items: near("firefighters?|fire dep(?:artmen| )t|fdny|nyfd", "pensions?|retirement|supplements fund", 200),
    said: /\bpensions?\b/,
    times: 18,
    also: near("firefighters?|firem[ae]n|police and fire|fire and police", "pensions?", 200)
  },
  "dogs tied up outside": { said: /\btether\w*\b/, times: 10 },
  "face coverings": { items: masks, said: masks, times: 20, also: covid },
  "covid shots": {
    items: either(near("covid", "vaccin\\w+", 60), /\bvaccine hesitancy\b/),
    said: /\bvaccin\w+/,
    times: 20,
    also: covid
  },
  "paramedics response times": {
    items: near("emergency medical|ambulances?|ems", "response times?", 100),
    said: /\b(?:ambulances?|paramedics?|emergency medical|ems|amr)\b/,
    times: 50,
    also: /\bresponse times?\b/
  },
  "traffic circle": { said: /\b(?:roundabouts?|traffic circles?)\b/, times: 10 },
  "sewage treatment": {
    items: /\b(?:sewage|wastewater|waste water)\b.{0,30}\btreatment\b|\bwater pollution control plants?\b/,
    said: /\b(?:sewage|wastewater|waste water)\b/,
    times: 10
  },
  "rundown houses": { said: /\bblight\w*/, times: 15 },
  "property valuations": {
    items: near(
      "property|properties|real estate|buildings",
      "assess(?:ing|ors?|ments?)(?! rolls?)|valuation(?= and)",
      60
    ),
    but: /\b(?:mold|waterfront|garage|installment)\b/,
    said: /\b(?:re)?apprais\w*/,
    times: 20
  },
  "stun guns": {
    items: /\btasers?\b|\bstun guns?\b|\bconducted electrical weapons?\b|\badministering an electric shock\b/,
    said: /\b(?:tasers?|stun guns?)\b/,
    times: 3
  },
  "styrofoam cups": { items: foam },
  "vaping ban": { items: eCigarettes },
  "food stamps enrollment": {
    items: /\b(?:food stamps?|supplemental nutrition(?:al)? assistance|snap)\b/
  },
  "maternity leave": { items: /\b(?:maternity|paternity|parental|family) leave\b/, but: /\bmilitary\b/ },
  "tampons in schools": { items: pads },
  "handicapped taxis": {
    items: near("accessib\\w+|disabilit\\w+|disabled|wheelchair", "taxi\\w*|for hire|livery", 80)
  },
  "rats in buildings": { items: rodents },
  "illegal aliens detention": { items: near("immigra\\w+|alien", "detention|detain\\w*", 150) },
  "old people centers": {
    items: /(?<!\bsubcomm\w+ on )\bsenior (?:citizens? )?centers?\b|\bcenters? for older adults\b/,
    but: /\bchairpersons\b/,
    said: /\bsenior centers?\b/,
    times: 8
  },
  "public housing repairs": {
    items: near(
      "nycha|housing authority|public housing",
      "repairs?|maintenance|mold|leak\\w*|roofs?|heat|heating|boilers?|elevators?|lead",
      150
    )
  },
  "inmates voting": {
    items: near(
      "prisoners?|imprisoned|incarcerated|felons?|parol\\w+|detainees|jails?|jailed|custody|released",
      "vote|voting|voter",
      100
    ),
    but: /\bcensus\b/
  },
  "cellphones while driving": {
    items: near(
      "(?:cell|cellular|mobile) (?:tele)?phones?|handsets?|hand ?held",
      "while (?:driving|operating)|motor vehicles?",
      120
    ),
    but: /\bnon motorized\b/
  },
  "rickshaw licenses": { items: pedicabs },
  "heart shock machines in gyms": { items: /\bdefibrillators?\b/ },
  "pet stores puppies": { items: /\bpet (?:stores?|shops?|dealers?)\b|\bpupp(?:y|ies)\b/ },
  "rent control": { items: /\brent (?:control|stabili|regulat)\w*/, but: /\brule 7 00\b/ },
  "truck side skirts": { items: /\bside guards?\b/ },
  "hookah bars": { items: /\bhookah\b|\bnon tobacco smoking\b|\bsale of shisha\b/ },
  "newspaper boxes": { items: /\bnewsracks?\b/ },
  "gay marriage": {
    items: either(
      near("same sex|gay", "marr\\w+", 80),
      /\b(?:defense of|respect for|recognition of|define) marriages?\b/
    )
  }
}

const isAbout =
  ({ items, isNamed, but, isApproved: mustPass }: Subject) =>
  ({ name, words, isApproved }: Item) =>
    (isApproved || !mustPass) && items?.test(isNamed ? name : words) && !but?.test(words)

/** What is said in a meeting; the recognizer sometimes stutters a caption, and that is said once. */
const saidIn = ({ cues }: Raw) =>
  cues
    .filter(({ words }, at) => words.trim() !== "" && words !== cues[at - 1]?.words)
    .map(({ words }) => words.trim())
    .join(" ")

/** Checks judgments by their subjects: the best are all meetings about it, and no other. */
export const subjectsOf = (meetings: ReadonlyMap<string, Raw>) => {
  const spoken = [...meetings]
    .filter(([, { cues }]) => cues.length > 0)
    .map(([key, meeting]) => ({ key, body: meeting.body, text: saidIn(meeting) }))
  const isSaid =
    ({ said, times = 1, also, body }: Subject) =>
    (meeting: (typeof spoken)[number]) =>
      said !== undefined &&
      body?.test(meeting.body) !== false &&
      also?.test(meeting.text) !== false &&
      (meeting.text.match(new RegExp(said, "g"))?.length ?? 0) >= times

  return ({ q, best, found = [], not = [] }: Judgment): ReadonlyArray<string> => {
    const subject = subjects[q]
    if (subject === undefined) return ["has no pattern"]
    const right = new Set([
      ...[...meetings].filter(([, { agenda }]) => agenda.some(isAbout(subject))).map(([key]) => key),
      ...(subject.said === undefined ? [] : spoken.filter(isSaid(subject)).map(({ key }) => key))
    ])
    return [
      ...[...best, ...found].filter((key) => !right.has(key)).map((key) => `${key} is not about it`),
      ...[...right].filter((key) => !best.includes(key) || not.includes(key)).map((key) => `${key} is about it too`)
    ]
  }
}
