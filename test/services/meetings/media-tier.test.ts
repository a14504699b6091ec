import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { ClipId, FigureId, MeetingId, UserClipId } from "../../../schema/primitives.ts"
import {
  agendaKey,
  clipKey,
  figureKey,
  mediaTier,
  posterKey,
  renditionKey,
  sourceKey,
  userClipKey
} from "../../../src/services/meetings/media-tier.ts"

const id = fc.uuid()

/** One of the seven kinds of key, with its tier as contract section 7 defines it. */
const key = fc.oneof(
  id.map((meeting) => ({ key: posterKey(MeetingId.make(meeting)), tier: 1 })),
  fc.tuple(id, id).map(([meeting, clip]) => ({ key: clipKey(MeetingId.make(meeting), ClipId.make(clip)), tier: 2 })),
  id.map((meeting) => ({ key: renditionKey(MeetingId.make(meeting)), tier: 2 })),
  id.map((meeting) => ({ key: agendaKey(MeetingId.make(meeting)), tier: 2 })),
  fc
    .tuple(id, id)
    .map(([meeting, figure]) => ({ key: figureKey(MeetingId.make(meeting), FigureId.make(figure)), tier: 2 })),
  id.map((clip) => ({ key: userClipKey(UserClipId.make(clip)), tier: 2 }))
)

const encoded = (character: string) => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`

/** The same key as somebody might spell it to get past every check but the store's. */
const respelt = fc
  .tuple(
    key,
    fc.nat(),
    fc.constantFrom(
      (before: string, here: string, after: string) => before + encoded(here) + after,
      (before: string, here: string, after: string) => before + encoded(here).toUpperCase() + after,
      (before: string, here: string, after: string) => `${before}%25${encoded(here).slice(1)}${after}`,
      (before: string, here: string, after: string) => before + here.toUpperCase() + after,
      // Full-width forms, which NFKC makes plain.
      (before: string, here: string, after: string) =>
        before + String.fromCharCode(here.charCodeAt(0) + 0xfee0) + after,
      // Mistaken for the same by code that keeps one byte of a character.
      (before: string, here: string, after: string) => before + String.fromCharCode(here.charCodeAt(0) + 0x100) + after,
      (before: string, here: string, after: string) => before + here + here + after,
      (before: string, here: string, after: string) => `${before}\0${here}${after}`,
      (before: string, here: string, after: string) => `${before}%00${here}${after}`,
      (before: string, here: string, after: string) => `${before}\u200b${here}${after}`,
      (before: string, here: string, after: string) => `${before}./${here}${after}`,
      (before: string, here: string, after: string) => `${before}/${here}${after}`,
      (before: string, here: string, after: string) => `${before}x/../${here}${after}`,
      (before: string, here: string, after: string) => `${before};${here}${after}`,
      (before: string, here: string, after: string) => before + here + after.replace("/", "\\"),
      (before: string, here: string, after: string) => before + here + after.replace("/", "%2f"),
      (before: string, here: string, after: string) => before + here + after.replace("/", "%5c"),
      (before: string, here: string, after: string) => before + here + after.replace("/", "\u2215")
    )
  )
  .map(([{ key }, at, respell]) => {
    const place = at % key.length
    return [key, respell(key.slice(0, place), key.charAt(place), key.slice(place + 1))] as const
  })
  .filter(([key, other]) => key !== other)

describe("mediaTier", () => {
  it("recognizes each key by its one spelling, and its owner", () => {
    const meeting = MeetingId.make("3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90")
    const other = "9c2a6d1c-8a0e-4c52-8f5d-0f1b6f7f1d11"
    const folder = `meetings/${meeting}`
    assert.deepStrictEqual(mediaTier(`${folder}/poster.jpg`), {
      tier: 1,
      key: `${folder}/poster.jpg`,
      meetingId: meeting
    })
    const signed = [
      [`${folder}/clips/${other}.mp4`, "clip", { meeting, clip: other }],
      [`${folder}/web/720p.mp4`, "rendition", { meeting }],
      [`${folder}/agenda.pdf`, "agenda", { meeting }],
      [`${folder}/figures/${other}.png`, "figure", { meeting, figure: other }],
      [`user-clips/${other}.mp4`, "user_clip", { userClip: other }]
    ] as const
    for (const [key, kind, ids] of signed) {
      assert.deepStrictEqual<unknown>(mediaTier(key), { tier: 2, key, kind, ids })
    }
  })

  it("has the right tier for every key of the builders, under the same key", () => {
    fc.assert(
      fc.property(key, ({ key, tier }) => {
        const found = mediaTier(key)
        assert.strictEqual(found.tier, tier)
        assert.strictEqual(found.tier === 3 ? undefined : found.key, key)
      })
    )
  })

  it("recognizes no other spelling of a key", () => {
    fc.assert(
      fc.property(respelt, ([, other]) => assert.strictEqual(mediaTier(other).tier, 3)),
      { numRuns: 5000 }
    )
  })

  it("recognizes no key with something before or after it", () => {
    const around = fc.oneof(
      fc.constantFrom(
        "/",
        "./",
        "../",
        "//",
        "?",
        "#",
        " ",
        "\n",
        "\r\n",
        "\0",
        "%20",
        "%00",
        ".",
        "\\",
        "~",
        "/.",
        "/.."
      ),
      fc.string({ minLength: 1, unit: "binary" })
    )
    fc.assert(
      fc.property(key, around, ({ key }, text) => {
        assert.strictEqual(mediaTier(text + key).tier, 3)
        assert.strictEqual(mediaTier(key + text).tier, 3)
      }),
      { numRuns: 2000 }
    )
  })

  it("recognizes no other text", () => {
    const meeting = MeetingId.make("3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90")
    for (const other of [
      "",
      "/",
      "meetings",
      `meetings/${meeting}`,
      `meetings/${meeting}/`,
      `meetings/${meeting}/source/recording.mp4`,
      `meetings/${meeting}/transcript.json`,
      `meetings/${meeting}/web/1080p.mp4`,
      `meetings/${meeting}/web/720pxmp4`,
      `meetings/${meeting}/posterxjpg`,
      `meetings/${meeting}/clips/../poster.jpg`,
      `meetings/${meeting}/clips/${meeting}.webm`,
      `meetings/${meeting}/clips/${meeting}/${meeting}.mp4`,
      `meetings/${meeting.toUpperCase()}/poster.jpg`,
      `meetings/${meeting.replaceAll("-", "")}/poster.jpg`,
      `meetings/{${meeting}}/poster.jpg`,
      // The shape of an id, but not one (RFC 9562 has no version 0 and no variant c).
      "meetings/3f2b8c1e-5a7d-0e0b-9c41-7d2f6a1b8e90/poster.jpg",
      "meetings/3f2b8c1e-5a7d-5e0b-cc41-7d2f6a1b8e90/poster.jpg",
      "meetings/00000000-0000-0000-0000-000000000000/poster.jpg",
      "user-clips/shared.mp4"
    ]) {
      assert.deepStrictEqual(mediaTier(other), { tier: 3 }, other)
    }
    fc.assert(fc.property(fc.string({ unit: "binary" }), (any) => assert.deepStrictEqual(mediaTier(any), { tier: 3 })))
  })

  it("lower-cases an id for its key, and keeps the source out of reach", () => {
    const capitals = MeetingId.make("3F2B8C1E-5A7D-5E0B-9C41-7D2F6A1B8E90")
    assert.strictEqual(mediaTier(posterKey(capitals)).tier, 1)
    fc.assert(
      fc.property(id, fc.string(), (meeting, extension) => {
        const key = sourceKey(MeetingId.make(meeting), extension)
        assert.strictEqual(mediaTier(key).tier, 3)
        assert.match(key, /^meetings\/[0-9a-f-]{36}\/source\/recording\.[a-z0-9]{1,8}$/)
      })
    )
    assert.match(sourceKey(capitals, "MP4"), /recording\.mp4$/)
    assert.match(sourceKey(capitals, "../x"), /recording\.bin$/)
  })
})
