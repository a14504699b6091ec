import { assert, describe, it } from "@effect/vitest"
import { addressAt } from "../../../layers/cloud-model/posted.ts"

describe("addressAt", () => {
  it.each([
    ["https://api.example.com/v1", "https://api.example.com/v1/chat/completions"],
    ["https://api.example.com/v1/", "https://api.example.com/v1/chat/completions"],
    ["https://api.example.com", "https://api.example.com/chat/completions"],
    ["http://localhost:1/v1/chat/completions", "http://localhost:1/v1/chat/completions"],
    ["https://x.example.com/d/gpt?api-version=1", "https://x.example.com/d/gpt/chat/completions?api-version=1"]
  ])("finds the endpoint of %s", (base, url) => {
    assert.strictEqual(addressAt(base, "chat/completions"), url)
  })
})
