import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Settings } from "../../../src/services/settings/settings.ts"
import { type Credentials, grantTo, nobody, reader, session, shareCookie } from "../../support/actors.ts"
import { claimId, clipId, meeting, meetingId, putOnRecord, transcript } from "../../support/builders.ts"
import { call } from "../../support/call.ts"
import { fullRecord } from "../../support/full-record.ts"
import { frontMatter, readHtml, readMarkdown } from "../../support/reading-pages.ts"
import { TestService } from "../../support/service.ts"

const home = "http://record.example.gov"
const at = (name: string, date = "2026-03-10") => `/in/springfield/council/${date}-${meetingId(name).slice(0, 8)}`
const secrets = ["the alder grove floods every spring", "we should sell the depot", "Nobody seconds the depot"]

const briefing = (name: string, claim: string) =>
  ({
    type: "briefing",
    meeting_id: meetingId(name),
    headline: `Headline of ${name}`,
    worth_watching: [],
    topics: [
      {
        title: "Depot",
        sentences: [
          { text: `The depot of ${name} stays.`, citations: [{ start: 61.5, end: 65 }], claim: claimId(claim) }
        ],
        figures: []
      }
    ],
    published_at: "2026-03-12T08:00:00Z"
  }) as const

/**
 * Besides the full record: a meeting with only a transcript, one whose briefing is pending, one cancelled, and one with
 * many words.
 */
const record = Effect.gen(function* () {
  yield* fullRecord
  yield* putOnRecord(
    meeting("talk", "springfield-council", {
      date: "2026-03-17",
      title: "Work Session",
      agenda_items: [],
      chapters: [
        { title: "Floods", start: 0, end: 60 },
        { title: "The depot", start: 60, end: 90 }
      ]
    }),
    transcript("talk", [
      { start: 2, end: 6, speaker: "Mayor Ruiz", text: `${secrets[0]}.` },
      { start: 6.2, end: 9, speaker: "Mayor Ruiz", text: "Does anyone mind?" },
      { start: 61.802, end: 64, speaker: "Ann <Smith> & Co", text: `I think ${secrets[1]}.` },
      { start: 65, end: 70, speaker: "Mayor Ruiz", text: `${secrets[2]}.` }
    ]),
    meeting("waits", "springfield-council", { date: "2026-03-24" }),
    briefing("waits", "waiting"),
    {
      type: "claims",
      meeting_id: meetingId("waits"),
      claims: [{ id: claimId("waiting"), topic: "Depot", text: "It waits", evidence: [] }]
    },
    meeting("imported", "springfield-council", { date: "2026-03-31" }),
    briefing("imported", "nowhere"),
    meeting("off", "springfield-council", { date: "2026-04-07", status: "cancelled" })
  )
})

const html = (target: string, who: Credentials = nobody, headers: Record<string, string> = {}) =>
  call("GET", target, who, undefined, { accept: "text/html", ...headers })
const markdown = (target: string, who?: Credentials) => call("GET", `/md${target}`, who)

/** The content of a page in either form. */
const both = (target: string, who?: Credentials) =>
  Effect.gen(function* () {
    const [page, prose] = [yield* html(target, who), yield* markdown(target, who)]
    return [
      { form: "HTML", ...page, said: readHtml(page.text, home + target).text },
      { form: "Markdown", ...prose, said: readMarkdown(prose.text, home + target).text }
    ] as const
  })

layer(Layer.provideMerge(Layer.effectDiscard(record), TestService), { excludeTestServices: true })(
  "the page of a meeting",
  (it) => {
    it.effect("shows its readers what was decided, said, claimed and removed, in both forms", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        for (const { form, headers, text, said } of yield* both(at("full"), credentials)) {
          for (const words of [
            "Headline",
            "Short.",
            "It passed.",
            "1 sentence stood; 1 was removed",
            "Sentence number 99, with & and <i> and --> in it.",
            "Greenway extension",
            "Passed",
            "Bonds",
            "A path.",
            "One",
            "Costs",
            "Contradicted, removed",
            `Council. “Regular Meeting.” March 10, 2026. Civic Record. ${home}${at("full")}`
          ]) {
            assert.include(said, words, form)
          }
          // A removed sentence appears among the claims, struck through, and not in the briefing.
          assert.notInclude(said, "It failed.")
          assert.include(text, form === "HTML" ? "<del>bad</del>" : "~~bad~~")
          assert.strictEqual(headers.get("cache-control"), "private, no-store")
          assert.include(headers.get("vary"), "Accept, Cookie")
        }
        const page = (yield* html(at("full"), credentials)).text
        assert.match(page, /<video src="\/api\/media\/[^"]+\?sig=[^"#]+"/)
        assert.match(page, /<track kind="captions" src="\/api\/meetings\/[^"]+\/transcript\?format=vtt" srclang="en"/)
        assert.strictEqual(frontMatter((yield* markdown(at("full"), credentials)).text).access, "full")
      })
    )

    it.effect("shows nothing gated to anyone else, whatever the form and the requested second", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        for (const name of ["full", "talk", "waits"]) {
          const date = { full: "2026-03-10", talk: "2026-03-17", waits: "2026-03-24" }[name]
          const gated = [...secrets, "Sentence number 5", "Bonds", "Passed", "Short.", "bad", "It waits", "sig=", "srt"]
          for (const query of ["", "?t=62", "?st=forged", `?st=${yield* grantTo(meetingId("bare"))}`]) {
            for (const { form, headers, text, said } of yield* both(at(name, date) + query)) {
              for (const words of gated) assert.notInclude(text, words, `${name}${query} ${form}: ${words}`)
              assert.include(said, "How to cite")
              if (query === "") assert.match(headers.get("cache-control") ?? "", /^public/)
            }
          }
          assert.strictEqual(frontMatter((yield* markdown(at(name, date))).text).access, "teaser")
        }
        // A reader does see them: the words exist to be hidden.
        const said = (yield* markdown(at("talk", "2026-03-17"), credentials)).text
        for (const words of secrets) assert.include(said, words)
      })
    )

    it.effect("says to everybody when its agenda was amended, by the calendar of the place", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        for (const who of [nobody, credentials]) {
          for (const { form, said } of yield* both(at("full"), who)) {
            assert.include(said, "Agenda changed on March 8, 2026", form)
          }
          const answer = yield* call("GET", `/api/meetings/${meetingId("full")}`, who)
          assert.deepInclude(JSON.parse(answer.text), { agenda_changed_at: "2026-03-09T03:30:00.000Z" })
        }
        assert.notInclude((yield* html(at("bare"))).text, "Agenda changed")
      })
    )

    it.effect("offers exactly what signing in opens, and comes back to the requested second", () =>
      Effect.gen(function* () {
        const full = (yield* markdown(`${at("full")}?t=62`)).text
        for (const words of [
          "the recording, 8 min",
          "the transcript,",
          "the whole briefing",
          "the agenda with its outcomes",
          "clips of your own"
        ]) {
          assert.include(full, words)
        }
        assert.include(full, `return_to=${encodeURIComponent(`${at("full")}?t=62`)}`)
        const talk = (yield* markdown(at("talk", "2026-03-17"))).text
        assert.include(talk, "the transcript,")
        for (const words of ["the recording", "briefing", "PDF", "clips of your own"]) assert.notInclude(talk, words)
        assert.notInclude((yield* markdown(at("bare"))).text, "Sign in")
        assert.include((yield* markdown(at("waits", "2026-03-24"))).text, "the briefing, once its claims are checked")
        const page = (yield* html(at("full"))).text
        assert.include(page, `data-clip="${clipId("one")}"`)
      })
    )

    it.effect("has one paragraph per turn, with a link to its second, and opens at a second without scripts", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const talk = at("talk", "2026-03-17")
        const prose = (yield* markdown(talk, credentials)).text
        assert.include(prose, `\n0:02 **Mayor Ruiz**: ${secrets[0]}. Does anyone mind?\n`)
        assert.include(prose, `\n### The depot\n\n1:01 **Ann \\<Smith> & Co**: I think ${secrets[1]}.\n`)
        assert.include(prose, "There is no recording of this meeting here")
        const page = (yield* html(`${talk}?t=61`, credentials)).text
        assert.match(page, /<p class="turn near" data-s="61.8" data-n="1" id="said" aria-current="true">/)
        assert.include(page, '<a class="moment" href="?t=61#said">1:01</a>')
        assert.notInclude(page, "<video")
        assert.notInclude(page, 'id="clip-maker"')
        const full = (yield* html(`${at("full")}?t=61`, credentials)).text
        assert.match(full, /<video src="[^"]+#t=61"/)
        for (const t of ["x", "-1", "1e9", "99999999"]) {
          assert.strictEqual((yield* html(`${talk}?t=${t}`, credentials)).status, 200)
        }
      })
    )

    it.effect("says why there is no transcript, and what state the briefing is in", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader()
        const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
        const cases = [
          [at("bare"), "There is no recording of this meeting on record"],
          [at("next", soon), "The meeting has not been held yet."],
          [at("off", "2026-04-07"), "The meeting was cancelled"],
          [at("waits", "2026-03-24"), "not all of its claims have been checked"]
        ] as const
        for (const [target, words] of cases) {
          for (const who of [nobody, credentials]) {
            for (const { form, status, said } of yield* both(target, who)) {
              assert.strictEqual(status, 200)
              assert.include(said, words, `${target} ${form}`)
            }
          }
        }
        assert.notInclude((yield* markdown(at("waits", "2026-03-24"), credentials)).text, "The depot of waits stays.")
        const imported = at("imported", "2026-03-31")
        assert.include((yield* markdown(imported, credentials)).text, "has not been checked here")
        assert.include((yield* markdown(imported)).text, "has not been checked here")
        assert.include((yield* markdown(at("full"))).text, "has not been checked here")
        yield* Settings.use((settings) => settings.set("pipeline.TrustImportedVerdicts", true))
        assert.notInclude((yield* markdown(at("full"))).text, "has not been checked here")
        yield* Settings.use((settings) => settings.set("pipeline.TrustImportedVerdicts", false))
        yield* Settings.use((settings) => settings.set("pipeline.ClaimCheck", false))
        const off = (yield* markdown(imported, credentials)).text
        yield* Settings.use((settings) => settings.set("pipeline.ClaimCheck", true))
        assert.include(off, "The claim check is turned off")
      })
    )

    it.effect("links to the body's meetings before and after it, skipping the cancelled one", () =>
      Effect.gen(function* () {
        const page = readHtml((yield* html(at("talk", "2026-03-17"))).text, home)
        assert.include(page.text, "Previous meeting: ")
        assert.include(page.text, "Next meeting: ")
        assert.include(page.links, at("waits", "2026-03-24"))
        const last = readHtml((yield* html(at("imported", "2026-03-31"))).text, home)
        assert.notInclude(last.links, at("off", "2026-04-07"))
        assert.isTrue(last.links.some((link) => link.includes(meetingId("next").slice(0, 8))))
      })
    )

    it.effect("shows the holder of a grant the meeting, and account features to its reader only", () =>
      Effect.gen(function* () {
        const { token, credentials } = yield* reader()
        const redeemed = yield* call("POST", "/api/share/redeem", nobody, { token: yield* grantTo(meetingId("full")) })
        const cookie = /cr_share=([\w-]+)/.exec(redeemed.headers.get("set-cookie") ?? "")?.[1] ?? ""
        const held = (yield* html(at("full"), shareCookie(cookie))).text
        assert.include(held, "Sentence number 99")
        assert.include(held, "You are reading through a shared link.")
        for (const words of ["data-own-clips", "share-sheet", 'id="clip-maker"']) {
          assert.notInclude(held, words)
          assert.include((yield* html(at("full"), credentials)).text, words)
        }
        assert.include((yield* html(at("full"), session(token))).text, "Account")
      })
    )
  }
)
