import type { Address } from "./address.ts"
import { addressKey } from "./addresses.ts"
import { initialsBefore } from "./introductions.ts"
import type { Tokens } from "./tokens.ts"

/** An address that somebody gave in a meeting. */
export interface Given {
  readonly at: number
  readonly address: Address
  /** Whoever gave it then spoke for an office, a client or a business. */
  readonly isOffice: boolean
}

/** Whether two people are surely not one whose name was recognized differently. */
const areTwo = (one: string, other: string): boolean => one[0] !== other[0] && one[1] !== other[1]

/**
 * The addresses that are offices because of who gave them in a meeting: somebody who at some time spoke for an office,
 * or several people.
 */
export const officesOf = (tokens: Tokens, given: ReadonlyArray<Given>): ReadonlySet<string> => {
  const people = new Map<string, Set<string>>()
  const offices = new Set<string>()
  for (const { at, address, isOffice } of given) {
    const key = addressKey(address)
    if (key === undefined || address.form !== "typed" || (address.house?.length ?? 0) < 2) continue
    if (isOffice) offices.add(key)
    const who = initialsBefore(tokens, at)
    if (who === undefined) continue
    const before = people.get(key) ?? new Set()
    if ([...before].some((other) => areTwo(who, other))) offices.add(key)
    people.set(key, before.add(who))
  }
  return offices
}
