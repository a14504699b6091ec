import { Data, Effect, Redacted } from "effect"

/** A password that is easy to guess; `advice` says why, and what would be better, in sentences for people. */
export class PasswordTooWeak extends Data.TaggedError("PasswordTooWeak")<{ readonly advice: ReadonlyArray<string> }> {}

/** zxcvbn's score for at least 10^8 guesses: safe against offline attacks on a slow hash. */
const leastScore = 3

/**
 * How much of a password is read, and how many readings of its substitutions (`@` for `a`): time grows with both, on
 * the event loop. The worst case is about 50 ms; without bounds it was more than three seconds.
 */
const bounds = { maxLength: 64, l33tMaxSubstitutions: 16 } as const

/** The dictionaries take 30 MB of memory, and are loaded the first time that a password is set. */
const estimator = Effect.runSync(
  Effect.cached(
    Effect.promise(async () => {
      const { ZxcvbnFactory } = await import("@zxcvbn-ts/core")
      const common = await import("@zxcvbn-ts/language-common")
      const english = await import("@zxcvbn-ts/language-en")
      return new ZxcvbnFactory({
        dictionary: { ...common.dictionary, ...english.dictionary },
        graphs: common.adjacencyGraphs,
        translations: english.translations,
        ...bounds
      })
    })
  )
)

/**
 * Fails if a password is easy to guess for somebody who knows `known` about its owner, such as their e-mail address.
 */
export const requireStrong = Effect.fn("requireStrong")(function* (
  password: Redacted.Redacted,
  known: ReadonlyArray<string>
) {
  const words = known
    .flatMap((text) => [text, ...text.split("@"), ...text.split(/[^\p{L}\p{N}]+/u)])
    .filter((word) => word.length > 2)
  const { score, feedback } = (yield* estimator).check(Redacted.value(password), [
    ...words,
    "civic",
    "civic record",
    "civicrecord"
  ])
  if (score >= leastScore) return
  const advice = [feedback.warning, ...feedback.suggestions].filter((sentence) => typeof sentence === "string")
  return yield* new PasswordTooWeak({ advice: advice.filter((sentence) => sentence !== "") })
})
