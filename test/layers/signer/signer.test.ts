import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Context, DateTime, Duration, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import type { SigningKey } from "../../../layers/signer/keys.ts"
import { mediaSignatureLife, Signer } from "../../../layers/signer/signer.ts"
import { AccountId, MeetingId } from "../../../schema/primitives.ts"

const key = (id: string, fill: number): SigningKey => ({ id, secret: Redacted.make(new Uint8Array(32).fill(fill)) })

const signerWith = (current: SigningKey, ...previous: ReadonlyArray<SigningKey>) =>
  Context.get(Effect.runSync(Effect.scoped(Layer.build(Signer.layerKeys({ current, previous })))), Signer)

const signer = signerWith(key("k1", 1), key("k0", 9))

const meetingId = MeetingId.make("3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90")
const poster = `meetings/${meetingId}/poster.jpg`
const figure = `meetings/${meetingId}/figures/3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e91.png`
const inFuture = DateTime.makeUnsafe("2999-01-01T00:00:00.000Z")
const grant = { grantId: "9c2a6d1c-8a0e-4c52-8f5d-0f1b6f7f1d11", meetingId, expiresAt: inFuture }

const sig = Effect.runSync(signer.signMedia(poster, { download: false })).sig
const eg = Effect.runSync(signer.signFigure(figure))
const st = Effect.runSync(signer.signGrant(grant))
const unsubscribe = { accountId: AccountId.make("2b1e7a54-0c4d-4f3a-9a57-6a4b1d8f0c33"), list: "recaps" } as const
const ut = Effect.runSync(signer.signUnsubscribe(unsubscribe))

const outcome = <A>(effect: Effect.Effect<A, { readonly _tag: string }>) =>
  Effect.runSync(Effect.match(effect, { onSuccess: () => "good", onFailure: (error) => error._tag }))

/** Each token with the subject that it should open. */
const doors = [
  { name: "sig", token: sig, open: (token: string) => outcome(signer.verifyMedia(poster, token)) },
  { name: "eg", token: eg, open: (token: string) => outcome(signer.verifyFigure(figure, token)) },
  { name: "st", token: st, open: (token: string) => outcome(signer.verifyGrant(token)) },
  { name: "t", token: ut, open: (token: string) => outcome(signer.verifyUnsubscribe(token)) }
]

/** A text that is one edit away: a character replaced, inserted, deleted, or two swapped. */
const oneStepFrom = (text: string) =>
  fc
    .tuple(
      fc.nat(text.length - 1),
      fc.oneof(
        fc.string({ minLength: 1, maxLength: 1, unit: "binary" }),
        fc.constantFrom("=", "+", "/", ".", "-", "_", "A", "\0", " ", "%", "0", "w", "d", "\ud800")
      ),
      fc.constantFrom("replace", "insert", "remove", "exchange")
    )
    .map(([at, character, how]) => {
      const [before, here, after] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)]
      switch (how) {
        case "replace":
          return before + character + after
        case "insert":
          return before + character + here + after
        case "remove":
          return before + after
        default:
          return before + after.charAt(0) + here + after.slice(1)
      }
    })
    .filter((changed) => changed !== text)

describe("Signer", () => {
  it("recognizes its own tokens, and they are safe in an address as they are", () => {
    for (const { token, open } of doors) {
      assert.strictEqual(open(token), "good")
      assert.strictEqual(encodeURIComponent(token), token)
      assert.isBelow(token.length, 512)
    }
  })

  it("accepts no token with any character changed", () => {
    for (const { token, open } of doors) {
      fc.assert(
        fc.property(oneStepFrom(token), (changed) => assert.strictEqual(open(changed), "SignatureInvalid")),
        { numRuns: 2000 }
      )
    }
  })

  it("accepts no token for another key", () => {
    fc.assert(
      fc.property(oneStepFrom(poster), oneStepFrom(figure), (otherPoster, otherFigure) => {
        assert.strictEqual(outcome(signer.verifyMedia(otherPoster, sig)), "SignatureInvalid")
        assert.strictEqual(outcome(signer.verifyFigure(otherFigure, eg)), "SignatureInvalid")
      }),
      { numRuns: 1000 }
    )
  })

  it("accepts no other expiry, flag or meeting in a token", () => {
    const fields = (token: string) => token.split(".")
    fc.assert(
      fc.property(
        fc.nat(5),
        fc.nat(20),
        fc.constantFrom("", "d", "9999999999999", "k0", meetingId),
        (at, of, field) => {
          for (const { token, open } of doors) {
            const changed = fields(token)
            const other = [...fields(sig), ...fields(eg), ...fields(st), ...fields(ut), "all", "saved_searches"]
            changed[at % changed.length] = field === "" ? (other[of] ?? "") : field
            if (changed.join(".") !== token) assert.strictEqual(open(changed.join(".")), "SignatureInvalid")
          }
        }
      )
    )
  })

  it("accepts no part of a mac as the mac", () => {
    for (const { token, open } of doors) {
      const untilMac = token.slice(0, token.lastIndexOf(".") + 1)
      for (const changed of [
        untilMac,
        untilMac.slice(0, -1),
        token.slice(0, -1),
        "",
        ".",
        "k1.",
        "k1",
        ".".repeat(600)
      ]) {
        assert.strictEqual(open(changed), "SignatureInvalid")
      }
    }
  })

  it("refuses every other spelling of the same mac", () => {
    // 32 bytes leave two bits of the last of 43 characters unused; a lax reader accepts any of the four.
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for (const { token, open } of doors) {
      const last = alphabet.indexOf(token.slice(-1))
      const same = [1, 2, 3].map((bits) => token.slice(0, -1) + alphabet[last + bits])
      const bytes = (text: string) => Buffer.from(text.slice(text.lastIndexOf(".") + 1), "base64url")
      for (const other of [...same, `${token}=`, `${token}\n`, ` ${token}`, token.replaceAll("_", "/").concat("=")]) {
        assert.deepStrictEqual(bytes(other), bytes(token))
        assert.strictEqual(open(other), "SignatureInvalid")
      }
    }
  })

  it("keeps its purposes apart: a token of one is nothing in another, even over the same text", () => {
    const media = Effect.runSync(signer.signMedia(figure, { download: true })).sig
    for (const token of [media, sig, st, ut]) {
      assert.strictEqual(outcome(signer.verifyFigure(figure, token)), "SignatureInvalid")
    }
    for (const token of [eg, st, ut]) assert.strictEqual(outcome(signer.verifyMedia(figure, token)), "SignatureInvalid")
    for (const token of [eg, sig, ut]) assert.strictEqual(outcome(signer.verifyGrant(token)), "SignatureInvalid")
    for (const token of [eg, sig, st, media]) {
      assert.strictEqual(outcome(signer.verifyUnsubscribe(token)), "SignatureInvalid")
    }
    // The mac of one, in the fields of another.
    const macOf = (token: string) => token.slice(token.lastIndexOf(".") + 1)
    const dressed = media.slice(0, media.lastIndexOf(".") + 1) + macOf(Effect.runSync(signer.signFigure(figure)))
    assert.strictEqual(outcome(signer.verifyMedia(figure, dressed)), "SignatureInvalid")
  })

  it("lets no field lend characters to the next", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        const token = Effect.runSync(signer.signFigure(left))
        const media = Effect.runSync(signer.signMedia(left, { download: false })).sig
        if (left !== right) assert.strictEqual(outcome(signer.verifyFigure(right, token)), "SignatureInvalid")
        const expiry = media.split(".")[1]
        assert.strictEqual(outcome(signer.verifyMedia(left + expiry, media)), "SignatureInvalid")
      })
    )
    // Both are EF BF BD in UTF-8.
    const replaced = Effect.runSync(signer.signFigure("a\ufffd"))
    assert.strictEqual(outcome(signer.verifyFigure("a\ufffd", replaced)), "good")
    assert.strictEqual(outcome(signer.verifyFigure("a\ud800", replaced)), "SignatureInvalid")
  })

  it("makes an HMAC-SHA256 that others can verify", () => {
    const [id = "", mac] = eg.split(".")
    const label = "civic-record/mailed_figure/1"
    const message = `${label.length}:${label},${id.length}:${id},${figure.length}:${figure},`
    assert.strictEqual(mac, createHmac("sha256", new Uint8Array(32).fill(1)).update(message).digest("base64url"))
  })

  it.effect("a media signature lives six hours to the millisecond, and says until when", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-10T12:00:00.123Z"))
      const minted = yield* signer.signMedia(poster, { download: true })
      assert.strictEqual(minted.expires_at, "2026-03-10T18:00:00.123Z")
      yield* TestClock.adjust(Duration.subtract(mediaSignatureLife, Duration.millis(1)))
      const read = yield* signer.verifyMedia(poster, minted.sig)
      assert.isTrue(read.download)
      assert.strictEqual(DateTime.formatIso(read.expiresAt), minted.expires_at)
      yield* TestClock.adjust("1 millis")
      const expired = yield* Effect.flip(signer.verifyMedia(poster, minted.sig))
      assert.strictEqual(expired._tag, "SignatureExpired")
      // A forged one is never reported as expired.
      const forged = yield* Effect.flip(signer.verifyMedia(`${poster}x`, minted.sig))
      assert.strictEqual(forged._tag, "SignatureInvalid")
    })
  )

  it.effect("the watch-only and the download signature of one moment differ", () =>
    Effect.gen(function* () {
      const watch = yield* signer.signMedia(poster, { download: false })
      assert.isFalse((yield* signer.verifyMedia(poster, watch.sig)).download)
      const claimed = watch.sig.replace(".w.", ".d.")
      assert.notStrictEqual(claimed, watch.sig)
      assert.strictEqual((yield* Effect.flip(signer.verifyMedia(poster, claimed)))._tag, "SignatureInvalid")
    })
  )

  it.effect("a mailed figure never expires; a grant says what it opens and when it ends", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-03-10T12:00:00Z"))
      const expiresAt = DateTime.addDuration(yield* DateTime.now, "14 days")
      const token = yield* signer.signGrant({ ...grant, expiresAt })
      assert.deepStrictEqual(yield* signer.verifyGrant(token), { ...grant, expiresAt })
      yield* TestClock.adjust("14 days")
      assert.strictEqual((yield* Effect.flip(signer.verifyGrant(token)))._tag, "SignatureExpired")
      yield* TestClock.adjust("36500 days")
      yield* signer.verifyFigure(figure, eg)
    })
  )

  it.effect("an unsubscribe link names its account and its list, for every list, and never expires", () =>
    Effect.gen(function* () {
      for (const list of ["recaps", "saved_searches", "all"] as const) {
        const token = yield* signer.signUnsubscribe({ ...unsubscribe, list })
        yield* TestClock.adjust("36500 days")
        assert.deepStrictEqual(yield* signer.verifyUnsubscribe(token), { ...unsubscribe, list })
      }
      // A signed value that is not a list opens nothing.
      const other = yield* signer.signUnsubscribe({ ...unsubscribe, list: "adverts" as "all" })
      assert.strictEqual((yield* Effect.flip(signer.verifyUnsubscribe(other)))._tag, "SignatureInvalid")
    })
  )

  it("signs with the first key and recognizes all; without a key its tokens are worthless", () => {
    const before = signerWith(key("k0", 9))
    const after = signerWith(key("k1", 1), key("k0", 9))
    const retired = signerWith(key("k1", 1))
    const old = Effect.runSync(before.signMedia(poster, { download: false })).sig
    assert.strictEqual(outcome(after.verifyMedia(poster, old)), "good")
    assert.strictEqual(outcome(retired.verifyMedia(poster, old)), "SignatureInvalid")
    assert.strictEqual(outcome(before.verifyMedia(poster, sig)), "SignatureInvalid")
    // The id is signed too: a key under another name makes other tokens.
    const renamed = signerWith(key("k2", 9))
    assert.strictEqual(outcome(renamed.verifyMedia(poster, old.replace("k0.", "k2."))), "SignatureInvalid")
  })
})
