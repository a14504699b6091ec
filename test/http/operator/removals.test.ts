import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { reader } from "../../support/actors.ts"
import { ask } from "../../support/asked.ts"
import { meetingId, said } from "../../support/builders.ts"
import { ConsoleService, look, send } from "../../support/console.ts"
import { fullRecord } from "../../support/full-record.ts"
import { refinedHere } from "../../support/refined-here.ts"
import { serviceAddress } from "../../support/service.ts"

const id = meetingId("full")

layer(ConsoleService)("what was taken out of transcripts, on the console", (it) => {
  it.effect("is listed with its words and its sound, is put back, and more is taken out", () =>
    Effect.gen(function* () {
      yield* fullRecord
      const [home = ""] = yield* refinedHere(
        "full",
        said(["I live at 2214 Maple Street.", "My cell is 217-555-0142.", "Ask Zora <Lund> about it."])
      )
      const all = yield* look("/removals")
      assert.include(all.text, "<mark>2214 Maple Street</mark>")
      assert.match(all.text, /2 removals/)
      assert.match(all.text, /<audio[^>]* src="http:\/\/record\.example\.gov\/api\/media\/[^"]+\?sig=[^"#]+#t=0,8"/)
      assert.include(all.headers.get("content-security-policy"), "media-src http://record.example.gov;")
      assert.include(all.text, `href="http://record.example.gov/meetings/${id}?t=0"`)
      assert.notInclude((yield* look("/removals?kind=phone")).text, "Maple")
      assert.include((yield* look("/removals?state=restored")).text, "Nothing of this kind was taken out.")
      assert.strictEqual((yield* look(`/removals?meeting=${meetingId("none")}`)).status, 404)

      // A clip is judged by its part of the recording and the words in it, as readers have them.
      const clips = (yield* look("/clips?state=published")).text
      assert.match(clips, /<video src="http:\/\/record\.example\.gov\/api\/media\/[^"]+720p\.mp4\?sig=[^"#]+#t=1,9"/)
      assert.match(clips, /poster="http:\/\/record\.example\.gov\/api\/media\/[^"]+poster\.jpg"/)
      assert.include(clips, "I live at [address removed].")

      assert.include((yield* send(`/removals/${home}/restore`)).text, "The words are back in the transcript.")
      assert.include((yield* send(`/removals/${home}/restore`)).text, "They had been put back already.")
      assert.strictEqual((yield* send("/removals/none/restore")).status, 404)

      const form = { meeting: id, second: "0:10", words: "zora <lund>", taken: "other" }
      const wrong = yield* send("/removals", { ...form, words: 'Zora "Lund" is here' })
      assert.strictEqual(wrong.status, 422)
      assert.include(wrong.text, "No line at second 10 has these words")
      // Nothing that was typed is lost.
      assert.include(wrong.text, 'value="Zora &quot;Lund&quot; is here"')
      assert.match(wrong.text, /<option value="other" selected/)
      assert.include((yield* send("/removals", { ...form, second: "later" })).text, "“later” is no time")
      assert.include((yield* send("/removals", { ...form, words: " " })).text, "write the words")
      assert.strictEqual((yield* send("/removals", { ...form, taken: "name" })).status, 422)
      assert.include((yield* send("/removals", form)).text, "The words are out of the transcript.")
      assert.include((yield* send("/removals", form)).text, "They had been taken out already.")

      const { credentials } = yield* reader()
      const service = yield* serviceAddress
      const transcript = (yield* ask(`${service}/api/meetings/${id}/transcript`, credentials)).json()
      assert.deepStrictEqual(transcript.removals, [
        { kind: "other", count: 1 },
        { kind: "phone", count: 1 }
      ])
      assert.include(JSON.stringify(transcript), "Ask [words removed]> about it.")
      for (const form of ["", "/md"]) {
        const page = `${service}${form}/in/springfield/council/2026-03-10-${id.slice(0, 8)}`
        const { text } = yield* ask(page, { headers: credentials.headers })
        assert.include(text, "1 other passage and 1 phone number were removed from this transcript.", form)
      }
    })
  )
})
