import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { BundleEntity } from "../../../schema/bundle.ts"
import type { VoteOption } from "../../../schema/vote.ts"
import { Matters } from "../../../src/services/people/matters.ts"
import { People } from "../../../src/services/people/people.ts"
import { PersonMerge } from "../../../src/services/people/person-merge.ts"
import { Votes } from "../../../src/services/people/votes.ts"
import { at } from "../../support/at.ts"
import {
  agency,
  agendaItemId,
  meeting,
  meetingId,
  place,
  putOnRecord,
  said,
  transcript
} from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"

const id = (at: number) => `5b0e6f52-8f7e-5d0c-9d55-2f1f6f0f7a${String(at).padStart(2, "0")}`

const ballots = (votes: Readonly<Record<string, VoteOption>>) =>
  Object.entries(votes).map(([name, option]) => ({
    ...{ person: `springfield-${name.toLowerCase()}`, name, option }
  }))

const vote = (at: number, votes: Readonly<Record<string, VoteOption>>, over: object = {}): BundleEntity => ({
  type: "vote",
  id: id(at),
  kind: "vote",
  meeting_id: meetingId("council"),
  result: "pass",
  from: "source",
  ballots: ballots(votes),
  ...over
})

const matter = (over: object = {}): BundleEntity => ({
  type: "matter",
  slug: "springfield-ord-2026-14",
  place: "springfield",
  identifier: "Ord. 2026-14",
  title: "Creek greenway",
  kind: "ordinance",
  status: "passed",
  introduced_on: "2026-02-24",
  history: [],
  ...over
})

layer(Layer.provideMerge(Layer.mergeAll(People.layer, PersonMerge.layer, Matters.layer, Votes.layer), TestDb), {
  excludeTestServices: true
})("people, matters and votes", (it) => {
  it.effect("are counted by person, with and against the majority, and compared where votes divide", () =>
    Effect.gen(function* () {
      yield* putOnRecord(
        place("springfield"),
        agency("council", ["springfield"]),
        meeting("council", "council", {
          agenda_items: [{ id: agendaItemId("greenway"), title: "Greenway", start: 30, matter: "Ordinance 2026-14" }]
        }),
        { type: "person", slug: "springfield-ada", place: "springfield", name: "Ada Marsh", sort_name: "Marsh, Ada" },
        {
          ...{ type: "membership", id: id(90), person: "springfield-ada", agency: "council", name: "Council" },
          ...{ role: "member", start: "2020-01-01", end: "2025-12-31" }
        },
        matter(),
        vote(
          1,
          { Ada: "yes", Ben: "no", Cho: "yes" },
          { agenda_item: agendaItemId("greenway"), matter: "springfield-ord-2026-14" }
        ),
        vote(2, { Ada: "no", Ben: "yes", Cho: "yes", Dee: "absent" }),
        vote(3, { Ada: "yes", Ben: "yes", Cho: "yes" }),
        vote(4, { Ada: "yes", Ben: "no" }),
        vote(5, { Ada: "present", Ben: "absent" }, { kind: "roll_call" })
      )
      const ada = yield* People.use(({ person }) => person("springfield-ada"))
      assert.deepInclude(ada, {
        votes: 4,
        divided_votes: 3,
        against_majority: 1,
        attendance: { present: 1, called: 1 }
      })
      assert.deepStrictEqual(
        ada.agreement.map(({ person, agree, differ }) => [person.name, agree, differ]),
        [
          ["Cho", 1, 1],
          ["Ben", 0, 3]
        ]
      )
      assert.deepStrictEqual(
        ada.memberships.map(({ agency, start, end }) => [agency?.slug, start, end]),
        [["council", "2020-01-01", "2025-12-31"]]
      )
      // Whoever a vote names is on record, and a later line about them completes it.
      const ben = yield* People.use(({ person }) => person("springfield-ben"))
      assert.deepInclude(ben, { name: "Ben", votes: 4 })
      const against = yield* Votes.use(({ ofPerson }) => ofPerson("springfield-ada", { majority: "against" }))
      assert.deepStrictEqual(
        [against.total, against.votes[0]?.id, against.votes[0]?.option, against.votes[0]?.with_majority],
        [1, id(2), "no", false]
      )
      const then = yield* People.use(({ list }) => list({ agency_slug: "council", on: "2021-05-05" }))
      const now = yield* People.use(({ list }) => list({ agency_slug: "council", on: "2026-05-05" }))
      assert.deepStrictEqual([then.total, now.total], [1, 0])
    })
  )

  it.effect("are one after a merge, at both addresses, and two again when they are taken apart", () =>
    Effect.gen(function* () {
      yield* putOnRecord(
        vote(40, { Amanda: "yes", Ada: "no", Cho: "yes" }),
        vote(41, { "Amanda-C": "no", Ada: "yes", Cho: "yes" })
      )
      const figures = Effect.map(
        Effect.all(["amanda", "amanda-c"].map((name) => People.use(({ person }) => person(`springfield-${name}`)))),
        (found) => found.map(({ slug, votes, divided_votes }) => [slug, votes, divided_votes])
      )
      const apart = yield* figures
      yield* PersonMerge.use(({ merge }) => merge("springfield-amanda-c", "springfield-amanda"))
      assert.deepStrictEqual(yield* figures, [
        ["springfield-amanda", 2, 2],
        ["springfield-amanda", 2, 2]
      ])
      const { votes } = yield* Votes.use(({ ofMeeting }) => ofMeeting(meetingId("council")))
      assert.strictEqual(
        votes.find((one) => one.id === id(41))?.ballots.find(({ name }) => name === "Amanda-C")?.person?.slug,
        "springfield-amanda"
      )
      const same = yield* Effect.flip(
        PersonMerge.use(({ merge }) => merge("springfield-amanda-c", "springfield-amanda"))
      )
      assert.strictEqual(same._tag, "SamePerson")
      assert.isTrue(yield* PersonMerge.use(({ split }) => split("springfield-amanda-c")))
      assert.isFalse(yield* PersonMerge.use(({ split }) => split("springfield-amanda-c")))
      assert.deepStrictEqual(yield* figures, apart)
    })
  )

  it.effect("are merged link by link, and each link is taken away alone, at addresses that stay", () =>
    Effect.gen(function* () {
      const names = ["Kim", "Kim-Lee", "Kim-L", "Kimberly"]
      yield* putOnRecord(vote(50, { Kim: "yes" }), vote(51, { "Kim-Lee": "yes" }), vote(52, { "Kim-L": "yes" }))
      yield* putOnRecord(vote(53, { Kimberly: "no" }))
      const shown = Effect.forEach(names, (name) =>
        People.use(({ person }) => person(`springfield-${name.toLowerCase()}`)).pipe(
          Effect.map(({ slug, votes }) => [slug.replace("springfield-", ""), votes])
        )
      )
      const merge = (from: string, into: string) =>
        PersonMerge.use((people) => people.merge(`springfield-${from}`, `springfield-${into}`))
      const split = (slug: string) => PersonMerge.use((people) => people.split(`springfield-${slug}`))
      const apart = yield* shown
      yield* merge("kim-l", "kim-lee")
      yield* merge("kim-lee", "kim")
      const three = yield* shown
      assert.deepStrictEqual(three, [...Array<unknown>(3).fill(["kim", 3]), ["kimberly", 1]])
      // Whoever is merged already takes those along with whom they are one.
      assert.strictEqual(yield* merge("kim-l", "kimberly"), "springfield-kim")
      assert.deepStrictEqual(yield* shown, Array(4).fill(["kimberly", 4]))
      const found = yield* People.use(({ list }) => list({ q: "kim-lee" }))
      assert.deepStrictEqual(
        found.people.map(({ slug }) => slug),
        ["springfield-kimberly"]
      )
      assert.isTrue(yield* split("kim"))
      assert.deepStrictEqual(yield* shown, three)
      assert.isTrue(yield* split("kim-lee"))
      assert.deepStrictEqual(yield* shown, [
        ["kim", 1],
        ["kim-lee", 2],
        ["kim-lee", 2],
        ["kimberly", 1]
      ])
      assert.isTrue(yield* split("kim-l"))
      assert.deepStrictEqual(yield* shown, apart)
    })
  )

  it.effect("lead from an item of an agenda to the matter, however its number is written", () =>
    Effect.gen(function* () {
      for (const q of ["ord 2026-14", "Ordinance No. 2026-14", "greenway creek"]) {
        const found = yield* Matters.use(({ list }) => list({ q }))
        assert.deepStrictEqual(
          found.matters.map(({ slug }) => slug),
          ["springfield-ord-2026-14"],
          q
        )
      }
      const { history } = yield* Matters.use((matters) => matters.matter("springfield-ord-2026-14"))
      assert.deepStrictEqual(
        history.map(({ action, meeting, vote }) => [action, meeting?.item?.title, vote?.id]),
        [["On the agenda", "Greenway", id(1)]]
      )
      // A file's number may stand where others number their items.
      yield* putOnRecord(
        meeting("filed", "council", {
          agenda_items: [
            { id: agendaItemId("minutes"), number: "14", title: "Minutes" },
            { id: agendaItemId("second"), number: "ORD 2026-14", title: "Second reading" }
          ]
        })
      )
      const again = yield* Matters.use((matters) => matters.matter("springfield-ord-2026-14"))
      assert.sameMembers(
        again.history.map(({ meeting }) => meeting?.item?.title),
        ["Greenway", "Second reading"]
      )
    })
  )

  it.effect("list the meetings at which their number is only said, digit by digit or in words", () =>
    Effect.gen(function* () {
      yield* putOnRecord(
        matter({ slug: "springfield-ord-24-117", identifier: "Ord. 24-117", title: "Trees" }),
        ...["digits", "words", "other"].map((name) => meeting(name, "council", { date: "2019-06-18" })),
        transcript("digits", said(["Good evening.", "Then ordinance number 24-117 comes back."])),
        transcript("words", said(["Ordinance twenty-four, one seventeen is next."])),
        transcript("other", said(["Ordinance twenty-four, one eighteen, and 117 trees in the ordinance of 24 May."]))
      )
      const reader = { _tag: "ShareHolder", meetingId: meetingId("digits") } as const
      const { mentions } = yield* Matters.use((matters) => matters.matter("springfield-ord-24-117", reader))
      assert.sameDeepMembers(
        mentions.map(({ meeting, start }) => [meeting.id, start !== undefined]),
        [
          [meetingId("digits"), true],
          [meetingId("words"), false]
        ]
      )
      const none = yield* Matters.use((matters) => matters.matter("springfield-ord-2026-14"))
      assert.deepStrictEqual(none.mentions, [])
    })
  )

  it.effect("keep the second and the words for those who may read the meeting", () =>
    Effect.gen(function* () {
      const reader = { _tag: "ShareHolder", meetingId: meetingId("council") } as const
      const open = yield* Votes.use(({ ofMeeting }) => ofMeeting(meetingId("council"), reader))
      const shut = yield* Votes.use(({ ofMeeting }) => ofMeeting(meetingId("council")))
      assert.strictEqual(open.votes.find((one) => one.id === id(1))?.start, 30)
      assert.isTrue(shut.votes.every(({ start }) => start === undefined))
    })
  )

  it.effect("name a meeting by its number at its source, which may come on record later", () =>
    Effect.gen(function* () {
      const about = matter({
        slug: "springfield-int-7",
        identifier: "Int 7",
        title: "Buses",
        history: [{ date: "2026-04-01", action: "Approved", result: "pass", event: "901", item: "12" }]
      })
      const early = vote(
        20,
        { Ada: "yes" },
        { event: "901", item: "12", place: "springfield", matter: "springfield-int-7", date: "2026-04-01" }
      )
      const { meeting_id: _, ...unplaced } = early as typeof early & { meeting_id?: string }
      yield* putOnRecord(about, unplaced as BundleEntity)
      const before = yield* Matters.use((matters) => matters.matter("springfield-int-7"))
      assert.deepStrictEqual(
        before.history.map(({ meeting, vote }) => [meeting, vote?.id]),
        [[undefined, id(20)]]
      )
      yield* putOnRecord(
        meeting("later", "council", {
          date: "2026-04-01",
          identifier: "901",
          agenda_items: [{ id: agendaItemId("buses"), title: "Buses", identifier: "12" }]
        })
      )
      const after = yield* Matters.use((matters) => matters.matter("springfield-int-7"))
      assert.deepStrictEqual(
        after.history.map(({ meeting, vote }) => [meeting?.id, meeting?.item?.title, vote?.id]),
        [[meetingId("later"), "Buses", id(20)]]
      )
      const votes = yield* Votes.use(({ ofMeeting }) => ofMeeting(meetingId("later")))
      assert.strictEqual(votes.total, 1)
    })
  )

  it.effect("are listed by when they changed, a person also when a seat of theirs did", () =>
    Effect.gen(function* () {
      const late = "2999-01-01T00:00:00Z"
      const changed = (updated_since: string) =>
        Effect.gen(function* () {
          const people = yield* People.use(({ list }) => list({ updated_since, page_size: 100 }))
          const votes = yield* Votes.use(({ ofPerson }) => ofPerson("springfield-ada", { updated_since }))
          return [people.people.map(({ name }) => name), votes.votes.map((one) => one.id)] as const
        })
      assert.deepStrictEqual(yield* changed(late), [[], []])
      yield* putOnRecord(
        {
          ...{ type: "membership", id: id(90), person: "springfield-ada", agency: "council", name: "Council" },
          ...{ role: "chair", start: "2020-01-01", end: "2025-12-31" }
        },
        vote(3, { Ada: "yes", Ben: "yes", Cho: "no" })
      ).pipe(at(late))
      assert.deepStrictEqual(yield* changed(late), [["Ada Marsh"], [id(3)]])
      yield* PersonMerge.use(({ merge }) => merge("springfield-dee", "springfield-cho")).pipe(at(late))
      assert.deepStrictEqual((yield* changed(late))[0], ["Cho", "Ada Marsh"])
    })
  )

  it.effect("name a meeting by its body and day, if that is the body's only one", () =>
    Effect.gen(function* () {
      const { meeting_id: _, ...unplaced } = vote(30, { Ada: "yes" }) as BundleEntity & { meeting_id?: string }
      const on = (at: number, event: string) =>
        ({ ...unplaced, id: id(at), place: "springfield", date: "2026-05-05", event }) as BundleEntity
      const votesAt = (name: string) =>
        Votes.use(({ ofMeeting }) => ofMeeting(meetingId(name))).pipe(
          Effect.map(({ votes }) => votes.map((one) => one.id))
        )
      yield* putOnRecord(on(30, "council/2026-05-05"), on(31, "council/2026-99-99"), on(32, "council/2026-05-06"))
      yield* putOnRecord(meeting("only", "council", { date: "2026-05-05" }))
      assert.deepStrictEqual(yield* votesAt("only"), [id(30)])
      yield* putOnRecord(on(33, "council/2026-05-05"))
      assert.sameMembers(yield* votesAt("only"), [id(30), id(33)])
      // Which of two it was is not known.
      for (const name of ["morning", "evening"]) yield* putOnRecord(meeting(name, "council", { date: "2026-05-07" }))
      yield* putOnRecord(on(34, "council/2026-05-07"))
      for (const name of ["morning", "evening"]) assert.deepStrictEqual(yield* votesAt(name), [])
    })
  )

  it.effect("give way where the city's own data tells of the same item", () =>
    Effect.gen(function* () {
      yield* putOnRecord(
        meeting("heard", "council", { agenda_items: [{ id: agendaItemId("heard"), title: "Parks" }] }),
        transcript("heard", said(["The ayes have it."])),
        vote(
          30,
          {},
          {
            meeting_id: meetingId("heard"),
            agenda_item: agendaItemId("heard"),
            from: "transcript",
            counts: [{ option: "yes", value: 6 }]
          }
        )
      )
      const heard = yield* Votes.use(({ ofMeeting }) => ofMeeting(meetingId("heard")))
      assert.deepStrictEqual(
        heard.votes.map((one) => [one.id, one.from]),
        [[id(30), "transcript"]]
      )
      yield* putOnRecord(
        vote(31, { Ada: "yes" }, { meeting_id: meetingId("heard"), agenda_item: agendaItemId("heard") })
      )
      const told = yield* Votes.use(({ ofMeeting }) => ofMeeting(meetingId("heard")))
      assert.deepStrictEqual(
        told.votes.map((one) => one.id),
        [id(31)]
      )
    })
  )
})
