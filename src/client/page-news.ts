/** Says that a page which was left open has something new, and offers to load it; it never reloads by itself. */
import type { Meeting } from "../../schema/meeting.ts"
import { one } from "./dom.ts"

const minute = 60_000
/** Between two looks, while the page is in sight. */
const lookEvery = 5 * minute
/** A page that comes into sight again looks at once, unless it has just looked. */
const justLooked = minute

/** A list as the API answers it: held meetings with their number, or upcoming ones by body. */
interface Listed {
  readonly total?: number
  readonly bodies?: ReadonlyArray<{ readonly meetings: ReadonlyArray<unknown> }>
}

const partNames: Readonly<Record<string, string>> = {
  transcript: "the transcript",
  briefing: "the briefing",
  video: "the recording",
  agenda: "the agenda",
  recap: "the decisions",
  claims: "the claims"
}

const lengthOf = ({ total, bodies = [] }: Listed): number =>
  total ?? bodies.reduce((sum, { meetings }) => sum + meetings.length, 0)

/** What is new in a list that is so many meetings longer. */
const inList = (count: number): string | undefined =>
  count > 0 ? `${count} new ${count === 1 ? "meeting" : "meetings"} in this list.` : undefined

/** What is new in a meeting that changed after the page was made; `has` names the parts that the page knows. */
const inMeeting = ({ updated_at, has }: Meeting, seen: string, known: string): string | undefined => {
  if (updated_at <= seen) return undefined
  const names = known.split(" ")
  const added = Object.entries(has).flatMap(([part, held]) =>
    held === true && !names.includes(part) ? (partNames[part] ?? []) : []
  )
  return added.length === 0
    ? "The record of this meeting has changed."
    : `New in this meeting: ${new Intl.ListFormat("en-US").format(added)}.`
}

const region = one("[data-news]")
let lookedAt = Date.now()
let seen = region?.dataset.seen
let isDone = false

const tell = (words: string): void => {
  isDone = true
  const line = document.createElement("p")
  line.textContent = words
  const button = document.createElement("button")
  button.type = "button"
  button.textContent = "Reload"
  button.addEventListener("click", () => location.reload())
  region?.append(line, button)
}

/** Asks as nobody, so that every cache on the way may answer. */
const look = async (address: string): Promise<void> => {
  lookedAt = Date.now()
  const answer = await fetch(address, {
    cache: "no-cache",
    credentials: "omit",
    headers: { accept: "application/json" }
  })
  if (!answer.ok || isDone) return
  const found: Meeting | Listed = await answer.json()
  const words =
    "updated_at" in found
      ? inMeeting(found, seen ?? found.updated_at, region?.dataset.has ?? "")
      : inList(lengthOf(found) - Number(seen ?? lengthOf(found)))
  // A page that does not know how long its list is begins with the first look.
  if (!("updated_at" in found)) seen ??= String(lengthOf(found))
  if (words !== undefined) tell(words)
}

const lookIfDue = (after: number): void => {
  const address = region?.dataset.news
  if (address === undefined || isDone || document.hidden || Date.now() - lookedAt < after) return
  void look(address).catch(() => undefined)
}

setInterval(() => lookIfDue(lookEvery), minute)
document.addEventListener("visibilitychange", () => lookIfDue(justLooked))
