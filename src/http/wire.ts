import { accountWords } from "./words/accounts.ts"
import { clipWords } from "./words/clips.ts"
import { operatorWords } from "./words/operators.ts"
import { recordWords } from "./words/record.ts"
import { searchWords } from "./words/search.ts"
import { signInWords } from "./words/sign-in.ts"

/** The register of failures: for the `_tag` of each one that a service may fail with, the error that the wire knows. */
export const words = { ...recordWords, ...clipWords, ...accountWords, ...searchWords, ...signInWords, ...operatorWords }

type Words = typeof words

/** The failures that have words: a tag of the register, with what its words are made from. */
type Failure = {
  readonly [Tag in keyof Words]: { readonly _tag: Tag } & (Words[Tag] extends (failure: infer From) => unknown
    ? From
    : never)
}[keyof Words]

/** That the function found by a tag takes the failure with that tag is more than a type can follow: hence the one cast. */
const register: { readonly [Tag in keyof Words]: (failure: never) => ReturnType<Words[Tag]> } = words

/**
 * A service's failure as the error that is sent, for `Effect.mapError(effect, wire)`. A failure without words does not
 * compile, and neither does a handler whose contract does not declare the error.
 */
export const wire = <F extends Failure>(failure: F): ReturnType<Words[F["_tag"]]> => {
  const tag: F["_tag"] = failure._tag
  return register[tag](failure as never)
}
