import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { SourceKind } from "../../schema/agent/directory.ts"
import { itemsReaderOf } from "../../src/pipeline/sources/readers.ts"
import { PoliteWeb } from "../../src/pipeline/web/polite-web.ts"
import { cityServer, says, status } from "../support/city-server.ts"
import { civicClerkSite } from "../support/vendors/civicclerk.ts"
import { iqm2Site } from "../support/vendors/iqm2.ts"
import { LocalWeb, listOf, read } from "../support/vendors/reading.ts"

/** The votes on the items of a calendar's first meeting, each ballot in a line. */
const votesAt = Effect.fnUntraced(function* (kind: SourceKind, url: string) {
  const list = yield* read(kind, url)
  const { items, votes } = yield* listOf(list?.meetings[0])
  return votes.map(({ item, ballots, ...said }) => ({
    item: items.find(({ id }) => id === item)?.title,
    ...said,
    ballots: ballots.map(({ name, word }) => `${name}: ${word}`)
  }))
})

layer(LocalWeb, { excludeTestServices: true })("the votes of a vendor's agenda", (it) => {
  it.effect("of CivicClerk stand with the items, motion by motion, and one on consent is on all of it", () =>
    Effect.gen(function* () {
      const votes = yield* votesAt("civicclerk", civicClerkSite(yield* cityServer()))
      const by = { motion: "Motion to approve", moved_by: "Ilse Moon", seconded_by: "Sema Dix" }
      const four = ["Ilse Moon", "Sema Dix", "Robin Lane", "Cho Lee"]
      const policy = "Resolution 3795 Adopting a Large Volume Water Service Policy"
      const yes = four.map((name) => `${name}: yes`)
      assert.deepStrictEqual(votes, [
        { item: "CONSENT AGENDA", ...by, result: "pass", ballots: [...yes, "Ed Dutra: yes"] },
        { item: policy, ...by, result: "fail", ballots: four.map((name) => `${name}: no`) },
        { item: policy, ...by, result: "pass", ballots: [...yes, "Ed Dutra: no"] }
      ])
    })
  )

  it.effect(
    "of IQM2 are those of the meeting in a file's history, and only items with an outcome are asked about",
    () =>
      Effect.gen(function* () {
        const city = yield* cityServer()
        const { source, asked } = iqm2Site(city)
        assert.deepStrictEqual(yield* votesAt("iqm2", source), [
          {
            item: "COF 2026 #141 : A communication about the bridge",
            ...{ result: "pass", moved_by: "Ilse Moon", seconded_by: "Robin Lane, Jr." },
            ballots: ["Ilse Moon: AYES", "Robin Lane, Jr.: AYES", "Sema Dix: NAYS", "Cho Lee: absent"]
          }
        ])
        assert.deepStrictEqual(asked.slice(1), [
          "/Citizens/Detail_LegiFile.aspx?ID=443483&MeetingID=21831",
          "/Citizens/Detail_LegiFile.aspx?ID=443485&MeetingID=21831"
        ])
      })
  )

  it.effect("of IQM2 wait for a server that is to be asked again, and are asked for page by page up to a bound", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const { source } = iqm2Site(city)
      const files = () => city.asked.filter(({ path }) => path.includes("LegiFile")).length
      const rows = Array.from(
        { length: 70 },
        (_, at) => `<tr><td class='Num'>${at + 1}.</td><td class='Title'>
          <a href='Detail_LegiFile.aspx?ID=${at + 1}'>Matter ${at + 1}</a><span class='ItemVoteResult'>Passed</span></td></tr>`
      )
      const meeting = (yield* read("iqm2", source))?.meetings[0]
      const outline = says(`<table id='MeetingDetail'>${rows.join("")}</table>`, "text/html")
      city.answers.set(
        "/Citizens/Detail_Meeting.aspx?Target=Detail&CssClass=AgendaOutline&Mode=Video&Frame=Nothing&ID=21831",
        outline
      )
      const { items, votes } = yield* listOf(meeting)
      assert.deepStrictEqual([items.length, votes.length, files()], [70, 0, 60])
      city.answers.set("/Citizens/Detail_LegiFile.aspx", status(503))
      assert.deepInclude(yield* Effect.flip(listOf(meeting)), { reason: "unreachable" })
      // The items alone ask for none.
      const before = files()
      const address = meeting?.items_url ?? ""
      yield* PoliteWeb.use((web) => itemsReaderOf(address)?.read(web, address, {}) ?? Effect.die("No reader."))
      assert.strictEqual(files(), before)
    })
  )
})
