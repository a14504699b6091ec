import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isPublicAddress, isTrialAddress, Web } from "../../layers/web.ts"
import { setupOf } from "../support/service.ts"

describe("an address that a source names", () => {
  it.each([
    ["a server on the Internet", "93.184.215.14", true, true],
    ["the same as IPv6", "::ffff:93.184.215.14", true, true],
    ["this machine", "127.0.0.1", false, true],
    ["this machine on IPv6", "::1", false, true],
    ["a private network", "192.168.1.20", false, true],
    ["a private network on IPv6", "fd12:3456::1", false, true],
    ["the metadata of most clouds", "169.254.169.254", false, false],
    ["the same as IPv6", "::ffff:169.254.169.254", false, false],
    ["the metadata of a cloud on IPv6", "fd00:ec2::254", false, false],
    ["the metadata of a cloud in shared space", "100.100.100.200", false, false],
    ["a link-local address on IPv6", "fe80::1", false, false],
    ["no host", "0.0.0.0", false, false],
    ["a group", "224.0.0.1", false, false],
    ["a tunnel", "2002:7f00:1::", false, false],
    ["no address", "example.gov", false, false]
  ])("%s (%s)", (_, address, isPublic, isForTrials) => {
    assert.strictEqual(isPublicAddress(address), isPublic)
    assert.strictEqual(isTrialAddress(address), isForTrials)
  })
})

describe("a request to another server", () => {
  it.live("that fails says why, and what to do next", () =>
    Effect.gen(function* () {
      const plain = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>>((resume) => {
          const one = createServer((_, response) => response.end()).listen(0, "127.0.0.1", () =>
            resume(Effect.succeed(one))
          )
        }),
        (one) => Effect.sync(() => one.close())
      )
      const { port } = plain.address() as AddressInfo
      const failing = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))
      const web = Web.layerWith({
        isAllowed: () => true,
        resolve: (host) => failing(host.replace(".example", "").toUpperCase()),
        userAgent: "test"
      })
      for (const [address, why] of [
        ["http://enotfound.example/", "Its host does not exist: look whether it is spelled right."],
        ["http://etimedout.example/", "Its server does not answer"],
        ["http://cert_has_expired.example/", "Its server's certificate has expired"],
        ["http://depth_zero_self_signed_cert.example/", "certificate is signed by nobody who is trusted"],
        ["http://err_tls_cert_altname_invalid.example/", "certificate is for another host"],
        ["http://other.example/", "The server cannot be reached."],
        ["http://127.0.0.1:1/", "Its server refuses connections"],
        [`https://127.0.0.1:${port}/`, "Its server does not speak https"]
      ] as const) {
        const failure = yield* Web.use(({ open }) => Effect.flip(open(new URL(address), {}))).pipe(Effect.provide(web))
        assert.include(failure.message, why, address)
        assert.isFalse(failure.isForbidden)
      }
    })
  )

  it.live("says who asks, and whom to write to", () =>
    Effect.gen(function* () {
      const heard: Array<string | undefined> = []
      const server = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>>((resume) => {
          const one = createServer((request, response) => {
            heard.push(request.headers["user-agent"])
            response.end()
          }).listen(0, "127.0.0.1", () => resume(Effect.succeed(one)))
        }),
        (one) => Effect.sync(() => one.close())
      )
      const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
      const as = { BASE_URL: "http://record.example.gov", ALLOW_PRIVATE_SOURCES: "1" }
      for (const env of [as, { ...as, CONTACT_EMAIL: "record@example.gov" }]) {
        yield* Web.use((web) => web.open(url, {})).pipe(Effect.provide(Web.layer), Effect.provide(setupOf(env)))
      }
      assert.deepStrictEqual(heard, [
        "CivicRecord/1.0 (+http://record.example.gov/about)",
        "CivicRecord/1.0 (+http://record.example.gov/about; record@example.gov)"
      ])
    })
  )
})
