import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import fc from "fast-check"
import { v5 } from "uuid"
import { Db } from "../../../layers/db/db.ts"
import { Signer } from "../../../layers/signer/signer.ts"
import { AgendaSummary, Graphics, Recap, type Span } from "../../../schema/briefing.ts"
import { type ClipState, Clips, CommunityClips } from "../../../schema/clip.ts"
import { AgendaCopy, Video } from "../../../schema/media.ts"
import { UserClipId } from "../../../schema/primitives.ts"
import { communitySet, repeats } from "../../../src/services/meetings/community-set.ts"
import {
  agendaKey,
  clipKey,
  figureKey,
  mediaTier,
  renditionKey,
  userClipKey
} from "../../../src/services/meetings/media-tier.ts"
import { MeetingMedia } from "../../../src/services/meetings/meeting-media.ts"
import { Summaries } from "../../../src/services/meetings/summaries.ts"
import {
  agency,
  agendaItemId,
  clipId,
  figureId,
  meeting,
  meetingId,
  place,
  putMedia,
  putOnRecord
} from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"
import { TestSetup, TestSigner } from "../../support/service.ts"

const id = meetingId("full")
const userClipId = (name: string) => UserClipId.make(v5(`user clip ${name}`, id))

const clip = (name: string, start: number, state: ClipState, item?: string) => ({
  type: "clip" as const,
  meeting_id: id,
  id: clipId(name),
  title: `Clip ${name}`,
  start,
  end: start + 60.5,
  state,
  ...(item === undefined ? {} : { agenda_item: agendaItemId(item) })
})

const figure = (name: string) => ({
  type: "figure" as const,
  meeting_id: id,
  id: figureId(name),
  title: `Figure ${name}`,
  alt: `What ${name} shows`
})

const userClips = [
  // Older first; the rest of the set is in this order too.
  { name: "first", start: 300, end: 400, state: "ready" },
  { name: "repeats first", start: 302, end: 400, state: "ready" },
  { name: "repeats curated", start: 100, end: 155, state: "ready" },
  { name: "not yet", start: 500, end: 600, state: "rendering" },
  { name: "broken", start: 700, end: 800, state: "failed" },
  { name: "early", start: 10.25, end: 40, state: "ready" }
]

const record = Effect.gen(function* () {
  yield* putOnRecord(
    place("springfield"),
    agency("council", ["springfield"]),
    meeting("full", "council", {
      duration: 3600,
      agenda_url: "https://example.gov/agenda.pdf",
      agenda_items: [{ id: agendaItemId("a"), title: "Greenway" }]
    }),
    meeting("bare", "council"),
    clip("later", 200, "published"),
    clip("earlier", 100, "published", "a"),
    clip("unrendered", 50, "published"),
    clip("proposal", 900, "proposal"),
    clip("dismissed", 1000, "dismissed"),
    clip("alternate", 1100, "alternate"),
    figure("z"),
    figure("y"),
    figure("unused"),
    figure("unrendered"),
    {
      type: "briefing",
      meeting_id: id,
      headline: "Headline",
      worth_watching: [],
      topics: [
        { title: "One", sentences: [], figures: [figureId("z")] },
        { title: "Two", sentences: [], figures: [figureId("y"), figureId("z")] }
      ],
      published_at: "2026-03-12T08:00:00Z"
    },
    { type: "recap", meeting_id: id, headline: "Recap", summary: "Short.", decisions: [{ outcome: "Passed" }] },
    { type: "agenda_summary", meeting_id: id, items: [{ number: "1", title: "Greenway", summary: "A path." }] }
  )
  const clips = ["later", "earlier", "proposal", "dismissed", "alternate"]
  yield* putMedia(
    ...clips.map((name) => ({ key: clipKey(id, clipId(name)), role: "clip", subject: clipId(name) }) as const),
    ...["z", "y", "unused"].map(
      (name) =>
        ({
          key: figureKey(id, figureId(name)),
          role: "figure",
          subject: figureId(name),
          media_type: "image/png",
          width: 1200,
          height: 675
        }) as const
    ),
    { key: renditionKey(id), role: "rendition", width: 1280, height: 720, duration: 3599.25 },
    { key: `meetings/${id}/poster.jpg`, role: "poster", media_type: "image/jpeg" },
    { key: agendaKey(id), role: "agenda", media_type: "application/pdf", bytes: 48_123 }
  )
  const db = yield* Db
  const [account] = yield* db<{ id: string }>`
    insert into account (email, created_at) values ('reader@example.org', now()) returning id`
  for (const [at, { name, start, end, state }] of userClips.entries()) {
    const made = new Date(Date.UTC(2026, 3, 1, at))
    yield* db`insert into user_clip ${db.insert({
      id: userClipId(name),
      slug: name.replaceAll(" ", "-"),
      account_id: account?.id ?? "",
      meeting_id: id,
      title: name === "early" ? null : name,
      start,
      end,
      state,
      failure: state === "failed" ? "it broke" : null,
      created_at: made,
      ready_at: state === "ready" ? made : null
    })}`
  }
})

const TestLayer = Layer.effectDiscard(record).pipe(
  Layer.provideMerge(Layer.mergeAll(MeetingMedia.layer, Summaries.layer)),
  Layer.provideMerge(Layer.mergeAll(TestDb, TestSigner, TestSetup))
)

const visits = <A, E>(ask: (visits: MeetingMedia["Service"]) => Effect.Effect<A, E>) => MeetingMedia.use(ask)

/** Checks that an address opens the object under this key, for watching and for six hours, and is within tier 2. */
const opens = Effect.fnUntraced(function* (
  address: { readonly url: string; readonly expires_at: string },
  key: string
) {
  const [, sig = ""] = address.url.split("?sig=")
  assert.strictEqual(address.url, `http://record.example.gov/api/media/${key}?sig=${sig}`)
  assert.strictEqual(mediaTier(key).tier, 2)
  const { download, expiresAt } = yield* Signer.use((signer) => signer.verifyMedia(key, sig))
  assert.isFalse(download)
  assert.strictEqual(new Date(address.expires_at).getTime(), expiresAt.epochMilliseconds)
  // The test clock stands at the epoch.
  assert.strictEqual(expiresAt.epochMilliseconds, 6 * 3_600_000)
})

const valid = <S extends Schema.Codec<unknown, unknown>>(schema: S, sent: unknown) =>
  Schema.decodeUnknownEffect(schema, { onExcessProperty: "error" })(sent)

layer(TestLayer)("MeetingMedia", (it) => {
  it.effect("signs the published clips that are rendered, and none of the others", () =>
    Effect.gen(function* () {
      const sent = yield* visits(({ clips }) => clips(id))
      yield* valid(Clips, sent)
      assert.deepStrictEqual(
        sent.clips.map(({ url: _, expires_at: _1, ...clip }) => clip),
        [
          {
            id: clipId("earlier"),
            title: "Clip earlier",
            start: 100,
            end: 160.5,
            duration: 60.5,
            agenda_item: agendaItemId("a")
          },
          { id: clipId("later"), title: "Clip later", start: 200, end: 260.5, duration: 60.5 }
        ]
      )
      for (const clip of sent.clips) yield* opens(clip, clipKey(id, clip.id))
    })
  )

  it.effect("signs the ready clips of readers, without those that repeat another", () =>
    Effect.gen(function* () {
      const sent = yield* visits(({ communityClips }) => communityClips(id))
      yield* valid(CommunityClips, sent)
      assert.deepStrictEqual(
        sent.clips.map(({ url: _, expires_at: _1, ...clip }) => clip),
        [
          { slug: "early", start: 10.25, end: 40, duration: 29.75 },
          { slug: "first", title: "first", start: 300, end: 400, duration: 100 }
        ]
      )
      for (const clip of sent.clips) yield* opens(clip, userClipKey(userClipId(clip.slug)))
    })
  )

  it.effect("signs the figures that have an image, in the order of the briefing", () =>
    Effect.gen(function* () {
      const sent = yield* visits(({ graphics }) => graphics(id))
      yield* valid(Graphics, sent)
      assert.deepStrictEqual(
        sent.figures.map((figure) => figure.id),
        ["z", "y", "unused"].map(figureId)
      )
      const { url: _, expires_at: _1, ...first } = sent.figures[0] ?? assert.fail("has figures")
      assert.deepStrictEqual(first, {
        id: figureId("z"),
        title: "Figure z",
        alt: "What z shows",
        media_type: "image/png",
        width: 1200,
        height: 675
      })
      for (const figure of sent.figures) yield* opens(figure, figureKey(id, figure.id))
    })
  )

  it.effect("signs the rendition and the copy of the agenda", () =>
    Effect.gen(function* () {
      const video = yield* visits(({ video }) => video(id))
      yield* valid(Video, video)
      yield* opens(video, renditionKey(id))
      const { url: _, expires_at: _1, ...rendition } = video
      assert.deepStrictEqual(rendition, {
        meeting_id: id,
        media_type: "video/mp4",
        width: 1280,
        height: 720,
        duration: 3599.25,
        poster_url: `http://record.example.gov/api/media/meetings/${id}/poster.jpg`
      })
      const copy = yield* visits(({ agenda }) => agenda(id))
      yield* valid(AgendaCopy, copy)
      yield* opens(copy, agendaKey(id))
      assert.deepStrictEqual(
        [copy.media_type, copy.bytes, copy.source_url],
        ["application/pdf", 48_123, "https://example.gov/agenda.pdf"]
      )
    })
  )

  it.effect("says which part a meeting lacks, and lists nothing if there is nothing to list", () =>
    Effect.gen(function* () {
      const bare = meetingId("bare")
      assert.strictEqual((yield* Effect.flip(visits(({ video }) => video(bare)))).part, "video")
      assert.strictEqual((yield* Effect.flip(visits(({ agenda }) => agenda(bare)))).part, "agenda_copy")
      assert.deepStrictEqual(yield* visits(({ clips }) => clips(bare)), { meeting_id: bare, clips: [] })
      assert.deepStrictEqual(yield* visits(({ communityClips }) => communityClips(bare)), {
        meeting_id: bare,
        clips: []
      })
      assert.deepStrictEqual(yield* visits(({ graphics }) => graphics(bare)), { meeting_id: bare, figures: [] })
    })
  )

  it.effect("has the recap and the agenda summary of a meeting", () =>
    Effect.gen(function* () {
      const summaries = yield* Summaries
      assert.deepStrictEqual(yield* valid(Recap, yield* summaries.recap(id)), {
        meeting_id: id,
        headline: "Recap",
        summary: "Short.",
        decisions: [{ outcome: "Passed" }]
      })
      assert.deepStrictEqual(yield* valid(AgendaSummary, yield* summaries.agenda(id)), {
        meeting_id: id,
        items: [{ number: "1", title: "Greenway", summary: "A path." }]
      })
      assert.strictEqual((yield* Effect.flip(summaries.recap(meetingId("bare")))).part, "recap")
      assert.strictEqual((yield* Effect.flip(summaries.agenda(meetingId("bare")))).part, "agenda_summary")
    })
  )
})

describe("the community set", () => {
  const span = fc
    .tuple(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 1, max: 30_000 }))
    .map(([start, length]): Span => ({ start: start / 1000, end: (start + length) / 1000 }))
  const spans = fc.array(span, { maxLength: 12 })

  it("contains every clip that repeats none before it, and no other", () => {
    fc.assert(
      fc.property(spans, spans, (curated, clips) => {
        const set = communitySet(curated, clips)
        for (const [at, clip] of clips.entries()) {
          const before = [...curated, ...clips.slice(0, at).filter((older) => set.includes(older))]
          assert.strictEqual(set.includes(clip), !before.some((kept) => repeats(clip, kept)))
        }
        assert.deepStrictEqual(
          set,
          clips.filter((clip) => set.includes(clip))
        )
      })
    )
  })

  it("compares two clips by their shared part of the time they cover, in either order", () => {
    fc.assert(
      fc.property(span, span, (one, other) => {
        assert.strictEqual(repeats(one, other), repeats(other, one))
        assert.isTrue(repeats(one, one))
        const at = (seconds: number) => Math.round(seconds * 1000)
        let shared = 0
        let together = 0
        const from = at(Math.min(one.start, other.start))
        const to = at(Math.max(one.end, other.end))
        for (let moment = from; moment < to; moment++) {
          const inOne = moment >= at(one.start) && moment < at(one.end)
          const inOther = moment >= at(other.start) && moment < at(other.end)
          if (inOne && inOther) shared++
          if (inOne || inOther) together++
        }
        assert.strictEqual(repeats(one, other), shared / together >= 0.8)
      }),
      { numRuns: 60 }
    )
  })

  it("counts a share of exactly 0.8 as a repeat", () => {
    assert.isTrue(repeats({ start: 0.1, end: 10.1 }, { start: 0.1, end: 8.1 }))
    assert.isFalse(repeats({ start: 0.1, end: 10.1 }, { start: 0.1, end: 8.099 }))
    assert.isFalse(repeats({ start: 0, end: 1 }, { start: 1, end: 2 }))
  })
})
