import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import { deployment } from "../record/importing.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../support/builders.ts"
import { ranHere } from "../support/program.ts"
import { smallRecording } from "../support/small-recording.ts"

describe("media add", () => {
  it.live("gives a meeting a file or an address, and says what is wrong with either", () =>
    Effect.gen(function* () {
      const { folder, on, env } = yield* deployment
      yield* on(putOnRecord(place("lincoln"), agency("board", ["lincoln"]), meeting("filmed", "board")))
      const id = meetingId("filmed")
      const [film, notes, words] = ["film.mp4", "notes.txt", "words.vtt"].map((name) => path.join(folder, name))
      if (film === undefined || notes === undefined || words === undefined) return assert.fail("three files")
      fs.writeFileSync(film, yield* smallRecording(2))
      fs.writeFileSync(notes, "no film")
      fs.writeFileSync(words, "WEBVTT\n\n00:00.000 --> 00:01.000\nThe levee holds.\n")
      const add = (...args: ReadonlyArray<string>) => ranHere(env, "media", "add", ...args)
      const page = `https://record.example.gov/in/lincoln/board/2026-03-10-${id.slice(0, 8)}`

      const added = yield* add(page, film, "--captions", words)
      assert.deepInclude(added, { code: 0 })
      assert.include(added.out, "film.mp4 has arrived whole.")
      assert.include((yield* add(id, "https://city.example.gov/film.mp4")).out, "The recording is fetched next.")
      for (const [args, why] of [
        [[id, notes], "notes.txt is no recording that can be read."],
        [[id, path.join(folder, "none")], "is neither a file nor an http or https address."],
        [[id, film, "--captions", notes], "They have no cues that can be read."],
        [["12345678", film], "There is no meeting 12345678 on record."]
      ] as const) {
        const refused = yield* add(...args)
        assert.strictEqual(refused.code, 1, why)
        assert.include(refused.err, why)
      }
      const given = yield* on(
        Db.use(
          (db) =>
            db`select operator, name, address, captions is not null as worded from given_recording order by created_at`
        )
      )
      // The second takes the place of the first, which nothing has taken yet.
      const address = "https://city.example.gov/film.mp4"
      assert.deepStrictEqual(given, [{ operator: "the command line", name: null, address, worded: false }])
    }).pipe(Effect.scoped)
  )
})
