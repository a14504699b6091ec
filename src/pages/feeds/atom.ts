import { bodyKindLabels } from "../../../schema/agency.ts"
import type { MeetingCard } from "../../../schema/meeting.ts"
import { nameWithBody, sessionOfBody } from "../../text/meeting-name.ts"
import { holdings } from "../parts/card.ts"
import { longDate } from "../said.ts"
import { type Elements, xmlDocument } from "./xml.ts"

/** A page of a list of meetings, ready to be written as an Atom feed; every address is a path. */
export interface AtomView {
  /** The feed's address without a page number, which is also its id. */
  readonly path: string
  readonly title: string
  /** The web page with the same list. */
  readonly html: string
  /** When any meeting of the whole list last changed; undefined if the list is empty. */
  readonly updated: string | undefined
  /** The other pages of the feed by their relation (RFC 5005, section 3), and this one as `self`. */
  readonly pages: Readonly<Record<string, string>>
  readonly entries: ReadonlyArray<MeetingCard>
}

export const atomType = "application/atom+xml"

/** Atom requires an instant even for an empty list. */
const never = "1970-01-01T00:00:00Z"

/** The public summary of a meeting: which one it was, and which parts it has. */
const summaryOf = (card: MeetingCard): string => {
  const what = `${sessionOfBody(card)} on ${longDate(card.date)}.`
  const held = holdings(card)
  return held.length === 0 ? what : `${what} On record: ${held.join(", ")}.`
}

const entryOf = (card: MeetingCard, base: string): Elements => {
  const { id, body, path, type, updated_at } = card
  return {
    id: `urn:uuid:${id}`,
    title: nameWithBody(card),
    updated: updated_at,
    author: { name: body.name, uri: base + body.path },
    category: { "@term": type, "@label": bodyKindLabels[type] },
    link: [
      { "@rel": "alternate", "@type": "text/html", "@href": base + path },
      { "@rel": "alternate", "@type": "text/markdown", "@href": `${base}/md${path}` }
    ],
    summary: summaryOf(card)
  }
}

/**
 * Writes a list of meetings as an Atom feed (RFC 4287). An entry's id derives from the meeting's, which survives
 * renames and merges of its body, and its `updated` is the meeting's last change. Nothing gated is in it. `base` is the
 * address of the service, without a trailing slash.
 */
export const atomOf = ({ path, title, html, updated, pages, entries }: AtomView, base: string): string =>
  xmlDocument({
    feed: {
      "@xmlns": "http://www.w3.org/2005/Atom",
      "@xml:lang": "en-US",
      id: base + path,
      title: `${title} · Civic Record`,
      updated: updated ?? never,
      author: { name: "Civic Record" },
      link: [
        { "@rel": "alternate", "@type": "text/html", "@href": base + html },
        ...Object.entries(pages).map(([rel, href]) => ({ "@rel": rel, "@type": atomType, "@href": base + href }))
      ],
      entry: entries.map((card) => entryOf(card, base))
    }
  })
