import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { mediaPathItem } from "../../src/api/media.ts"
import { type RangeRequest, type RangeSelection, selectRange } from "../../src/http/media/range.ts"

const lastModified = new Date("2026-03-10T12:00:00.750Z")
const date = "Tue, 10 Mar 2026 12:00:00 GMT"
const secondBefore = "Tue, 10 Mar 2026 11:59:59 GMT"
const secondAfter = "Tue, 10 Mar 2026 12:00:01 GMT"
const etag = '"abc"'

const select = (request: Partial<RangeRequest> = {}) =>
  selectRange({ method: "GET", etag, lastModified, size: 1000, ...request })

const whole = { status: 200 } as const
const part = (start: number, end: number, size = 1000) => ({
  status: 206 as const,
  start,
  end,
  contentRange: `bytes ${start}-${end}/${size}`
})
const none = (size = 1000) => ({ status: 416 as const, contentRange: `bytes */${size}` })

describe("selectRange", () => {
  it("selects one range in each of its forms", () => {
    for (const [header, expected] of [
      ["bytes=0-499", part(0, 499)],
      ["bytes=0-0", part(0, 0)],
      ["bytes=999-999", part(999, 999)],
      ["bytes=500-", part(500, 999)],
      ["bytes=0-", part(0, 999)],
      ["bytes=-1", part(999, 999)],
      ["bytes=-1000", part(0, 999)],
      ["bytes=-5000", part(0, 999)],
      ["bytes=0-99999999999999999999999999", part(0, 999)],
      ["BYTES=0-1", part(0, 1)],
      ["bytes= 0-1 ", part(0, 1)],
      // Empty elements of a list are ignored (RFC 9110, section 5.6.1.2).
      ["bytes=,0-1,", part(0, 1)],
      ["bytes=000-0001", part(0, 1)]
    ] as const) {
      assert.deepStrictEqual(select({ rangeHeader: header }), expected, header)
    }
  })

  it("refuses a range with no bytes in it, and says how many there are", () => {
    for (const header of ["bytes=1000-", "bytes=1000-2000", "bytes=99999999999999999999999-", "bytes=-0"]) {
      assert.deepStrictEqual(select({ rangeHeader: header }), none(), header)
    }
    assert.deepStrictEqual(select({ rangeHeader: "bytes=0-", size: 0 }), none(0))
    assert.deepStrictEqual(select({ rangeHeader: "bytes=-1", size: 0 }), whole)
  })

  it("sends the whole for several ranges, for another unit, and for a malformed range", () => {
    for (const header of [
      "bytes=0-1,4-5",
      "bytes=0-1, -5",
      "bytes=0-1,x",
      "items=0-1",
      "bytes",
      "bytes=",
      "bytes=,",
      "bytes=-",
      "bytes=--1",
      "bytes=5-4",
      "bytes=a-b",
      "bytes=0x0-1",
      "bytes=1.5-2",
      "bytes=+0-1",
      "bytes=0 -1",
      "bytes =0-1",
      "bytes:0-1",
      "0-1",
      ""
    ]) {
      assert.deepStrictEqual(select({ rangeHeader: header }), whole, header)
    }
  })

  it("applies ranges to GET alone", () => {
    for (const method of ["HEAD", "POST"]) {
      assert.deepStrictEqual(select({ method, rangeHeader: "bytes=0-1" }), whole)
      assert.deepStrictEqual(select({ method, rangeHeader: "bytes=5000-" }), whole)
    }
  })

  it("selects exactly the bytes that were requested and exist", () => {
    const bytes = (size: number) => Array.from({ length: size }, (_, at) => at)
    const offset = fc.nat(60)
    fc.assert(
      fc.property(fc.nat(50), offset, offset, fc.constantFrom("a-b", "a-", "-n"), (size, a, b, form) => {
        const header = form === "a-b" ? `${a}-${b}` : form === "a-" ? `${a}-` : `-${a}`
        const found = select({ rangeHeader: `bytes=${header}`, size })
        const asked =
          form === "a-b"
            ? bytes(size).slice(a, b + 1)
            : form === "a-"
              ? bytes(size).slice(a)
              : bytes(size).slice(-a || size)
        if (found.status === 206) {
          assert.deepStrictEqual(bytes(size).slice(found.start, found.end + 1), asked)
          assert.isNotEmpty(asked)
          assert.strictEqual(found.contentRange, `bytes ${found.start}-${found.end}/${size}`)
        } else if (found.status === 416) {
          assert.isEmpty(asked)
          assert.strictEqual(found.contentRange, `bytes */${size}`)
        } else {
          assert.deepStrictEqual(found, whole)
          assert.isTrue((form === "a-b" && b < a) || (form === "-n" && size === 0))
        }
      }),
      { numRuns: 2000 }
    )
  })

  it("never goes past the end, whatever is sent", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^bytes=[-0-9,. ]{0,30}$/), fc.nat(100), (rangeHeader, size) => {
        const found = select({ rangeHeader, size })
        if (found.status === 206) assert.isTrue(0 <= found.start && found.start <= found.end && found.end < size)
      }),
      { numRuns: 2000 }
    )
  })

  it("If-Range: the part if the version is the same, the whole if it is not or may not be", () => {
    const rangeHeader = "bytes=0-1"
    for (const ifRange of [etag, ` ${etag} `, date, "Tuesday, 10-Mar-26 12:00:00 GMT", "Tue Mar 10 12:00:00 2026"]) {
      assert.deepStrictEqual(select({ rangeHeader, ifRange }), part(0, 1), ifRange)
    }
    for (const ifRange of [
      '"other"',
      'W/"abc"',
      "abc",
      '"abc", "other"',
      "*",
      "",
      secondBefore,
      secondAfter,
      "2026-03-10T12:00:00Z"
    ]) {
      assert.deepStrictEqual(select({ rangeHeader, ifRange }), whole, ifRange)
      assert.deepStrictEqual(select({ rangeHeader: "bytes=5000-", ifRange }), whole, ifRange)
    }
    // A weak tag of our own proves the same version only for requests that do not splice bytes.
    assert.deepStrictEqual(select({ rangeHeader, etag: 'W/"abc"', ifRange: 'W/"abc"' }), whole)
    assert.deepStrictEqual(select({ rangeHeader, etag: 'W/"abc"', ifRange: '"abc"' }), whole)
    assert.deepStrictEqual(select({ rangeHeader: "bytes=5000-", ifRange: etag }), none())
    assert.deepStrictEqual(select({ ifRange: '"other"' }), whole)
  })

  it("If-None-Match and If-Modified-Since: 304 to a caller that has it, before any range", () => {
    const rangeHeader = "bytes=0-1"
    for (const ifNoneMatch of [etag, 'W/"abc"', '"x", "abc"', '"x","abc" ,"y"', "*", " * "]) {
      for (const method of ["GET", "HEAD"]) {
        assert.deepStrictEqual(select({ method, rangeHeader, ifNoneMatch }), { status: 304 }, ifNoneMatch)
      }
    }
    for (const ifNoneMatch of ['"x"', '"x,abc"', "", "abc"]) {
      assert.deepStrictEqual(select({ rangeHeader, ifNoneMatch }), part(0, 1), ifNoneMatch)
      // The date is ignored where there is a tag.
      assert.deepStrictEqual(select({ ifNoneMatch, ifModifiedSince: date }), whole)
    }
    for (const ifModifiedSince of [date, secondAfter]) {
      assert.deepStrictEqual(select({ rangeHeader, ifModifiedSince }), { status: 304 })
    }
    for (const ifModifiedSince of [secondBefore, "yesterday", "Tue, 31 Feb 2026 12:00:00 GMT", "9999999999"]) {
      assert.deepStrictEqual(select({ ifModifiedSince }), whole, ifModifiedSince)
    }
  })

  it("If-Match and If-Unmodified-Since: 412 to a caller that means another version", () => {
    for (const ifMatch of [etag, '"x", "abc"', "*"]) {
      assert.deepStrictEqual(select({ ifMatch, rangeHeader: "bytes=0-1" }), part(0, 1), ifMatch)
      assert.deepStrictEqual(select({ ifMatch, ifUnmodifiedSince: secondBefore }), whole)
    }
    for (const ifMatch of ['"x"', 'W/"abc"', ""]) assert.deepStrictEqual(select({ ifMatch }), { status: 412 }, ifMatch)
    assert.deepStrictEqual(select({ ifUnmodifiedSince: secondBefore }), { status: 412 })
    for (const ifUnmodifiedSince of [date, secondAfter, "tomorrow"]) {
      assert.deepStrictEqual(select({ ifUnmodifiedSince }), whole)
    }
    assert.deepStrictEqual(select({ ifMatch: etag, ifNoneMatch: etag }), { status: 304 })
  })

  it("documents each of its outcomes in OpenAPI", () => {
    const outcomes: Readonly<Record<RangeSelection["status"], true>> = {
      ...{ 200: true, 206: true, 304: true, 412: true, 416: true }
    }
    assert.containsAllKeys(mediaPathItem["/api/media/{key}"].get.responses, Object.keys(outcomes))
  })
})
