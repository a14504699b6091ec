import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto"
import { Clock, Context, Data, DateTime, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { MailingList } from "../../schema/account.ts"
import { AccountId, MeetingId } from "../../schema/primitives.ts"
import { Environment } from "../config/config.ts"
import { keptKeys, parseSigningKeys, type SigningKeys } from "./keys.ts"

/** The lifetime of a media signature (spec section 8). */
export const mediaSignatureLife = Duration.hours(6)

/** The purpose of a signature. Each is a separate domain: a signature for one is invalid for another. */
type SignedFor = "media" | "mailed_figure" | "share_grant" | "unsubscribe" | "drill"

/** Not ours: forged, altered, mistyped, made for another purpose, or made with an unknown key. */
export class SignatureInvalid extends Data.TaggedError("SignatureInvalid")<{ readonly signedFor: SignedFor }> {}

/** Ours, but expired. */
export class SignatureExpired extends Data.TaggedError("SignatureExpired")<{ readonly signedFor: SignedFor }> {}

/** The fields of `sig`. */
interface MediaSignature {
  /** Whether the object may be downloaded (`Content-Disposition: attachment`). */
  readonly download: boolean
  readonly expiresAt: DateTime.Utc
}

/** The fields of `st`; the database knows whether it has been redeemed. */
interface SignedGrant {
  readonly grantId: string
  readonly meetingId: MeetingId
  readonly expiresAt: DateTime.Utc
}

/** The fields of an unsubscribe link: the account and the list. */
export interface SignedUnsubscribe {
  readonly accountId: AccountId
  readonly list: MailingList
}

/**
 * Signs and verifies tokens: HMAC-SHA256 (RFC 2104) with the first of the signing keys, verified against any of them
 * (contract section 7). A token is `key id . fields . mac`, URL-safe as it is.
 */
export class Signer extends Context.Service<
  Signer,
  {
    /** `sig` for the object at a key, valid for six hours; `expires_at` is an instant in wire format. */
    readonly signMedia: (
      key: string,
      options: { readonly download: boolean }
    ) => Effect.Effect<{ readonly sig: string; readonly expires_at: string }>
    readonly verifyMedia: (
      key: string,
      sig: string
    ) => Effect.Effect<MediaSignature, SignatureInvalid | SignatureExpired>
    /** `eg` for a mailed figure: signs the key alone, and is valid for as long as the signing key is known. */
    readonly signFigure: (key: string) => Effect.Effect<string>
    readonly verifyFigure: (key: string, eg: string) => Effect.Effect<void, SignatureInvalid>
    /** `st`. The same grant gives the same token, so `grantId` must be random (a UUID) and the token stored hashed. */
    readonly signGrant: (grant: SignedGrant) => Effect.Effect<string>
    readonly verifyGrant: (token: string) => Effect.Effect<SignedGrant, SignatureInvalid | SignatureExpired>
    /** `t` of an unsubscribe link: valid for as long as the signing key is known, because people keep their mails. */
    readonly signUnsubscribe: (unsubscribe: SignedUnsubscribe) => Effect.Effect<string>
    readonly verifyUnsubscribe: (token: string) => Effect.Effect<SignedUnsubscribe, SignatureInvalid>
    /** The token in a drill's addresses, derived from its id; the database knows whether the drill is running. */
    readonly signDrill: (drillId: string) => Effect.Effect<string>
    readonly verifyDrill: (token: string) => Effect.Effect<string, SignatureInvalid>
  }
>()("civic-record/Signer") {
  static readonly layerKeys = (keys: SigningKeys) => Layer.succeed(Signer, signerOf(keys))

  /** Uses `SIGNING_KEYS` or, by default, a key that is generated once and stored in DATA_DIR. */
  static readonly layer = Layer.effect(
    Signer,
    Effect.gen(function* () {
      const { signingKeys, dataDir } = yield* Environment
      const text = Option.isSome(signingKeys) ? signingKeys.value : yield* keptKeys(dataDir)
      return signerOf(yield* parseSigningKeys(text))
    })
  )
}

const isMailingList = Schema.is(MailingList)

/** Longer than any token of ours (one with the longest key id and a share grant has under 200). */
const longestToken = 512

/**
 * Encodes a list of fields unambiguously: each field is prefixed with its length in bytes, so that no characters can
 * move from one field to the next.
 */
const framed = (fields: ReadonlyArray<string>): string =>
  fields.map((field) => `${Buffer.byteLength(field)}:${field},`).join("")

/**
 * `node:crypto` instead of `effect/crypto/Mac`: every media request waits for this, and `Mac.verify` was measured at
 * seven times the time (18 against 2.5 microseconds). Both compare in constant time.
 */
const signerOf = (keys: SigningKeys): Signer["Service"] => {
  const known = new Map(
    [keys.current, ...keys.previous].map(({ id, secret }) => [id, createSecretKey(Redacted.value(secret))] as const)
  )

  const macOf = (signedFor: SignedFor, keyId: string, fields: ReadonlyArray<string>): string | undefined => {
    const secret = known.get(keyId)
    return secret === undefined
      ? undefined
      : createHmac("sha256", secret)
          .update(framed([`civic-record/${signedFor}/1`, keyId, ...fields]))
          .digest("base64url")
  }

  /** `over` is signed and known to the verifier; `carried` is signed and included in the token (without dots). */
  const seal = (signedFor: SignedFor, over: ReadonlyArray<string>, carried: ReadonlyArray<string>): string =>
    [keys.current.id, ...carried, macOf(signedFor, keys.current.id, [...over, ...carried])].join(".")

  /** The carried fields of a token, if it is one of ours. */
  const unseal = (
    signedFor: SignedFor,
    over: ReadonlyArray<string>,
    token: string
  ): Effect.Effect<ReadonlyArray<string>, SignatureInvalid> =>
    Effect.suspend(() => {
      const [keyId = "", ...rest] = token.length > longestToken ? [] : token.split(".")
      const carried = rest.slice(0, -1)
      // The MACs are compared as text, not as bytes: the same bytes have several spellings in base64url.
      const presented = Buffer.from(rest.at(-1) ?? "")
      const right = Buffer.from(macOf(signedFor, keyId, [...over, ...carried]) ?? "")
      // A lone surrogate and U+FFFD have the same bytes in UTF-8, so ill-formed text is rejected.
      const isOurs =
        right.length > 0 &&
        presented.length === right.length &&
        timingSafeEqual(presented, right) &&
        over.every((field) => field.isWellFormed()) &&
        token.isWellFormed()
      return isOurs ? Effect.succeed(carried) : Effect.fail(new SignatureInvalid({ signedFor }))
    })

  const written = (expiresAt: DateTime.Utc) => String(DateTime.toEpochMillis(expiresAt))

  /** Only for fields returned by `unseal`, whose expiry we wrote ourselves. */
  const liveUntil = (signedFor: SignedFor, expiry: string | undefined) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      now < Number(expiry)
        ? Effect.succeed(DateTime.makeUnsafe(Number(expiry)))
        : Effect.fail(new SignatureExpired({ signedFor }))
    )

  return {
    signMedia: Effect.fnUntraced(function* (key, { download }) {
      const expiresAt = DateTime.addDuration(yield* DateTime.now, mediaSignatureLife)
      const sig = seal("media", [key], [written(expiresAt), download ? "d" : "w"])
      return { sig, expires_at: DateTime.formatIso(expiresAt) }
    }),
    verifyMedia: Effect.fnUntraced(function* (key, sig) {
      const [expiry, flag] = yield* unseal("media", [key], sig)
      return { download: flag === "d", expiresAt: yield* liveUntil("media", expiry) }
    }),
    signFigure: (key) => Effect.sync(() => seal("mailed_figure", [key], [])),
    verifyFigure: (key, eg) => Effect.asVoid(unseal("mailed_figure", [key], eg)),
    signGrant: ({ grantId, meetingId, expiresAt }) =>
      Effect.sync(() => seal("share_grant", [], [grantId, meetingId, written(expiresAt)])),
    verifyGrant: Effect.fnUntraced(function* (token) {
      const [grantId = "", meetingId = "", expiry] = yield* unseal("share_grant", [], token)
      return { grantId, meetingId: MeetingId.make(meetingId), expiresAt: yield* liveUntil("share_grant", expiry) }
    }),
    signUnsubscribe: ({ accountId, list }) => Effect.sync(() => seal("unsubscribe", [], [accountId, list])),
    verifyUnsubscribe: Effect.fnUntraced(function* (token) {
      const [accountId = "", list] = yield* unseal("unsubscribe", [], token)
      // A list that no longer exists.
      if (!isMailingList(list)) return yield* new SignatureInvalid({ signedFor: "unsubscribe" })
      return { accountId: AccountId.make(accountId), list }
    }),
    signDrill: (drillId) => Effect.sync(() => seal("drill", [], [drillId])),
    verifyDrill: (token) => Effect.map(unseal("drill", [], token), ([drillId = ""]) => drillId)
  }
}
