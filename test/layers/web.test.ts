import { assert, describe, it } from "@effect/vitest"
import { isPublicAddress, isTrialAddress } from "../../layers/web.ts"

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
