import type { Schema } from "effect"
import { HttpServerResponse } from "effect/http"

/** A schema whose values are on the wire what they are in memory. */
type SentAsItIs<S extends Schema.Top> = [S["Type"]] extends [S["Encoded"]] ? S : never

/**
 * Sends a value of such a schema as JSON, without walking the schema. For the large public reads: checking each of their
 * fields again, which the compiler has checked, costs several times what writing them does. That what services return fits
 * the contract, and holds nothing besides, is left to `test/wire/operations.test.ts`.
 */
export const asTyped =
  <S extends Schema.Top>(_: SentAsItIs<S>) =>
  (body: S["Type"], headers: Readonly<Record<string, string>> = {}): HttpServerResponse.HttpServerResponse =>
    HttpServerResponse.text(JSON.stringify(body), { contentType: "application/json", headers })
