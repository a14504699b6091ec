import { Context, Data, Effect, Layer, Schema } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { CalendarDate, type MeetingId } from "../../../schema/primitives.ts"
import { meetingNotFound, type NotFound, type Removed, UnknownAgency } from "../failures.ts"
import { recordAction } from "../history.ts"
import { meetingSlug } from "../meetings/cards.ts"
import { Meetings } from "../meetings/meetings.ts"
import { bodyWithSlug } from "../meetings/sql.ts"
import { meetingsChanged } from "./changed.ts"

/** An impossible correction. */
export class InvalidCorrection extends Data.TaggedError("InvalidCorrection")<{ readonly field: "title" | "date" }> {}

/** The corrections to a meeting; missing fields stay unchanged. */
export interface Correction {
  readonly title?: string | undefined
  /** The day that it was held, `YYYY-MM-DD`. Its time of day stays. */
  readonly date?: string | undefined
  /** The slug of the body that held it, live or retired. */
  readonly agency?: string | undefined
}

interface CorrectedRow {
  readonly title: string
  readonly date: string
  readonly slug: string
  readonly short_id: string
}

/** A meeting's title, day and body, with the resulting address. */
export interface Corrected {
  readonly id: MeetingId
  /** False if the meeting already had all of it. */
  readonly changed: boolean
  readonly before: CorrectedRow & { readonly address: string }
  readonly after: CorrectedRow & { readonly address: string }
}

/** The longest title, in characters. */
export const longestTitle = 300

const titleOf = (text: string) => {
  const title = text.replace(/\s+/g, " ").trim()
  return title !== "" && title.length <= longestTitle
    ? Effect.succeed(title)
    : Effect.fail(new InvalidCorrection({ field: "title" }))
}

const dateOf = (text: string) =>
  Schema.is(CalendarDate)(text) ? Effect.succeed(text) : Effect.fail(new InvalidCorrection({ field: "date" }))

/**
 * Manual corrections to a source's facts about a meeting. Its id and short id stay, and every address begins with the
 * short id, so old addresses lead to it forever. A correction stands, whatever the source lists, until an import brings
 * a line for the meeting that differs from the last one.
 */
export class MeetingCorrections extends Context.Service<
  MeetingCorrections,
  {
    /** Corrects a meeting, named by its id or slug, and announces it. */
    readonly correct: (
      ref: string,
      correction: Correction
    ) => Effect.Effect<Corrected, NotFound | Removed | UnknownAgency | InvalidCorrection>
  }
>()("civic-record/MeetingCorrections") {
  static readonly layer = Layer.effect(
    MeetingCorrections,
    Effect.gen(function* () {
      const db = yield* Db
      const meetings = yield* Meetings

      const read = Effect.fnUntraced(function* (id: MeetingId) {
        const [row] = yield* db<CorrectedRow>`
          select m.title, m.date::text as date, b.slug, m.short_id
          from meeting m join body b on b.id = m.body_id where m.id = ${id} for no key update of m`
        if (row === undefined) return yield* meetingNotFound(id)
        return { ...row, address: meetingSlug(row) }
      })

      const write = Effect.fnUntraced(function* (id: MeetingId, { title, date, agency }: Correction) {
        const before = yield* read(id)
        const [body] = agency === undefined ? [] : yield* bodyWithSlug(db, [agency])
        if (agency !== undefined && body === undefined) {
          return yield* new UnknownAgency({ field: "agency", slug: agency })
        }
        const written = yield* db`
          update meeting m set title = wanted.title, date = wanted.date, body_id = wanted.body_id,
            corrected = array(
              select distinct field from unnest(m.corrected || case when wanted.title <> m.title then array['title'] end
                || case when wanted.date <> m.date then array['date'] end) field order by field),
            starts_at = case when wanted.date = m.date then m.starts_at
              else (wanted.date + (m.starts_at at time zone m.timezone)::time) at time zone m.timezone end
          from (
            select id, coalesce(${title ?? null}, title) as title, coalesce(${date ?? null}::date, date) as date,
              coalesce(${body?.id ?? null}::int, body_id) as body_id
            from meeting where id = ${id}) wanted
          where m.id = wanted.id and (m.title, m.date, m.body_id) <> (wanted.title, wanted.date, wanted.body_id)
          returning m.id`
        const changed = written.length > 0
        const after = yield* read(id)
        if (changed) {
          const detail = { before: before.address, after: after.address, title: [before.title, after.title] }
          yield* recordAction(db, "meeting.correct", id, detail)
          yield* meetingsChanged(db, [id])
        }
        return { id, changed, before, after }
      })

      const correct = Effect.fn("MeetingCorrections.correct")(function* (ref: string, given: Correction) {
        const { agency } = given
        const title = given.title === undefined ? undefined : yield* titleOf(given.title)
        const date = given.date === undefined ? undefined : yield* dateOf(given.date)
        const id = yield* meetings.resolve(ref)
        return yield* db.withTransaction(write(id, { title, date, agency }))
      }, dbDies)

      return { correct }
    })
  ).pipe(Layer.provide(Meetings.fromPrimary))
}
