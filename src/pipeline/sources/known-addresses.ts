import { type SourceKind, sourceKinds } from "../../../schema/agent/directory.ts"
import { readers } from "./readers.ts"

/** A calendar that an address may lead to. */
export interface Candidate {
  readonly kind: SourceKind
  readonly url: string
}

/** Formats whose addresses say what they are. */
const feedAt = ({ origin, hostname, pathname, searchParams, href }: URL): Candidate | undefined => {
  if (/\.ics$/i.test(pathname) || /\/iCalendar\.aspx$/i.test(pathname)) return { kind: "ical", url: href }
  const client = /^\/v1\/([\w-]+)/.exec(pathname)?.[1]
  if (hostname === "webapi.legistar.com" && client !== undefined) {
    const token = searchParams.get("token")
    return { kind: "legistar", url: `${origin}/v1/${client}/events${token === null ? "" : `?token=${token}`}` }
  }
  return undefined
}

/**
 * The calendars that an address leads to by its words alone, the best first. A client of Legistar may have the Web API,
 * whose answers have more than its page.
 */
export const calendarsAt = (address: URL): ReadonlyArray<Candidate> => {
  const feed = feedAt(address)
  if (feed !== undefined) return [feed]
  return sourceKinds.flatMap((kind): ReadonlyArray<Candidate> => {
    const url = readers[kind].calendarAt?.(address)
    if (url === undefined) return []
    const own = { kind, url }
    const client = kind === "legistar_page" ? /^([\w-]+)\.legistar\.com$/i.exec(address.hostname)?.[1] : undefined
    return client === undefined
      ? [own]
      : [{ kind: "legistar", url: `https://webapi.legistar.com/v1/${client.toLowerCase()}/events` }, own]
  })
}

/** What is known by its address and not read: what it is, and what to do instead. */
interface Unreadable {
  readonly at: RegExp
  readonly seems: string
  readonly nextStep: string
}

const unreadable: ReadonlyArray<Unreadable> = [
  {
    at: /^https?:\/\/simbli\.eboardsolutions\.com\//i,
    seems: "Simbli, which refuses programs",
    nextStep: "Ask the board for a calendar file (iCalendar), or import its meetings from a file."
  },
  {
    at: /^https?:\/\/([\w-]+\.)*(civicweb\.net|diligentoneplatform\.com|highbond\.com)\//i,
    seems: "CivicWeb, which is not read yet",
    nextStep: "See whether the city's own site has an iCalendar or RSS feed of its meetings."
  },
  {
    at: /\/(OnBase)?AgendaOnline\//i,
    seems: "OnBase Agenda Online, which is not read yet",
    nextStep: "See whether the city's own site has an iCalendar or RSS feed of its meetings."
  },
  {
    at: /^https?:\/\/meetings\.boardbook\.org\//i,
    seems: "BoardBook, which is not read yet",
    nextStep: "Ask the board for a calendar file (iCalendar), or import its meetings from a file."
  },
  {
    at: /^https?:\/\/public\.destinyhosted\.com\//i,
    seems: "Destiny AgendaQuick, which is not read yet",
    nextStep: "See whether the city's own site has an iCalendar or RSS feed of its meetings."
  },
  {
    at: /^https?:\/\/([\w-]+\.)*(facebook\.com|zoom\.us)\//i,
    seems: "a site that shows recordings only to people who sign in",
    nextStep: "Add the recordings by hand, from a file."
  },
  {
    at: /^https?:\/\/(www\.)?(youtube\.com\/(@|user\/|c\/)|youtu\.be\/)/i,
    seems: "a YouTube address that does not say its channel",
    nextStep: "Open the channel or its playlist, and give an address with channel/UC… or list=PL…"
  },
  {
    at: /^https?:\/\/[\w-]+\.granicus\.com\//i,
    seems: "a page of Granicus that does not say its view",
    nextStep: "Open the list of the city's meetings, whose address has view_id=, and give that."
  },
  {
    at: /^https?:\/\/[\w-]+(\.new|\.v3)?\.swagit\.com\//i,
    seems: "a page of Swagit that does not say its view",
    nextStep: "Open the list of recordings on the city's own site, whose address has /views/, and give that."
  }
]

/** What an address seems to be, if it is known and not read. */
export const unreadableAt = (address: string) => unreadable.find(({ at }) => at.test(address))
