import { Effect, Option, Schema, Struct } from "effect"
import type { AgendaItem, Meeting } from "../../../schema/meeting.ts"
import { type MeetingId, Seconds } from "../../../schema/primitives.ts"
import { parseSearchQuery, wantedWords } from "../../../schema/search-query.ts"
import type { Segment } from "../../../schema/transcript.ts"
import { anonymous, type Viewer } from "../../../schema/viewer.ts"
import { wireError } from "../../api/errors/classes.ts"
import { invalidRequest } from "../../api/errors/common.ts"
import { wire } from "../../failures/failures.ts"
import { readerTokenHeader } from "../../pages/parts/reader-token-header.ts"
import { plural } from "../../pages/said.ts"
import { requireReader } from "../../services/accounts/access.ts"
import { ReaderTokens } from "../../services/accounts/reader-tokens.ts"
import { Shares } from "../../services/accounts/shares.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import { Summaries } from "../../services/meetings/summaries.ts"
import { Transcripts } from "../../services/meetings/transcripts.ts"
import { Quotes } from "../../services/search/quotes/quotes.ts"
import { type ReaderToken, tool } from "./tool.ts"

/** The most seconds of words in one answer, and how many if `to` is left out. */
const longestRange = 900
const usualRange = 300

/** The most characters of words in one answer, and of one agenda item's description. */
const mostCharacters = 24_000
const longestDescription = 600

/** The most agenda items, and the most chapters, in one answer. */
const mostItems = 200

const say = (description: string) => ({ description })

const Input = Schema.Struct({
  id: Schema.String.annotate(say("The id or slug of a meeting, as other answers name it.")),
  from: Schema.optionalKey(Seconds.annotate(say("For the words: the second of the recording at which to begin."))),
  to: Schema.optionalKey(
    Seconds.annotate(say(`The second at which to end, at most ${longestRange} after from; else ${usualRange} after.`))
  ),
  q: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(200)).annotate(
      say('For quotes: words and "phrases" to find in what was said.')
    )
  ),
  share_token: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(2000)).annotate(
      say("A share link to this meeting, or the st in it. Not needed with a reader's token.")
    )
  )
})
type Input = typeof Input.Type

const wrong = (field: string, problem: string, hint: string) => Effect.fail(invalidRequest(field, problem, hint))

/** Refuses arguments that do not go together. */
const fitting = ({ from, to, q }: Input) => {
  if (q !== undefined && (from ?? to) !== undefined) {
    return wrong("q", "does not go with from and to", "Call read_meeting once for quotes, and once for words.")
  }
  if (q !== undefined) {
    const { either } = parseSearchQuery(q)
    const isPlain = either.every((one) => one.notWords.length + one.notPhrases.length + one.scopes.length === 0)
    if (!isPlain || wantedWords({ either }).length === 0) {
      return wrong("q", 'may hold only words, "phrases" and or', "Leave out scopes and minus signs, and name a word.")
    }
  }
  if (to === undefined) return Effect.void
  if (from === undefined) return wrong("to", "needs from", "Send from, the second at which to begin.")
  return to > from && to - from <= longestRange
    ? Effect.void
    : wrong("to", `must be after from, by at most ${longestRange} seconds`, "Read a long meeting in several calls.")
}

/** The token in a share link, or the text itself. */
const tokenIn = (shared: string): string => URL.parse(shared)?.searchParams.get("st") ?? shared.trim()

/** Who is asking. A reader's token that opens nothing is refused, so that nobody takes the teaser for the record. */
export const viewerOf = Effect.fnUntraced(function* (token: ReaderToken, shared: string | undefined) {
  if (token !== undefined) {
    const accountId = yield* (yield* ReaderTokens).ownerOf(token)
    return { _tag: "Reader", accountId } satisfies Viewer
  }
  if (shared === undefined) return anonymous
  const opened = yield* (yield* Shares).ofToken(tokenIn(shared))
  return Option.match(opened, {
    onNone: (): Viewer => ({ _tag: "Anonymous", grantRefused: true }),
    onSome: (meetingId): Viewer => ({ _tag: "ShareHolder", meetingId })
  })
})

const needsToken = () =>
  wireError(
    "sign_in_required",
    "The words of a meeting need a reader's token or a share link.",
    `Pass a share link as share_token, or let the reader make a token at /account/tokens (accounts are free) for this client to send as ${readerTokenHeader}.`
  )

/** The words of a range, as many as fit; `next_from` says where the rest begins. */
const within = (segments: ReadonlyArray<Segment>, from: number, to: number) => {
  const spoken = segments.filter(({ start, end }) => start < to && (end > from || start >= from))
  let room = mostCharacters
  const kept: Array<Segment> = []
  for (const segment of spoken) {
    if (kept.length > 0 && segment.text.length > room) {
      return { from, to, segments: kept, next_from: segment.start }
    }
    const { text } = segment
    kept.push(text.length > mostCharacters ? { ...segment, text: `${text.slice(0, mostCharacters)}…` } : segment)
    room -= segment.text.length
  }
  return { from, to, segments: kept }
}

const briefly = (item: AgendaItem): AgendaItem =>
  item.description === undefined || item.description.length <= longestDescription
    ? item
    : { ...item, description: `${item.description.slice(0, longestDescription)}…` }

/** The meeting without what only the API uses, and with its decisions for whoever may read them. */
const overview = Effect.fnUntraced(function* (meeting: Meeting) {
  const { agenda_items, chapters, ...rest } = Struct.omit(meeting, ["links"])
  const recap = meeting.gated
    ? undefined
    : Option.getOrUndefined(yield* Effect.option((yield* Summaries).recap(meeting.id)))
  const name = `${meeting.title}, ${meeting.date}.`
  return {
    data: {
      ...rest,
      agenda_items: agenda_items.slice(0, mostItems).map(briefly),
      chapters: chapters.slice(0, mostItems),
      ...(recap === undefined ? {} : { recap: Struct.omit(recap, ["meeting_id"]) })
    },
    text: meeting.gated
      ? `${name} This is the teaser: decisions, votes and words need a reader's token or a share link.`
      : `${name} ${recap === undefined ? "No decisions are on record" : plural(recap.decisions.length, "decision")}.`
  }
})

const words = Effect.fnUntraced(function* (id: MeetingId, from: number, to: number) {
  const { segments } = yield* (yield* Transcripts).spoken(id)
  const said = within(segments, from, to)
  const text = `${plural(said.segments.length, "stretch of speech", "stretches of speech")} from ${from} to ${to} s.`
  return {
    data: said,
    text: said.next_from === undefined ? text : `${text} Go on with from = ${said.next_from}.`
  }
})

const quotes = Effect.fnUntraced(function* (id: MeetingId, path: string, q: string) {
  const found = yield* (yield* Quotes).find(id, q)
  return {
    data: { q, quotes: found.map((quote) => ({ ...quote, path: `${path}?t=${Math.floor(quote.start)}` })) },
    text:
      found.length === 0
        ? "Nobody says these words close together. Try fewer or other words."
        : `${plural(found.length, "quote")}, closest first.`
  }
})

/** `read_meeting`: a meeting as far as the caller may read it, by the one rule (`mayRead`). */
export const readMeeting = tool(
  "read_meeting",
  "Read a meeting",
  `One meeting. Everyone gets what, who, when, agenda, chapters and the beginning of the briefing; with a reader's token (header ${readerTokenHeader}) or share_token also decisions and votes, with from the words said from that second on, with q quotes with their second and speaker.`,
  Input,
  Effect.fnUntraced(function* (input, token) {
    yield* fitting(input)
    const { id: ref, from, to, q, share_token } = input
    const read = Effect.gen(function* () {
      const viewer = yield* viewerOf(token, share_token)
      const meeting = yield* (yield* Meetings).open(ref, viewer)
      const { id, title, date, path } = meeting
      const asksWords = q !== undefined || from !== undefined
      if (asksWords || token !== undefined || share_token !== undefined) yield* requireReader(viewer, id)
      if (!asksWords) return yield* overview(meeting)
      const { data, text } = yield* q === undefined
        ? words(id, from ?? 0, to ?? (from ?? 0) + usualRange)
        : quotes(id, path, q)
      return { data: { id, title, date, path, ...data }, text: `${title}, ${date}: ${text}` }
    })
    return yield* Effect.mapError(read, (refused) => (refused._tag === "SignInRequired" ? needsToken() : wire(refused)))
  })
)
