import { Effect, Option, Schema } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import type { Sql } from "../../../layers/db/db.ts"
import type { Mail } from "../../../layers/mailer.ts"
import { Signer } from "../../../layers/signer/signer.ts"
import type { EmailPreferences } from "../../../schema/account.ts"
import type { EditedNewsletter, Newsletter } from "../../../schema/briefing.ts"
import type { AccountId, AgendaItemId, FigureId, MeetingId } from "../../../schema/primitives.ts"
import { BrowseQueryText } from "../../../schema/saved-search.ts"
import { defaultPrefs } from "../accounts/email-prefs.ts"
import { pathOfQuery } from "../accounts/saved-searches.ts"
import { Briefings } from "../meetings/briefings.ts"
import { cardsOf } from "../meetings/cards.ts"
import { figureKey, mediaPath } from "../meetings/media-tier.ts"
import { Summaries } from "../meetings/summaries.ts"
import { followedMatters, followedPeople } from "../search/query/canonical-query.ts"
import { given } from "../wire.ts"
import { becauseOfSearches, type Find, findsParts, findsSubject } from "./finds-letter.ts"
import { happenedTo, votedSince, votedThere } from "./followed.ts"
import { htmlOf, type Letter, textOf } from "./letter.ts"
import { mostMeetings } from "./meeting-parts.ts"
import type { Content, Outgoing } from "./outgoing.ts"
import { becauseOfFollows, type MailedFigure, type MailedMeeting, recapParts, recapSubject } from "./recap-letter.ts"

interface Reader extends EmailPreferences {
  readonly email: string
  readonly name: string | null
}

const isEdited = (newsletter: Newsletter): newsletter is EditedNewsletter => !newsletter.pending_verification

const figuresOf = Effect.fnUntraced(function* (db: Sql, meeting: MeetingId) {
  const signer = yield* Signer
  const { baseUrl } = yield* Environment
  const rows = yield* db<Omit<MailedFigure, "src" | "id"> & { readonly id: FigureId }>`
    select f.id, f.title, f.alt, d.width, d.height
    from figure f join media d on d.meeting_id = f.meeting_id and d.role = 'figure' and d.subject = f.id
    where f.meeting_id = ${meeting} and d.width is not null and d.height is not null order by f.id`
  return yield* Effect.forEach(rows, (figure) => {
    const key = figureKey(meeting, figure.id)
    return Effect.map(signer.signFigure(key), (eg) => ({ ...figure, src: `${baseUrl}${mediaPath(key)}?eg=${eg}` }))
  })
})

/** The current facts about these meetings, in order; removed ones are left out. */
const toldOf = Effect.fnUntraced(function* (db: Sql, meetings: ReadonlyArray<MeetingId>) {
  const { baseUrl } = yield* Environment
  const summaries = yield* Summaries
  const briefings = yield* Briefings
  const cards = yield* cardsOf(db, meetings, baseUrl)
  return yield* Effect.forEach(
    cards,
    Effect.fnUntraced(function* (card) {
      const recap = Option.getOrUndefined(yield* Effect.option(summaries.recap(card.id)))
      const written = Option.getOrUndefined(yield* Effect.option(briefings.newsletter(card.id)))
      const briefing = written !== undefined && isEdited(written) ? written : undefined
      const items = yield* db<{ id: AgendaItemId; number: string | null; title: string }>`
        select id, number, title from agenda_item where meeting_id = ${card.id}`
      // Figures belong to the briefing and are held back with it.
      const figures = written !== undefined && briefing === undefined ? [] : yield* figuresOf(db, card.id)
      return {
        card,
        recap,
        briefing,
        figures,
        items: items.map(({ id, number, title }) => ({ id, title, ...given("number", number) }))
      } satisfies MailedMeeting
    })
  )
})

const readQuery = Schema.decodeUnknownOption(BrowseQueryText)

/** The searches that still exist with their results, up to as many meetings as one mail lists. */
const findsOf = Effect.fnUntraced(function* (
  db: Sql,
  finds: Extract<Content, { readonly list: "saved_searches" }>["finds"]
) {
  const { baseUrl } = yield* Environment
  const kept = yield* db<{ id: string; name: string; query: string }>`
    select id, name, query from saved_search where id = any(${finds.map(({ search }) => search)}::uuid[])`
  const byId = new Map(kept.map((search) => [search.id, search]))
  const finding: Array<Find> = []
  let left = mostMeetings
  for (const { search: id, meetings, actions = [] } of finds) {
    const search = byId.get(id)
    if (search === undefined) continue
    const cards = yield* cardsOf(db, meetings.slice(0, left), baseUrl)
    left -= cards.length
    const query = Option.getOrElse(readQuery(search.query), () => ({}))
    const happened = [
      ...(yield* happenedTo(db, followedMatters(query), actions)),
      ...(yield* votedSince(db, followedPeople(query), actions))
    ]
    finding.push({
      name: search.name,
      href: new URL(pathOfQuery(search.query), baseUrl).href,
      total: meetings.length,
      cards,
      happened: happened.map(({ text, path }) => ({ text, href: new URL(path, baseUrl).href })),
      votes: yield* votedThere(db, followedPeople(query), meetings.slice(0, cards.length))
    })
  }
  return finding
})

const letterOf = Effect.fnUntraced(function* (db: Sql, content: Content, reader: Reader) {
  const { baseUrl } = yield* Environment
  if (content.list === "recaps") {
    if (reader.recaps === "off") return undefined
    const told = yield* toldOf(db, content.meetings.slice(0, mostMeetings))
    if (told.length === 0) return undefined
    const total = content.meetings.length > mostMeetings ? content.meetings.length : told.length
    return {
      subject: recapSubject(told, total),
      parts: recapParts(told, total, baseUrl),
      because: becauseOfFollows(reader.recaps)
    }
  }
  if (reader.saved_searches === "off") return undefined
  const finds = yield* findsOf(db, content.finds)
  if (finds.length === 0) return undefined
  return {
    subject: findsSubject(finds),
    parts: findsParts(finds, baseUrl),
    because: becauseOfSearches(reader.saved_searches)
  }
})

const readerOf = Effect.fnUntraced(function* (db: Sql, account: AccountId) {
  const [row] = yield* db<Reader>`
    select a.email, a.name, coalesce(p.recaps, ${defaultPrefs.recaps}) as recaps,
      coalesce(p.saved_searches, ${defaultPrefs.saved_searches}) as saved_searches
    from account a left join email_pref p on p.account_id = a.id where a.id = ${account}`
  return row
})

const kinds = { recaps: "recap", saved_searches: "saved_search" } as const
const namesOfLists = { recaps: "Unsubscribe from recaps", saved_searches: "Unsubscribe from saved searches" } as const

/**
 * A mail in its current form; undefined if there is nothing left to send, because its reader has unsubscribed meanwhile
 * or the meetings are gone.
 */
export const compose = Effect.fn("Mail.compose")(function* (
  db: Sql,
  { id, accountId, content }: Outgoing & { readonly id: string }
) {
  const signer = yield* Signer
  const { baseUrl } = yield* Environment
  const reader = yield* readerOf(db, accountId)
  if (reader === undefined) return undefined
  const written = yield* letterOf(db, content, reader)
  if (written === undefined) return undefined
  const unsubscribeUrl = (list: Content["list"] | "all") =>
    Effect.map(signer.signUnsubscribe({ accountId, list }), (t) => `${baseUrl}/api/email/unsubscribe?t=${t}`)
  const unsubscribe = yield* unsubscribeUrl(content.list)
  const letter: Letter = {
    ...written,
    unsubscribe: [
      { text: namesOfLists[content.list], href: unsubscribe },
      { text: "End all mail from Civic Record", href: yield* unsubscribeUrl("all") }
    ]
  }
  return {
    id,
    to: { address: reader.email, ...(reader.name === null ? {} : { name: reader.name }) },
    subject: letter.subject,
    text: textOf(letter),
    html: htmlOf(letter),
    kind: kinds[content.list],
    listUnsubscribe: { url: unsubscribe }
  } satisfies Mail
})
