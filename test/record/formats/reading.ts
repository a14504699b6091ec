import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Schema, Stream } from "effect"
import { TestClock } from "effect/testing"
import { BundleEntity } from "../../../schema/bundle.ts"
import { formats } from "../../../src/record/formats/formats.ts"
import type { Item } from "../../../src/record/formats/item.ts"
import { read, recognize } from "../../../src/record/formats/read.ts"
import type { MeetingFacts } from "../../../src/record/formats/row.ts"
import { openSource } from "../../../src/record/formats/source.ts"

const decode = Schema.decodeUnknownEffect(BundleEntity)

/** The day on which tests read, so that the upcoming meetings do not depend on when they run. */
const today = Date.parse("2026-11-21T12:00:00Z")

export interface Asked {
  /** The name of a format, if it is not to be recognized. */
  readonly format?: string
  readonly facts?: MeetingFacts
}

/** Of a large file, the schema is held against the first entities and then against one in so many. */
const firstHeld = 2000
const everyNth = 25

/** Hands every item of a path to `take`; the entities must satisfy the schema of the bundle. */
export const eachItem = (path: string, { format, facts = {} }: Asked, take: (item: Item) => void) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(today)
    const source = yield* openSource(path)
    const as = format === undefined ? yield* recognize(source) : formats.find(({ name }) => name === format)
    let at = 0
    yield* Stream.runForEach(read(source, as, facts), (item) =>
      Effect.gen(function* () {
        at++
        const isHeld = at <= firstHeld || at % everyNth === 0
        if (item.result._tag === "Entity" && isHeld) yield* decode(item.result.entity)
        take(item)
      })
    )
    return as?.name
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

/** Every item of a path. */
export const itemsOf = (path: string, asked: Asked = {}) =>
  Effect.gen(function* () {
    const items: Array<Item> = []
    yield* eachItem(path, asked, (item) => items.push(item))
    return items
  })

export const entitiesOf = (items: ReadonlyArray<Item>): ReadonlyArray<BundleEntity> =>
  items.flatMap(({ result }) => (result._tag === "Entity" ? [result.entity] : []))

/** The entities of one type. */
export const those = <T extends BundleEntity["type"]>(items: ReadonlyArray<Item>, type: T) =>
  entitiesOf(items).filter((entity): entity is Extract<BundleEntity, { readonly type: T }> => entity.type === type)

/** The reports on lines: `tag line field message`. */
export const noticesOf = (items: ReadonlyArray<Item>): ReadonlyArray<string> =>
  items.flatMap(({ line, result }) =>
    result._tag === "Entity"
      ? []
      : [`${result._tag} ${line} ${"field" in result ? result.field : ""}: ${result.message}`.replace(/ +:/, ":")]
  )

/** The number of items of each kind: entities by type and version, others by tag. */
export const tally = () => {
  const counts: Record<string, number> = {}
  const take = ({ result }: Item) => {
    const entity = result._tag === "Entity" ? result.entity : undefined
    const kind =
      entity === undefined ? result._tag : entity.type === "transcript" ? `transcript ${entity.version}` : entity.type
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  return { counts, take }
}
