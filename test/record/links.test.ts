import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { meeting, meetingId } from "../support/builders.ts"
import { deployment, directory, importPath, writeLines } from "./importing.ts"

const row = { body: "City Council", place: "Marlow", state: "IL", title: "Regular Meeting", date: "2020-03-10" }
const captions = "WEBVTT\n\n00:01.000 --> 00:02.000\nGood evening.\n"
const link = "is a link to outside its folder; put the file itself there"

describe("a symbolic link that leaves the imported folder", () => {
  it.live("is not followed to captions, media or sidecars, and is reported", () =>
    Effect.gen(function* () {
      const { folder, on } = yield* deployment
      const outside = path.join(folder, "outside")
      fs.mkdirSync(outside)
      fs.writeFileSync(path.join(outside, "secret.vtt"), captions)
      fs.writeFileSync(path.join(outside, "meeting.json"), JSON.stringify(row))

      const manifest = path.join(folder, "manifest")
      writeLines(path.join(manifest, "meetings.ndjson"), [
        { ...row, captions: "secret.vtt" },
        { ...row, title: "Workshop", captions: "deep/secret.vtt" },
        { ...row, title: "Hearing", captions: "inner.vtt" }
      ])
      fs.writeFileSync(path.join(manifest, "real.vtt"), captions)
      fs.symlinkSync(path.join(outside, "secret.vtt"), path.join(manifest, "secret.vtt"))
      fs.symlinkSync(outside, path.join(manifest, "deep"))
      fs.symlinkSync("real.vtt", path.join(manifest, "inner.vtt"))
      const rows = yield* on(importPath(manifest))
      assert.deepStrictEqual(rows.notices, [
        `warning 1 captions: secret.vtt ${link}`,
        `warning 2 captions: deep/secret.vtt ${link}`
      ])
      assert.strictEqual(rows.report.entities.transcript?.created, 1)

      const bundle = path.join(folder, "bundle")
      writeLines(path.join(bundle, "record.ndjson"), [
        ...directory,
        meeting("linked", "council"),
        { type: "media", meeting_id: meetingId("linked"), role: "poster", path: "a.jpg", media_type: "image/jpeg" }
      ])
      fs.symlinkSync(path.join(outside, "secret.vtt"), path.join(bundle, "a.jpg"))
      const media = yield* on(importPath(bundle))
      assert.deepStrictEqual(media.notices, [`rejected 4 path: a.jpg ${link}`])

      const talks = path.join(folder, "talks")
      fs.mkdirSync(talks)
      fs.writeFileSync(path.join(talks, "talk.vtt"), captions)
      fs.symlinkSync(path.join(outside, "meeting.json"), path.join(talks, "meeting.json"))
      fs.symlinkSync(path.join(outside, "secret.vtt"), path.join(talks, "secret.vtt"))
      const recordings = yield* on(importPath(talks))
      assert.deepStrictEqual(recordings.notices, [
        `rejected 1 : ${link}`,
        "warning 1 : left out, links or devices: meeting.json, secret.vtt"
      ])
    })
  )
})
