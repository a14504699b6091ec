import { bodyKindLabels } from "../../../schema/agency.ts"
import type { MeetingCard } from "../../../schema/meeting.ts"
import { nameWithBody, sessionOfBody } from "../../text/meeting-name.ts"
import { holdings } from "../parts/card.ts"
import { longDate } from "../said.ts"
import { type Elements, xmlDocument } from "./xml.ts"

/** An entry of a feed; its address is a path, and its id a URN. */
export interface FeedEntry {
  readonly id: string
  readonly title: string
  readonly updated: string
  readonly path: string
  readonly summary: string
  readonly author: { readonly name: string; readonly path?: string | undefined }
  readonly category?: { readonly term: string; readonly label: string }
}

/** A page of a list, ready to be written as a feed; every address is a path. */
export interface FeedView {
  /** The feed's address without a page number, which is also its id. */
  readonly path: string
  readonly title: string
  /** The web page with the same list. */
  readonly html: string
  /** When anything in the whole list last changed; undefined if the list is empty. */
  readonly updated: string | undefined
  /** The other pages of the feed by their relation (RFC 5005, section 3), and this one as `self`. */
  readonly pages: Readonly<Record<string, string>>
  readonly entries: ReadonlyArray<FeedEntry>
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

/** A meeting; its id survives renames and merges of its body, and `updated` is its last change. */
export const meetingEntry = (card: MeetingCard): FeedEntry => ({
  id: `urn:uuid:${card.id}`,
  title: nameWithBody(card),
  updated: card.updated_at,
  path: card.path,
  summary: summaryOf(card),
  author: { name: card.body.name, path: card.body.path },
  category: { term: card.type, label: bodyKindLabels[card.type] }
})

const entryOf = ({ id, title, updated, path, summary, author, category }: FeedEntry, base: string): Elements => ({
  id,
  title,
  updated,
  author: { name: author.name, ...(author.path === undefined ? {} : { uri: base + author.path }) },
  ...(category === undefined ? {} : { category: { "@term": category.term, "@label": category.label } }),
  link: [
    { "@rel": "alternate", "@type": "text/html", "@href": base + path },
    { "@rel": "alternate", "@type": "text/markdown", "@href": `${base}/md${path}` }
  ],
  summary
})

/**
 * Writes a list as an Atom feed (RFC 4287). Nothing gated is in it. `base` is the address of the service, without a
 * trailing slash.
 */
export const atomOf = ({ path, title, html, updated, pages, entries }: FeedView, base: string): string =>
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
      entry: entries.map((entry) => entryOf(entry, base))
    }
  })
