import type { WireError } from "./errors/classes.ts"
import { databaseAway, internal, noSuchObject, rangeNotSatisfiable, signatureRequired } from "./errors/common.ts"
import type { Requirement } from "./security.ts"

/** Spec 4.5: a poster is open to all, a signed object takes its signature, a mailed figure its grant. */
const security: Requirement = [{}, { media_signature: [] }, { email_graphic: [] }]

const example = "meetings/3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90/poster.jpg"

const bytes = { schema: { type: "string", contentMediaType: "application/octet-stream" } }
const types = ["video/mp4", "image/jpeg", "image/png", "application/pdf"]
const content = Object.fromEntries(types.map((type) => [type, bytes]))
const header = (description: string, example: string) => ({ description, schema: { type: "string" }, example })

const headers = {
  ETag: header("Strong: these bytes and no others.", '"9f86d081884c7d65"'),
  "Accept-Ranges": header("Ranges of bytes can be asked for.", "bytes"),
  "Content-Length": header("How many bytes follow.", "1048576"),
  "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" },
  "Cache-Control": { $ref: "#/components/headers/Cache-Control" }
}

const problem = (description: string, { error, message, hint }: WireError) => ({
  description,
  content: {
    "application/json": { schema: { $ref: "#/components/schemas/Error" }, example: { error, message, hint } }
  },
  headers: {
    "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" },
    "Cache-Control": { $ref: "#/components/headers/Cache-Control" }
  }
})

/**
 * The media route as the specification describes it. It is no endpoint of the contract's library: its path has any
 * number of segments, and its bytes are no schema's.
 */
export const mediaPathItem = {
  "/api/media/{key}": {
    get: {
      operationId: "getMedia",
      tags: ["Media"],
      summary: "The bytes of a media object",
      description:
        "A poster is open to all. A clip, the web rendition, the copy of an agenda and a figure need the `sig` that came with their address, or, for a mailed figure, `eg`. Whatever else a key names is refused in the same words, whether it exists or not. Ranges are those of RFC 9110: `a-b`, `a-`, `-n`, with `If-Range`; several ranges at once are answered with the whole.",
      security,
      parameters: [
        {
          name: "key",
          in: "path",
          required: true,
          schema: { type: "string" },
          description: "The object's key; its slashes are part of the path.",
          example
        },
        {
          name: "Range",
          in: "header",
          required: false,
          schema: { type: "string" },
          description: "One range of bytes (RFC 9110, section 14.2).",
          example: "bytes=0-1048575"
        },
        {
          name: "If-Range",
          in: "header",
          required: false,
          schema: { type: "string" },
          description: "The entity tag that the range is of; if it is another now, the whole is sent.",
          example: '"9f86d081884c7d65"'
        },
        {
          name: "If-None-Match",
          in: "header",
          required: false,
          schema: { type: "string" },
          description: "Entity tags that the caller has.",
          example: '"9f86d081884c7d65"'
        }
      ],
      responses: {
        200: { description: "The whole object.", headers, content },
        206: {
          description: "The range that was asked for.",
          headers: { ...headers, "Content-Range": header("Which bytes of how many.", "bytes 0-1048575/7340032") },
          content
        },
        304: { description: "What `If-None-Match` names is still what there is." },
        403: problem("No signature, one that is not good, or a key that is nobody's to read.", signatureRequired()),
        404: problem("The signature is good, and the object is not there.", noSuchObject(example)),
        416: problem("No byte of the range is there.", rangeNotSatisfiable(7_340_032)),
        500: problem("A fault of ours.", internal("3b0f4f2e-8d7c-4a55-9f3e-0a6c1d2b4e70")),
        503: problem("The store or the database is away.", databaseAway())
      }
    }
  }
}
