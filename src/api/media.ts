import type { WireError } from "./errors/classes.ts"
import {
  anotherVersion,
  databaseAway,
  internal,
  noSuchObject,
  rangeNotSatisfiable,
  signatureRequired
} from "./errors/common.ts"
import type { Requirement } from "./security.ts"

/** Spec 4.5: a poster is open to everyone, a signed object needs its signature, a mailed figure its grant. */
const security: Requirement = [{}, { media_signature: [] }, { email_graphic: [] }]

const example = "meetings/3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90/poster.jpg"

const bytes = { schema: { type: "string", contentMediaType: "application/octet-stream" } }
const types = ["video/mp4", "image/jpeg", "image/png", "application/pdf"]
const content = Object.fromEntries(types.map((type) => [type, bytes]))
const header = (description: string, example: string) => ({ description, schema: { type: "string" }, example })

const headers = {
  ETag: header("A strong validator of exactly these bytes.", '"9f86d081884c7d65"'),
  "Accept-Ranges": header("Byte ranges are supported.", "bytes"),
  "Content-Length": header("The number of bytes that follow.", "1048576"),
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
 * The media route as the specification describes it. The contract's library cannot declare it as an endpoint: its path
 * has any number of segments, and its bytes have no schema.
 */
export const mediaPathItem = {
  "/api/media/{key}": {
    get: {
      operationId: "getMedia",
      tags: ["Media"],
      summary: "Get a media object",
      description:
        "Posters are open to everyone. Clips, the web rendition, the copy of an agenda and figures need the `sig` that is part of their address, or, for a mailed figure, its `eg`. Every other key is refused in the same words, whether or not it exists. A range can be requested as in RFC 9110 (`a-b`, `a-`, `-n`), with `If-Range`. A request for several ranges gets the whole object.",
      security,
      parameters: [
        {
          name: "key",
          in: "path",
          required: true,
          schema: { type: "string" },
          description: "The object's key. Its slashes are part of the path.",
          example
        },
        {
          name: "Range",
          in: "header",
          required: false,
          schema: { type: "string" },
          description: "One byte range (RFC 9110, section 14.2).",
          example: "bytes=0-1048575"
        },
        {
          name: "If-Range",
          in: "header",
          required: false,
          schema: { type: "string" },
          description: "The entity tag that the range belongs to. If the object has changed, all of it is sent.",
          example: '"9f86d081884c7d65"'
        },
        {
          name: "If-Match",
          in: "header",
          required: false,
          schema: { type: "string" },
          description: "Entity tags of the only versions that the caller wants.",
          example: '"9f86d081884c7d65"'
        },
        {
          name: "If-None-Match",
          in: "header",
          required: false,
          schema: { type: "string" },
          description: "Entity tags of the versions that the caller already has.",
          example: '"9f86d081884c7d65"'
        }
      ],
      responses: {
        200: { description: "The whole object.", headers, content },
        206: {
          description: "The requested range.",
          headers: {
            ...headers,
            "Content-Range": header("Which bytes are sent, of how many.", "bytes 0-1048575/7340032")
          },
          content
        },
        307: {
          description:
            "The bytes of this recording or clip are at `Location`, an address of the media store that is good for as long as the signature. Only where the deployment leaves them to the store.",
          headers: {
            Location: header(
              "Where to ask for the same range.",
              "https://media.example.gov/civic-record/meetings/3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90/web/720p.mp4?X-Amz-Signature=…"
            ),
            "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" },
            "Cache-Control": { $ref: "#/components/headers/Cache-Control" }
          }
        },
        304: { description: "Not modified: the version named in `If-None-Match` is current." },
        403: problem("The signature is missing or not valid, or no one may read this key.", signatureRequired()),
        404: problem("The signature is valid, but there is no such object.", noSuchObject(example)),
        412: problem("`If-Match` or `If-Unmodified-Since` names another version.", anotherVersion()),
        416: problem("The range is outside the object.", rangeNotSatisfiable(7_340_032)),
        500: problem(
          "A fault of this service; the hint carries the request id.",
          internal("3b0f4f2e-8d7c-4a55-9f3e-0a6c1d2b4e70")
        ),
        503: problem("The media store or the database cannot be reached.", databaseAway())
      }
    }
  }
}
