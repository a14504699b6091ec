import { Effect } from "effect"
import { readable } from "../../record/readable.ts"
import type { PoliteWeb, Validators } from "../web/polite-web.ts"
import { longestCalendar, NoCalendar } from "./calendar.ts"

/** Fetches a JSON document; undefined if it has not changed. */
export const jsonPage = Effect.fnUntraced(function* (
  web: PoliteWeb["Service"],
  address: string,
  validators: Validators = {}
) {
  const page = yield* web.page(address, {
    accept: "application/json",
    types: /^(application|text)\/([\w.-]+\+)?(json|plain)\b/i,
    bytes: longestCalendar,
    validators
  })
  if (page === undefined) return undefined
  const value = yield* Effect.try({
    try: (): unknown =>
      JSON.parse(page.body.toString("utf8"), (_, value: unknown) =>
        typeof value === "string" ? readable(value) : value
      ),
    catch: () => new NoCalendar({ message: "The calendar is not JSON." })
  })
  return { value, validators: page.validators }
})

/** The validators that a source's page had when it was last fetched. */
export const validatorsOf = (source: { readonly etag: string | null; readonly last_modified: string | null }) => ({
  etag: source.etag ?? undefined,
  lastModified: source.last_modified ?? undefined
})
