import type { Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { jsonBytes } from "./json-bytes.ts"

/** A schema whose values have the same form on the wire and in memory. */
type SentAsItIs<S extends Schema.Top> = [S["Type"]] extends [S["Encoded"]] ? S : never

/**
 * Sends a value of such a schema as JSON without walking the schema, which costs several times what writing the JSON
 * does. It is meant for the large public reads, whose values services put together field by field from rows that
 * `rowsBy` has decoded. What the compiler cannot see, that a value holds no further field and satisfies the schema's
 * checks, is tested in `test/wire/operations.test.ts`.
 */
export const asTyped =
  <S extends Schema.Top>(_: SentAsItIs<S>) =>
  (body: S["Type"], headers: Readonly<Record<string, string>> = {}): HttpServerResponse.HttpServerResponse =>
    HttpServerResponse.uint8Array(jsonBytes(body), { contentType: "application/json", headers })
