import type { Address } from "./address.ts"
import type { Asked } from "./asked.ts"
import { commonWords } from "./common-words.ts"
import { anywhere, endsWith } from "./patterns.ts"
import type { Sign } from "./signs.ts"

const isWords = "thats|that is|thats been|its|it is|this is|is|which is|be|has been|and thats"
const homes = "home|house|address|residence|place|apartment|farm"
const lives = "(?:live|lived|living|reside|been)(?: right| just)? (?:there|here|next|across|down|up|around|on it|at)"
const rooms = "bed|kitchen|basement|bedroom|yard|driveway|house|home|sleep|garage|attic"

/** What follows an address and says that it is a home: `that's where I live`, `is my address`, `which is my home`. */
const saysHome = new RegExp(
  [
    "(?:\\w+ ){0,2}where (?:i|we|ive|weve|my \\w+) (?:\\w+ ){0,2}(?:live|lived|reside|rent|rented|stay|grew up|raised)",
    `(?:\\. )?(?:${isWords}) (?:also |still |the |really |been )?(?:my|our|also my|where i)(?: \\w+)? (?:${homes})`,
    "(?:\\. )?(?:thats|is|which is) (?:the house|the home|the place|home)(?: (?:my|our|i|we|for) |$| \\.)",
    "(?:\\. )?(?:my|our)(?: \\w+)? (?:home|house|residence|place)(?: |$)",
    `(?:\\. |and |so |but )?(?:and )?(?:i|we|ive|weve)(?: have| been| do| both| all)* (?:${lives})`,
    "(?:and |so )?(?:im|i am|were) (?:always |usually |often )?home",
    "(?:\\. )?(?:thats|its|is) (?:me|us|ours|mine)(?: |$)",
    "(?:im |the |owner |and |so ){1,4}i live (?:there|here)",
    "(?:thats|is) where (?:im|i am|we are|were)(?: at)?(?: |$)",
    "(?:is )?home(?: to us| for us|$| \\.)",
    `(?:in|from|outside|inside) (?:my|our) (?:own )?(?:${rooms})`,
    "(?:\\w+ ){1,4}(?:thats|that is|which is) (?:my|our) (?:home|house|residence|place|address)",
    "(?:\\w+ ){1,9}(?:thats|that is|which is) where (?:i|we) live"
  ]
    .map((pattern) => `^(?:${pattern})`)
    .join("|"),
  "u"
)

/** The context of an address. */
export interface Around {
  readonly sign: Sign | undefined
  /** The words just before it and after it. */
  readonly before: string
  readonly after: string
  readonly asked: Asked | undefined
  /** `the proposed site at` precedes it. */
  readonly isSite: boolean
  /** Its sentence is about the speaker, and about nothing else. */
  readonly isOwnWords: boolean
  readonly isIntroduced: boolean
  /** It is a sentence by itself, among what the speaker says of themselves. */
  readonly isAlone: boolean
  /** Only words such as `and` or `to` are between it and an address that was just removed. */
  readonly isJoined: boolean
  /** It stands at the beginning of a turn or follows a greeting; and a name follows it. */
  readonly isGreeted: boolean
  readonly isSigned: boolean
  /** The speaker speaks for an office or a client. */
  readonly isOffice: boolean
  /** Its name ends a clause and is no common word, so nothing else was taken for a street. */
  readonly isBounded: boolean
  /** Its clause ends with it, or goes on with where it is. */
  readonly isLast: boolean
  /** It follows a call for a speaker: `Ms. Moss?` */
  readonly isCalled: boolean
  /** It corrects an address that was just removed. */
  readonly isCorrected: boolean
  /** Whether its house number and its street were said before in the meeting, how far away, and taken out or left. */
  readonly said: { readonly house: string | undefined; readonly street: string | undefined }
}

const near =
  /(?:^| )(?:near|by|behind|beside|opposite|next to|across from|close to|away from|past|between|adjacent to)$/u
const onStreet = endsWith([
  "on|off|of|in|at|near|by|along|around|la|en|es|is|called|named|from|street|in the|on the|corner",
  "intersection|faces|fronts|backs (?:up )?(?:to|onto)|moved to"
])
/** `I'm a Maple Street resident`, `as a twenty-year Maple Street homeowner` */
const asResident = /(?:^| )(?:im|i am|as|were|we are|been)(?: \w+){1,4}$/u

/** `Drive by my house. It's` */
const namedBefore = endsWith([
  "(?:its|thats|im) not (?:at )?\\w+ \\. (?:its|im at|thats)",
  "(?:my|our) (?:house|home|place|apartment|address) \\. (?:its|thats|it is|im|were)(?: at)?"
])

/** `I live near the proposed site at` */
const bySite = /(?:^| )(?:near|by|behind|beside|next to|from|past) (?:the|this|that) (?:\w+ ){1,2}at$/u

/** Words that lead to a place that a speaker speaks of and does not live at. */
const looks =
  /(?:^| )(?:look|looked|looking|see|saw|seen|visited?|about|regarding|oppose|support|for|tower|project)(?: \w+){0,2}$/u

const selves = /(?:^| )(?:i|im|ive|my|mine|we|weve)(?: |$)/u

/** `I'm two houses from the site, 2214 Maple` */
const beside = new RegExp(
  [
    "(?:^| )(?:im|i am|i live|we live|we are|(?:my|our) (?:house|home) is) (?:\\w+ ){0,5}",
    "(?:(?:houses|doors?|blocks?|lots|feet|yards|miles?) from|behind|beside|across from|next to)(?: \\w+){1,3}$"
  ].join(""),
  "u"
)

/** `my mother, who is 91, is at` */
const kinAt = new RegExp(
  [
    "(?:^| )(?:my|our) (?:wife|husband|son|daughter|mother|mom|father|dad|kids|parents|sister|brother|grand\\w+|aunt",
    "|uncle)(?: \\w+){0,4} (?:is|are|was)(?: still| over)? at$"
  ].join(""),
  "u"
)

/** What happened to whom at an address, which is then where they live or stay: `they followed me home to`. */
const happened = new RegExp(
  [
    "(?:my|our) (?:wife|husband|son|daughter|mother|mom|father|dad|kids?|children|grandkids|dogs?|cats?)",
    "(?:my|our) (?:car|truck|mail)",
    "(?!(?:met|meet|see|saw|call|told|hired) )\\w+ (?:\\w+ )?(?:me|us)"
  ]
    .map((pattern) => `(?:^| )${pattern}(?: \\w+){0,3} (?:at|to|from|outside)$`)
    .join("|"),
  "u"
)

/** The rule by which an address with a house number is a home. */
const houseRule = (address: Address, around: Around): string | undefined => {
  const { sign, before, after, asked } = around
  const { house, isWeak } = address
  const isSure = address.form === "typed"
  const isNamed = !commonWords.has(address.street ?? "")
  const isShort = house?.length === 1 && !(isSure && (!isWeak || isNamed))
  const isWhole = (isSure || around.isBounded) && !(isShort && !/(?:at|number|is|of)$/u.test(before))
  if (/(?:^| )an?$/u.test(before)) return undefined
  if (saysHome.test(after) && (isWhole || isNamed)) return "said-after"
  if (isWhole && namedBefore.test(before)) return "own-place"
  if (isWhole && !isShort && ((beside.test(before) && !around.isOffice) || kinAt.test(before))) return "is-at"
  if (around.isJoined && isWhole && !isShort) return "joined"
  if (
    isWhole &&
    !isShort &&
    (address.isCorrected || /(?:^| )(?:came|sent|addressed|mailed|delivered) to (?:me|us) at$/u.test(before))
  ) {
    return "corrected"
  }
  // `Ann Moss, president of the homeowners association`
  const isNeighbor = sign?.says === "lives" && around.isIntroduced && isSure && !around.isOffice
  const isLong = (house?.length ?? 0) > 2
  if (
    !isSure &&
    around.isBounded &&
    !bySite.test(before) &&
    isLong &&
    selves.test(before) &&
    !around.isOffice &&
    !looks.test(before)
  )
    return "own-turn"
  if (sign?.says === "elsewhere" || (sign?.isSelf === false && !isNeighbor)) return undefined
  const isBeside = (near.test(before) && sign?.says !== "lives") || around.isSite
  if (sign !== undefined && !isBeside) {
    const { says, between } = sign
    const isDirect = /(?:^| )(?:at|on|is|of|number|en|la|calle|from)$/u.test(before) || around.isBounded
    if (says === "lives" && sign.isSelf !== false && (isSure || isWhole || (isDirect && between <= 5))) return "lives"
    if (says === "place" && between <= 6 && (isWhole || isDirect)) return "own-place"
    if (says === "address" && between <= 3 && !around.isOffice) return "own-address"
    if (says === "owns" && isWhole) return "own-place"
    if (
      says === "is-at" &&
      !around.isOffice &&
      ((isSure && between <= 6) ||
        (isWhole && between <= 3) ||
        (isNamed && between <= 2 && !isShort && /(?:at|from|in)$/u.test(before)))
    ) {
      return "is-at"
    }
  }
  if (around.isOffice || asked === "site" || isBeside) return undefined
  if (asked !== undefined && isWhole) return "asked"
  // `Jane Doe, 37914 Knoxville` tells a ZIP code.
  if (around.isIntroduced && isWhole && (isSure || house?.length !== 5)) return "introduced"
  if (around.isGreeted && around.isSigned) return "introduced"
  if (isSure && !isShort && around.isAlone) return "introduced"
  if (isWhole && !isShort && happened.test(before)) return "introduced"
  if (isSure && around.isCalled && around.isLast) return "introduced"
  if (isSure && !isShort && around.isOwnWords) return "own-words"
  const isOwnTurn = sign === undefined && around.isLast && (selves.test(before) || selves.test(after))
  return isSure && !isShort && isOwnTurn ? "own-turn" : undefined
}

const others = /(?:^| )(?:they|he|she|his|her|their|another|which|that|(?:side|north|south|east|west) of)(?: |$)/u

/** The rule by which a street or a corner without a house number says where somebody lives. */
const streetRule = ({ form, street, isWeak, isSaid }: Address, around: Around): string | undefined => {
  // `They live on Social Security.`
  if (form === "bare" && commonWords.has(street ?? "")) return undefined
  const { sign, before, after, asked } = around
  if (sign?.says === "lives" && sign.isSelf === true && form === "typed" && !near.test(before)) return "lives"
  if (asked === "home" && /(?:^|\.|on|off|at|its|of|is|yes|uh|um|in)$/u.test(before.trim())) return "asked"
  if (around.isIntroduced && form === "typed" && /^(?:\. )?(?:and )?i live/u.test(after)) return "said-after"
  const isCorner = form === "corner"
  if (
    form === "typed" &&
    !isWeak &&
    asResident.test(before) &&
    /^(?:resident|homeowner|neighbor|family)(?: |$)/u.test(after)
  )
    return "said-after"
  if (form === "typed" && !isWeak && around.isIntroduced && around.isLast && !around.isOffice) return "introduced"
  if ((isCorner || (form === "typed" && !isWeak)) && saysHome.test(after)) return "said-after"
  if (isCorner && /(?:^| )(?:we are|were|im|i am) (?:over |right )?(?:at|on)$/u.test(before)) {
    return saysHome.test(after) ||
      /^(?:the )?corner/u.test(after) ||
      (isSaid === true && /(?:im|i am) (?:\w+ )?on$/u.test(before))
      ? "is-at"
      : undefined
  }
  if (sign === undefined || sign.isSelf === false || sign.says === "elsewhere" || !onStreet.test(before))
    return undefined
  const { says, between, isSelf } = sign
  const isOn = /(?:^| )(?:on|off|street(?: is| called| named)*)$/u.test(before)
  if ((form === "bare" || isWeak) && !isOn) return undefined
  // `the residents of Fourth and Gill` are those of a neighborhood.
  if (isCorner && /(?:^| )of$/u.test(before) && !/(?:corner|intersection) of$/u.test(before)) return undefined
  if (says === "is-at" && between === 0 && saysHome.test(after)) return "is-at"
  const isClose = between <= (form === "bare" ? 1 : 4)
  if (says === "lives" && isClose && (isSelf === true || /^(?:living|residing|live|lived)(?: |$)/u.test(before))) {
    return "lives"
  }
  const isThere = !/(?:^| )(?:from|near|by|along|around)$/u.test(before)
  if (says === "place" && isClose && form !== "bare" && isThere && !others.test(before)) return "own-place"
  if (says === "address" && form !== "bare") return "own-address"
  return says === "is-at" && between === 0 && form === "typed" && around.isLast && !around.isOffice
    ? "is-at"
    : undefined
}

const mail = anywhere([
  "mail|mails|mailing|check|checks|bills|packages|letters|write|send|sent|mailed|use|have|had|box",
  "address|post office"
])
const theirs = /(?:^| )(?:my|me|our|us|we|i|her|his|im|ive|weve|mine)(?: |$)/u
const officeMail = anywhere([
  "(?:city|county|clerk|office|department|commission|council|utility|district|treasurer|court|church|company|business)s?",
  "tax|taxes|payment|payments|comments|donations?|refunds?|campaign|ballots?"
])

/** The rule by which a box is a person's. */
const boxRule = ({ form }: Address, around: Around): string | undefined => {
  const { sign, before, after, asked } = around
  // A lawyer who gives a name and a box gets mail there as anybody does.
  const isPersonal = form === "box" && around.isIntroduced
  if (
    (around.isOffice && !isPersonal) ||
    officeMail.test(before.replaceAll(/(?:my|our) \w+ bills?|^.*(?:^| )(?:im|i am|name is|names) /gu, ""))
  )
    return undefined
  if (sign?.says === "lives" || sign?.says === "address" || sign?.says === "place") return "own-box"
  if (asked === "address" || asked === "mail" || asked === "home") return "asked"
  if (sign?.says === "is-at") return "own-box"
  const next = after.split(" ").slice(0, 7).join(" ")
  const isMail = form === "box" || mail.test(before) || mail.test(next)
  if (isMail && (theirs.test(before) || theirs.test(next))) return "own-box"
  if (form === "slot" && around.isIntroduced && around.isLast) return "introduced"
  if (form === "slot" || sign?.says === "elsewhere") return undefined
  if (/(?:^|\. )(?:its|mines)$/u.test(before)) return "own-box"
  return around.isIntroduced || around.isSigned ? "introduced" : undefined
}

/** The rule by which a unit without a house is a home. */
const unitRule = ({ isWeak }: Address, { sign, before, asked }: Around): string | undefined => {
  // `My house is number 12 on the list.`
  if (isWeak && !/(?:^| )(?:apartment|unit|lot|space|trailer|room) is$/u.test(before)) {
    return asked === "home" ? "asked" : undefined
  }

  if (sign?.says === "lives" && sign.isSelf === true) return "lives"
  if (sign?.says === "is-at" && /(?:^| )(?:in|at)$/u.test(before)) return "is-at"
  if (sign?.says === "place" && sign.between <= 2) return "own-place"
  if (sign?.says === "address") return "own-address"
  return asked === "home" ? "asked" : undefined
}

/** The rule by which an address is a home or a person's box, if one says so. */
export const ruleFor = (address: Address, around: Around): string | undefined => {
  const { form, house } = address
  const rule =
    form === "box" || form === "slot"
      ? boxRule(address, around)
      : form === "unit"
        ? unitRule(address, around)
        : house === undefined
          ? streetRule(address, around)
          : houseRule(address, around)
  return rule ?? (around.isCorrected && form !== "bare" ? "corrected" : undefined)
}
