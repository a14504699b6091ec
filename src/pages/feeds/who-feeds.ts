import { Effect } from "effect"
import { v5 } from "uuid"
import { Environment } from "../../../layers/config/config.ts"
import type { Person } from "../../../schema/people.ts"
import type { Matter, PersonVotes } from "../../../schema/vote.ts"
import { Matters } from "../../services/people/matters.ts"
import { People } from "../../services/people/people.ts"
import { Votes } from "../../services/people/votes.ts"
import { optionWords, outcomeOf } from "../../text/vote-words.ts"
import { plainDate } from "../said.ts"
import { atomOf, atomType, type FeedEntry, type FeedView } from "./atom.ts"
import type { LoadFile } from "./feed-file.ts"
import { jsonFeedOf, jsonFeedType } from "./json-feed.ts"

/** The most entries of a feed. */
const mostEntries = 50

/** For ids of entries, which have to stay when a matter is read anew. */
const space = "3c0e8a52-9d0f-4c55-8f3b-6a6f2f1f7d11"

const after = (words: string | undefined) => (words === undefined ? "" : `; ${words}`)

/** The actions on a matter, the newest first. */
const actionsOf = (matter: Matter): ReadonlyArray<FeedEntry> => {
  const { slug, path, history, updated_at } = matter
  const times = new Map<string, number>()
  return history
    .map(({ date, action, result, body_name, agency, meeting, vote }): FeedEntry => {
      const body = meeting?.body ?? agency
      const who = body?.name ?? body_name
      const key = [slug, date, action, body_name ?? ""].join("|")
      const time = (times.get(key) ?? 0) + 1
      times.set(key, time)
      return {
        id: `urn:uuid:${v5(`${key}|${time}`, space)}`,
        title: `${action}${after(outcomeOf({ counts: vote?.counts ?? [], result: vote?.result ?? result }))}`,
        // What is still to come was last changed with its matter: readers of feeds hide entries of a later day.
        updated: [`${date}T00:00:00Z`, updated_at].toSorted()[0] ?? updated_at,
        path: meeting?.path ?? path,
        author: { name: who ?? matter.place.name, path: body?.path },
        summary: `${matter.identifier}: ${matter.title}. ${who === undefined ? "" : `${who}, `}${plainDate(date)}.`
      }
    })
    .toReversed()
    .slice(0, mostEntries)
}

/** One person's vote. */
const voteOf = (vote: PersonVotes["votes"][number], { slug, name, path }: Person): FeedEntry => {
  const { id, option, meeting, matter, motion, date, updated_at } = vote
  const subject = meeting?.item?.title ?? matter?.title ?? motion ?? "Vote"
  return {
    id: `urn:uuid:${v5(`${slug}|${id}`, space)}`,
    title: `${optionWords[option]}: ${subject}`,
    updated: updated_at,
    path: meeting === undefined ? path : `${meeting.path}#votes`,
    author: { name, path },
    summary: `${meeting === undefined ? "" : `${meeting.body.name}, `}${plainDate(date)}${after(outcomeOf(vote))}.`
  }
}

type Kind = "atom" | "json"

const fileOf = (kind: Kind, view: FeedView, base: string) =>
  kind === "atom"
    ? { contentType: `${atomType}; charset=utf-8`, text: atomOf(view, base) }
    : { contentType: `${jsonFeedType}; charset=utf-8`, text: jsonFeedOf(view, base) }

/** `/in/{place}/matters/{slug}.atom` and `.json`: what happens to a matter. */
export const loadMatterFeed = (kind: Kind): LoadFile<Matters | Environment> =>
  Effect.fn("MatterFeed.load")(function* ({ params }) {
    const matter = yield* (yield* Matters).matter(params.slug ?? "")
    const path = `${matter.path}.${kind}`
    if (matter.path !== `/in/${params.place}/matters/${params.slug}`) return { movedTo: path }
    const title = `${matter.identifier}: ${matter.title}`
    const pages = { self: path }
    const view = { path, title, html: matter.path, updated: matter.updated_at, pages, entries: actionsOf(matter) }
    return fileOf(kind, view, (yield* Environment).baseUrl)
  })

/** `/people/{slug}.atom` and `.json`: how somebody votes. */
export const loadPersonFeed = (kind: Kind): LoadFile<People | Votes | Environment> =>
  Effect.fn("PersonFeed.load")(function* ({ params }) {
    const person = yield* (yield* People).person(params.slug ?? "")
    const path = `${person.path}.${kind}`
    if (person.slug !== params.slug) return { movedTo: path }
    const { votes } = yield* (yield* Votes).ofPerson(person.slug, { page_size: mostEntries })
    const entries = votes.map((vote) => voteOf(vote, person))
    const updated = entries
      .map((entry) => entry.updated)
      .toSorted()
      .at(-1)
    const view = { path, title: `Votes of ${person.name}`, html: person.path, updated, pages: { self: path }, entries }
    return fileOf(kind, view, (yield* Environment).baseUrl)
  })
