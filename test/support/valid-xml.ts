import { readFileSync } from "node:fs"
import * as path from "node:path"
import { Effect } from "effect"
import { validateXML } from "xmllint-wasm"

const schemaIn = (file: string) => readFileSync(path.join(import.meta.dirname, "schemas", file), "utf8")

/**
 * The errors that libxml2 finds in documents by a schema in `schemas/`; none if they are well formed and valid. It
 * starts and reads the schema again each time, which takes far longer than a document.
 */
export const wrongsIn = (
  documents: ReadonlyArray<string>,
  schema: "atom.rng" | "sitemap.xsd"
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const { errors } = await validateXML({
      xml: documents.map((contents, at) => ({ fileName: `document-${at}.xml`, contents })),
      extension: schema.endsWith(".rng") ? "relaxng" : "schema",
      schema: { fileName: schema, contents: schemaIn(schema) },
      maxMemoryPages: 4096
    })
    return errors.map(({ rawMessage }) => rawMessage)
  })
