import { clampAtWord } from "./clamp.ts"
import { withoutMarkdown } from "./without-markdown.ts"

/** What a meeting's name is made of; a `MeetingCard` is one. */
export interface Named {
  readonly title: string
  /** What was decided, in a line. */
  readonly headline?: string
  /** `YYYY-MM-DD` */
  readonly date: string
  readonly body: { readonly name: string }
  /** Items of its agenda that tell it from other meetings. */
  readonly about?: ReadonlyArray<string>
}

/** A name fits three lines of a heading. */
export const longestName = 110

const day = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" })

/** Words that are in the title of every meeting, and say nothing about this one. */
const idle = new Set(
  (
    "an the of for on in at to and by with meeting meetings mtg session sessions summary summaries information info " +
    "details detail minutes agenda agendas video recording recorded transcript notice page full"
  ).split(" ")
)
/** Words of days and hours. */
const times = new Set(
  (
    "am pm a.m p.m noon january february march april may june july august september october november december jan feb mar apr jun jul " +
    "aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun"
  ).split(" ")
)
/** Words that say what kind of meeting it is. */
const kinds = new Set(
  (
    "regular special emergency called joint annual organizational reorganizational adjourned continued rescheduled " +
    "executive closed work working study workshop retreat hearing hearings public budget ws preview briefing " +
    "virtual hybrid quarterly monthly biweekly regularly scheduled town hall business review"
  ).split(" ")
)

/** `Co` of `County`, `Brd` of `Board`: the first letter of a word, and some of the others in their order. */
const shortens = (short: string, word: string): boolean => {
  if (short.length < 2 || short.length >= word.length || short[0] !== word[0]) return false
  let at = 0
  for (const letter of word) if (letter === short[at]) at += 1
  return at === short.length
}

/** Words of what a body is, whichever it is. */
const bodies = new Set(
  "city county town township village district council board commission committee school com comm cty brd".split(" ")
)

type Sort = "idle" | "when" | "code" | "body" | "kind" | "own"

const bare = (token: string): string => token.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "")

const sortOf = (token: string, bodyWords: ReadonlyArray<string>): Sort => {
  const word = bare(token)
  if (word === "" || idle.has(word)) return "idle"
  if (/^\d{1,2}(?::\d\d)?(?:[ap]m|st|nd|rd|th)?$|^(?:19|20)\d\d$/.test(word) || times.has(word)) return "when"
  if (/^[\d./-]+$|^[a-z]$/.test(word)) return "code"
  if (kinds.has(word)) return "kind"
  if (bodies.has(word)) return "body"
  const isBody = (part: string) => bodyWords.some((one) => one === part || `${one}s` === part || shortens(part, one))
  return word.split(/[–-]/).every(isBody) ? "body" : "own"
}

const clean = (text: string): string => withoutMarkdown(text).replace(/\s+/g, " ").trim()

/** `Part 2` and `2:00 PM`: what tells two meetings of one day apart. */
const whichOf = (title: string): string =>
  (title.match(/\bPart \d+\b|\b\d{1,2}:\d\d ?[ap]\.?m\b\.?/gi) ?? []).map((found) => `, ${found}`).join("")

const read = (text: string, { body }: Pick<Named, "body">) => {
  const bodyWords = body.name.split(/[\s/,–-]+/).map(bare)
  const sorted = text
    .replace(/\bPart \d+\b/gi, "")
    .split(/[\s/]+/)
    .map((token) => [token, sortOf(token, bodyWords)] as const)
  const has = (wanted: Sort) => sorted.some(([, sort]) => sort === wanted)
  const only = (...wanted: ReadonlyArray<Sort>) =>
    sorted.flatMap(([token, sort]) => (wanted.includes(sort) ? [token] : [])).join(" ")
  return { has, only }
}

/** Whether a text says more than which body met, when, and that it met. */
const says = (text: string, meeting: Pick<Named, "body">): boolean => read(clean(text), meeting).has("own")

/** A headline that repeats body, kind or day is none. */
const saysMore = (headline: string | undefined, meeting: Named): headline is string => {
  const { has } = read(clean(headline ?? ""), meeting)
  return has("own") || has("code")
}

const spelled: Readonly<Record<string, string>> = { ws: "Work Session", workshop: "Workshop" }

/** The kind of a meeting whose title says no more than that: `Regular Meeting`; `Meeting` if it does not even. */
const kindIn = (title: string, meeting: Pick<Named, "body">): string => {
  const { has, only } = read(title, meeting)
  const isBare = !has("body") && !has("code") && !has("when") && title !== title.toUpperCase()
  if (isBare && has("kind") && /\b(?:meeting|session|workshop|hearing|retreat|hall)s?\b/i.test(title)) return title
  const words = only("kind").replace(/[^\p{L}\p{N} ]+/gu, "")
  if (words === "") return "Meeting"
  const named = words.replace(/\p{L}+/gu, (word) => {
    const low = word.toLowerCase()
    return spelled[low] ?? low[0]?.toUpperCase() + low.slice(1)
  })
  if (/(?:Session|Workshop|Hearings?|Retreat|Preview|Briefing|Hall)$/.test(named)) return named
  const noun = /\b(session|meeting)s?\b/i.exec(title)?.[1]?.toLowerCase()
  return `${named} ${noun === "session" || /(?:Work|Study)$/.test(named) ? "Session" : "Meeting"}`
}

/** Whether a title was made for filing: `Co Com R 267 230925 Rules Committee`. */
const isFiled = (title: string, meeting: Pick<Named, "body">): boolean => {
  const { has } = read(title, meeting)
  return has("code") && has("body")
}

/** What a title calls the meeting, without the codes of whoever filed it: `Regular Meeting`, `Budget Hearings`. */
export const sessionOf = (meeting: Pick<Named, "title" | "body">): string => {
  const title = clean(meeting.title)
  const { has, only } = read(title, meeting)
  if (!has("own")) return kindIn(title, meeting)
  const said = isFiled(title, meeting) ? only("kind", "own").replace(/\bWS\b/, "Work Session:") : title
  return clampAtWord(said, longestName)
}

/** Items that are on every agenda. */
const routine =
  /^(?:the )?(?:call(?:ing)? (?:the \w+ |\w+ )?to order|roll ?call|pledge|invocation|prayer|moment of silence|welcome|opening|introductions?|attendance|quorum|adjourn|recess\b|approv(?:al|e) (?:of )?(?:the )?(?:\w+ ){0,3}(?:minutes|agenda)|(?:review|adoption|reading) of (?:the )?(?:minutes|agenda)|(?:\w+ )?minutes|agenda\b|(?:open |general )?public (?:comments?|forum|input|participation|hearings?)$|citizens?.? (?:comments?|forum)|announcements?|communications?|correspondence|consent|(?:old|new|unfinished|other) business|(?:staff|committee|council|member|director.?s?|mayor.?s?|chair.?s?) (?:reports?|comments?|updates?)|reports?$|closed session|executive session|work session|and such other business|messages (?:&|and) papers|petitions|land use call-ups|discussion of general orders|all items reported|by the chair|see (?:the )?(?:land use )?calendar|ceremonial|state legislation resolution|(?:agenda )?to be announced|jointly with|items? for|discussion$|presentations?$|action items?$|resolutions?$|ordinances?$|appointments?$|proclamations?$)/i

/** The formal opening of a bill hides what it is about. */
const withoutFormula = (item: string): string => {
  const rest = item.replace(
    /^(?:proposed int\.? no\.? \S+|a local law|an ordinance|a resolution|resolution|ordinance)\b.{0,220}?\b(?:in relation to|relating to|regarding|concerning)\s+/i,
    ""
  )
  return rest === "" ? item : `${rest[0]?.toUpperCase() ?? ""}${rest.slice(1)}`
}

/** Up to two items of an agenda that tell a meeting from the others of its body, in their order. */
export const distinctItems = (titles: ReadonlyArray<string>): ReadonlyArray<string> => {
  const own = titles
    .map((title) => clean(title).replace(/^(?:item )?(?:\d+|[a-z])[.)]\s+/i, ""))
    .filter((title) => /\p{L}{3}/u.test(title) && !routine.test(title))
    .map((title) => clampAtWord(withoutFormula(title).replace(/[\s.;:,]+$/, ""), 60))
  return [...new Set(own)].slice(0, 2)
}

/**
 * What a meeting is called: its decision; else the title that its body gave it, if that says more than that the body
 * met; else its kind with what it was about, or with its day. Never longer than `longestName`.
 */
export const meetingName = (meeting: Named): string => {
  const { headline, title, date, about = [] } = meeting
  if (saysMore(headline, meeting)) return clampAtWord(clean(headline), longestName)
  const [session, on] = [sessionOf(meeting), `${day.format(new Date(date))}${whichOf(title)}`]
  if (says(title, meeting))
    return isFiled(clean(title), meeting) ? clampAtWord(`${session}, ${on}`, longestName) : session
  if (about.length === 0) return `${session}${session.split(" ").length > 3 ? "," : " of"} ${on}`
  return clampAtWord(`${session === "Meeting" ? "" : `${session}${whichOf(title)}: `}${about.join("; ")}`, longestName)
}

/** The headline in full, if the name had to cut it. */
export const uncutHeadline = (meeting: Named, headline = meeting.headline): string | undefined => {
  const whole = clean(headline ?? "")
  return whole.length > longestName && saysMore(whole, meeting) ? whole : undefined
}

const namesBody = (name: string, { body }: Named): boolean => name.toLowerCase().includes(body.name.toLowerCase())

/** The name of a meeting where its body is not shown beside it. */
export const nameWithBody = (meeting: Named): string => {
  const name = meetingName(meeting)
  return saysMore(meeting.headline, meeting) || namesBody(name, meeting) ? name : `${name}: ${meeting.body.name}`
}

/** The kind of meeting with its body first, as calendars list it. */
export const nameAfterBody = (meeting: Named): string => {
  const session = sessionOf(meeting)
  return namesBody(session, meeting) ? session : `${meeting.body.name}: ${session}`
}

/** The same within a sentence. */
export const sessionOfBody = (meeting: Named): string => {
  const session = sessionOf(meeting)
  return namesBody(session, meeting) ? session : `${session} of ${meeting.body.name}`
}
