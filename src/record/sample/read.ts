import * as fs from "node:fs"
import * as path from "node:path"
import { Data, Effect, Result } from "effect"
import type { BundleAgency, BundleMeeting, BundlePlace } from "../../../schema/bundle.ts"
import { decoder, type Fault } from "../formats/decode.ts"
import { bodySlugs, slugify } from "../slug.ts"
import { AuthoredBody, type AuthoredMatter, AuthoredMeeting, County } from "./authoring.ts"
import { membersIn, votesIn, writtenLines } from "./script.ts"
import type { Spoken } from "./speech.ts"

/** A mistake in a file of the sample. */
class SampleError extends Data.TaggedError("SampleError")<{
  readonly file: string
  readonly line: number
  readonly problem: string
}> {
  override get message() {
    return `${this.file}:${this.line}: ${this.problem}`
  }
}

/** A body as its file describes it, as it goes on record, and its meetings. */
export interface SampleBody extends AuthoredBody {
  /** Its name in the county's list, without `.yaml`. */
  readonly file: string
  readonly agency: BundleAgency
  readonly meetings: ReadonlyArray<AuthoredMeeting>
}

/** A meeting of the sample on its day, with what was said. */
export interface SampleMeeting {
  readonly body: SampleBody
  readonly authored: AuthoredMeeting
  readonly meeting: BundleMeeting
  readonly spoken: Spoken | undefined
}

type Decode<A> = (input: unknown) => Result.Result<A, Fault>

const strict = { onExcessProperty: "error" } as const
const decodeCounty = decoder(County, strict)
const decodeMeeting = decoder(AuthoredMeeting, strict)

const decodeBody =
  (known: ReadonlyArray<BundlePlace>, file: string): Decode<Omit<SampleBody, "meetings">> =>
  (input) =>
    Result.flatMap(decoder(AuthoredBody, strict)(input), (body) => {
      const { name, kind, places, retired, host } = body
      const [home, ...others] = places.map((slug) => known.find((place) => place.slug === slug))
      if (home === undefined || others.includes(undefined)) {
        return Result.fail({ field: "places", message: "must be slugs of places in county.yaml" })
      }
      const agency: BundleAgency = {
        ...{ type: "agency", ...bodySlugs(name, home), name, kind, places },
        ...(retired === undefined ? {} : { retired_slugs: retired }),
        website: `https://${host}/`
      }
      return Result.succeed({ ...body, file, agency })
    })

/** A meeting whose votes are of members of its body, and whose matters are the county's. */
const decodeMeetingOf =
  (matters: ReadonlyArray<AuthoredMatter>) =>
  ({ members = "" }: Pick<AuthoredBody, "members">): Decode<AuthoredMeeting> =>
  (input) =>
    Result.flatMap(decodeMeeting(input), (meeting) => {
      const known = new Set(membersIn(members).map(({ key }) => key))
      const stranger = (["votes", "heard"] as const).flatMap((field) =>
        votesIn(meeting[field] ?? "").flatMap(({ ballots }, at) =>
          ballots.flatMap(({ key }) => (known.has(key) ? [] : [{ field: `${field}.${at}`, key }]))
        )
      )[0]
      const unlisted = writtenLines(meeting.matters ?? "").findIndex(
        (line) => !matters.some(({ key }) => line.endsWith(` | ${key}`))
      )
      if (stranger !== undefined) {
        return Result.fail({ field: stranger.field, message: `names ${stranger.key}, who is not one of the members` })
      }
      return unlisted === -1
        ? Result.succeed(meeting)
        : Result.fail({ field: `matters.${unlisted}`, message: "names a matter that is not in county.yaml" })
    })

/** Reads a YAML file: its first document, and those that follow. Every scalar is text, even `19:00` and `no`. */
const readFile = Effect.fnUntraced(function* <A, B>(file: string, first: Decode<A>, next: (first: A) => Decode<B>) {
  const { isNode, isScalar, parseAllDocuments } = yield* Effect.promise(() => import("yaml"))
  const refuse = (line: number, problem: string) =>
    Effect.fail(new SampleError({ file: path.relative("", file), line, problem }))
  const text = yield* Effect.tryPromise(() => fs.promises.readFile(file, "utf8")).pipe(
    Effect.catch(() => refuse(1, "cannot be read"))
  )
  const [head, ...rest] = parseAllDocuments(text, { schema: "failsafe", prettyErrors: false })
  if (head === undefined) return yield* refuse(1, "is empty")
  const lineAt = (offset = 0) => text.slice(0, offset).split("\n").length

  const decoded = <C>(document: typeof head, decode: Decode<C>): Effect.Effect<C, SampleError> => {
    const [broken] = document.errors
    if (broken !== undefined) return refuse(lineAt(broken.pos[0]), broken.message)
    return Effect.catch(Effect.fromResult(decode(document.toJS())), ({ field, message }) => {
      const keys = field.split(".")
      const nodes = keys.map((_, at) => document.getIn(keys.slice(0, at + 1), true)).filter(isNode)
      const node = nodes.at(-1) ?? document.contents
      const line = lineAt(node?.range?.[0])
      if (!isScalar(node)) return refuse(line, `${field} ${message}`)
      // Beyond a text, the path is a line of it. A block begins below its key.
      const below = node.type === "BLOCK_LITERAL" ? 1 + Number(keys[nodes.length] ?? -1) : 0
      return refuse(line + below, `${keys.slice(0, nodes.length).join(".")} ${message}`)
    })
  }
  const begun = yield* decoded(head, first)
  return [begun, yield* Effect.forEach(rest, (document) => decoded(document, next(begun)))] as const
})

/** Reads a made-up county from a folder: `county.yaml`, and the files of the bodies that it lists (README.md there). */
export const readCounty = Effect.fnUntraced(function* (folder: string) {
  const [written] = yield* readFile(path.join(folder, "county.yaml"), decodeCounty, () => decodeMeeting)
  const { county, state, matters = [] } = written
  const places = written.places.map(
    ({ name, kind, ...rest }): BundlePlace => ({
      ...{ type: "place", slug: slugify(name), name, kind, state, county },
      ...rest
    })
  )
  const bodies = yield* Effect.forEach(written.bodies, (name) =>
    Effect.map(
      readFile(path.join(folder, `${name}.yaml`), decodeBody(places, name), decodeMeetingOf(matters)),
      ([body, meetings]): SampleBody => ({ ...body, meetings })
    )
  )
  return { places, bodies, matters }
})

/** The made-up county of the sample, read when it is first needed. */
export const county = Effect.runSync(Effect.cached(readCounty(path.join(import.meta.dirname, "meetings"))))
