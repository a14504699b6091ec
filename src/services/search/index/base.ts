import * as fs from "node:fs"
import * as path from "node:path"
import { Duration, Effect, Option } from "effect"
import { Environment } from "../../../../layers/config/config.ts"
import { Db } from "../../../../layers/db/db.ts"
import { Siblings } from "../../../../layers/processes/siblings.ts"
import { type Builder, makeBuilder } from "./builder.ts"
import { indexFolder, isThere, keepOnly, type Origin } from "./folder.ts"
import { buildBase, IndexSizes, type Line, openLine, usableOrigin } from "./line.ts"
import { publishedBases } from "./published.ts"

/**
 * The maximum age of a base: it is rebuilt before the database prunes its changes (`pruneChanges`), or earlier after
 * many changes (`IndexSizes`).
 */
const baseServes = Duration.toMillis("3 days")

/** How often a process that does not build looks for the base of the one that does. */
const lookEvery = "1 second"

/**
 * How this process comes by the base of its line. The first process of a service builds, or takes a base that another
 * machine has published; the others open the same files.
 */
export const makeBases = Effect.gen(function* () {
  const primary = yield* Db
  const { dataDir } = yield* Environment
  const { number } = yield* Siblings
  const { changed } = yield* IndexSizes
  const folder = indexFolder(dataDir)
  const published = yield* publishedBases(primary, folder)
  const scope = yield* Effect.scope

  const documentsOf = (line: Line) => line.set.parts[0]?.segment.documents ?? 0
  const opened = (origin: Origin) =>
    Effect.tap(openLine(folder, origin), (line) =>
      Effect.annotateLogs(Effect.logInfo("The search index is opened"), "documents", documentsOf(line))
    )

  const built = Effect.fnUntraced(function* (builder: Builder) {
    const [took, origin] = yield* Effect.timed(buildBase(primary, builder, folder))
    const line = yield* openLine(folder, origin)
    yield* Effect.logInfo("The search index is built").pipe(
      Effect.annotateLogs({ documents: documentsOf(line), seconds: Math.round(Duration.toMillis(took)) / 1000 })
    )
    // Open before it can be removed; other machines wait for it, and this one does not.
    if (Option.isSome(published)) yield* Effect.forkIn(published.value.publish(origin), scope)
    return line
  })

  /** One that another machine has published since, else a new one. */
  const takenOrBuilt = Effect.fnUntraced(function* (builder: Builder, since: number) {
    const origin = Option.isSome(published) ? yield* published.value.take(since) : Option.none<Origin>()
    if (Option.isNone(origin)) return yield* built(builder)
    return yield* opened(origin.value).pipe(
      Effect.catchTag("SegmentRefused", ({ reason }) =>
        Effect.logWarning("The search index of the media store cannot be used").pipe(
          Effect.annotateLogs("reason", reason),
          Effect.andThen(built(builder))
        )
      )
    )
  })

  /** The base on disk, if it is usable; else another. */
  const ownFirst = Effect.fnUntraced(function* (builder: Builder) {
    const origin = yield* usableOrigin(primary, folder)
    yield* keepOnly(folder, Option.getOrUndefined(Option.map(origin, ({ id }) => id)))
    if (Option.isNone(origin)) return yield* takenOrBuilt(builder, 0)
    return yield* opened(origin.value).pipe(
      Effect.catchTag("SegmentRefused", ({ reason }) =>
        Effect.logWarning("The search index on disk cannot be used, and is made anew").pipe(
          Effect.annotateLogs("reason", reason),
          Effect.andThen(keepOnly(folder, undefined)),
          Effect.andThen(takenOrBuilt(builder, 0))
        )
      )
    )
  })

  if (number === 1) {
    return {
      first: ownFirst,
      /** In another thread, beside the builder that follows changes. */
      next: (line: Line) =>
        Effect.scoped(Effect.flatMap(makeBuilder(primary), (builder) => takenOrBuilt(builder, line.origin.made_at))),
      isDue: (line: Line, now: number) =>
        !isThere(folder, line.origin.id) ||
        line.changed >= Math.max(changed, documentsOf(line) / 10) ||
        now - line.origin.made_at > baseServes,
      replaced: Effect.fnUntraced(function* (before: Line, later: Line) {
        yield* primary`delete from search_segment where id = ${before.origin.id}`
        yield* keepOnly(folder, later.origin.id)
      })
    }
  }

  const shared = Effect.gen(function* () {
    while (true) {
      const origin = yield* usableOrigin(primary, folder)
      if (Option.isSome(origin)) {
        // A base that cannot be read is removed whole, by which the process that builds knows.
        const line = yield* opened(origin.value).pipe(
          Effect.tapErrorTag("SegmentRefused", () =>
            Effect.sync(() => fs.rmSync(path.join(folder, origin.value.id), { recursive: true, force: true }))
          ),
          Effect.option
        )
        if (Option.isSome(line)) return line.value
      }
      yield* Effect.sleep(lookEvery)
    }
  })
  return {
    first: () => shared,
    next: () => shared,
    isDue: (line: Line) => !isThere(folder, line.origin.id),
    replaced: () => Effect.void
  }
})
