import * as fs from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { BundleEntity } from "../../schema/bundle.ts"
import { entitiesOf, type LoadedRecord } from "./record.ts"

/** The entities of a record, each after those it refers to (docs/bundle.md). */
export function* allEntities(record: LoadedRecord): Generator<BundleEntity> {
  yield* record.directory.places
  yield* record.directory.bodies.map(({ agency }) => agency)
  for (let index = 0; index < record.plan.size; index++) yield* entitiesOf(record, index)
}

function* lines(record: LoadedRecord): Generator<string> {
  for (const entity of allEntities(record)) yield `${JSON.stringify(entity)}\n`
}

/** Writes a record as a bundle. */
export const writeBundle = (file: string, record: LoadedRecord) =>
  pipeline(Readable.from(lines(record)), fs.createWriteStream(file))
