import type { Gazetteer, Place } from "./gazetteer.ts"
import { compactName, normalizeName } from "./names.ts"
import { longestText, stateAtEnd, variants } from "./read-text.ts"
import { suggestPlaces } from "./suggest.ts"

/** A place as somebody typed it: "Oak Ridge, TN", "knox county tennessee", "Oak Ridge". */
export interface TypedName {
  /** Without the state. */
  readonly name: string
  /** Its two letters, if the text ends in a state. */
  readonly state: string | undefined
  /** The place of exactly this name in that state. */
  readonly place: Place | undefined
  /** Places that may be meant, best first. */
  readonly near: ReadonlyArray<Place>
}

const isCounty = (name: string) => /\b(county|parish|borough)$/.test(name)

/** A name as it was typed, if it is the place's and written like a name: the post has no hyphen in Winston-Salem. */
const spelled = (typed: string, { name }: Place): string =>
  compactName(typed) === compactName(name) && /\p{Ll}/u.test(typed) && /\p{Lu}/u.test(typed) ? typed : name

/** Reads a place's name as it is typed where a place is asked for; `mostNear` bounds what may be meant instead. */
export const readTypedPlace = (gazetteer: Gazetteer, input: string, mostNear: number): TypedName => {
  const text = input.slice(0, longestText).trim()
  const comma = text.lastIndexOf(",")
  const words = normalizeName(text).split(" ")
  const ending = stateAtEnd(words)
  const near = suggestPlaces(gazetteer, text, mostNear).flatMap((one) => ("zip" in one ? [] : [one]))
  // "New York" and "Washington" are no states here: a state alone is not the place of a calendar.
  if (ending === undefined || ending.words === words.length) {
    return { name: text, state: undefined, place: undefined, near }
  }
  const { state } = ending
  const bare = words.slice(0, -ending.words).join(" ")
  const place = variants(bare)
    .map((name) => (isCounty(name) ? gazetteer.county(state, name) : gazetteer.city(state, name)))
    .find((found) => found !== undefined)
  const typed = comma > 0 ? text.slice(0, comma).trim() : undefined
  const name = place === undefined ? (typed ?? bare) : spelled(typed ?? "", place)
  return { name, state, place, near }
}
