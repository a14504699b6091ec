import { bodyKindLabels } from "../../../schema/agency.ts"
import type { MeetingCard } from "../../../schema/meeting.ts"
import { holdings } from "../parts/card.ts"
import { nameWithBody, titleOfBody } from "../parts/meeting-name.ts"
import { longDate } from "../said.ts"
import { type Elements, xmlDocument } from "./xml.ts"

/** A page of a list of meetings, to be written as an Atom feed; every address is a path. */
export interface AtomView {
  /** The feed's address without a page: its id as well. */
  readonly path: string
  readonly title: string
  /** The page for people with the same list. */
  readonly html: string
  /** When any meeting of the whole list last changed; undefined where the list is empty. */
  readonly updated: string | undefined
  /** The other pages of the feed by their relation (RFC 5005, section 3), and this one as `self`. */
  readonly pages: Readonly<Record<string, string>>
  readonly entries: ReadonlyArray<MeetingCard>
}

export const atomType = "application/atom+xml"

/** Nothing has ever changed in a list that is empty, and Atom demands an instant. */
const never = "1970-01-01T00:00:00Z"

/** What anyone may know of the meeting: which it was, and what there is of it. */
const summaryOf = (card: MeetingCard): string => {
  const what = `${titleOfBody(card)} on ${longDate(card.date)}.`
  const held = holdings(card)
  return held.length === 0 ? what : `${what} On record: ${held.join(", ")}.`
}

const entryOf = (card: MeetingCard, base: string): Elements => {
  const { id, headline, body, path, type, updated_at } = card
  return {
    id: `urn:uuid:${id}`,
    title: headline ?? nameWithBody(card),
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
 * A list of meetings as an Atom feed (RFC 4287). An entry's id is made of the meeting's, which does not change when a body
 * is renamed or merged, and its `updated` is when the meeting last changed. Nothing gated is in it. `base` is the address
 * of the service, without a slash at its end.
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
