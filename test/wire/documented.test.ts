import { assert, describe, it } from "@effect/vitest"
import { undocumented } from "../support/documented.ts"

const json = "application/json"

describe("the check that every response over HTTP is held to", () => {
  it("names a status, a media type and a form that the document does not have", () => {
    assert.match(
      undocumented("GET", "/api/places/springfield", 418, json, "{}") ?? "",
      /^GET \/api\/places\/\{slug\} does not say that it answers 418/
    )
    assert.match(
      undocumented("GET", "/api/places/springfield", 404, "text/html; charset=utf-8", "<p>") ?? "",
      /its 404 is text\/html, only application\/json$/
    )
    assert.match(undocumented("GET", "/api/places/springfield", 200, json, '{"slug":1}') ?? "", /has not the form/)
    assert.match(undocumented("GET", "/api/places/springfield", 404, json, '{"error":"x"}') ?? "", /has not the form/)
    assert.match(undocumented("POST", "/api/share/record", 418, json, "{}") ?? "", /^POST \/api\/share\/record does/)
  })

  it("prefers a path without parameters, and leaves other addresses alone", () => {
    assert.match(undocumented("GET", "/api/agent/meetings/gaps", 418, json, "{}") ?? "", /meetings\/gaps does not/)
    assert.isUndefined(undocumented("GET", "/browse", 418, json, "{}"))
    assert.isUndefined(undocumented("PATCH", "/api/places", 405, json, "{}"))
    assert.isUndefined(undocumented("HEAD", "/api/places", 200, json, ""))
  })
})
