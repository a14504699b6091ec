import { Context } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { Cached, Surface } from "../../api/surface.ts"

/** An operation whose anonymous responses are cached, as the contract describes it. */
export interface CachedOperation {
  readonly until: "record" | "minute"
  /** Whether every caller gets the same response. Otherwise a credential can change it. */
  readonly isPublic: boolean
  /** The parameters that the operation declares; it ignores any other (contract section 1). */
  readonly parameters: ReadonlySet<string>
}

/** How the responses of an operation are cached; undefined if they are not. */
export const cachedOperation = (
  { query }: HttpApiEndpoint.Top,
  annotations: Context.Context<never>
): CachedOperation | undefined => {
  const until = Context.get(annotations, Cached)
  if (until === "never") return undefined
  const ast = query?.ast
  return {
    until,
    isPublic: Context.get(annotations, Surface) === "public",
    parameters: new Set(ast?._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : [])
  }
}

/**
 * A request's target as the operation reads it: its declared parameters only, sorted by name; several values of one
 * keep their order. The path stays as it was sent, because the router reads it as it was sent.
 */
export const canonicalTarget = ({ parameters }: CachedOperation, target: string): string => {
  const at = target.indexOf("?")
  if (at === -1) return target
  const pairs = [...new URLSearchParams(target.slice(at))].filter(([name]) => parameters.has(name))
  const query = new URLSearchParams(pairs.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))).toString()
  return query === "" ? target.slice(0, at) : `${target.slice(0, at)}?${query}`
}
