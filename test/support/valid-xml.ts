import { readFileSync } from "node:fs"
import * as path from "node:path"
import { Effect } from "effect"
import { validateXML } from "xmllint-wasm"

const schemaIn = (file: string) => readFileSync(path.join(import.meta.dirname, "schemas", file), "utf8")

/** What libxml2 finds wrong with a document by a schema of `schemas/`; nothing where it is well formed and valid. */
export const wrongsIn = (xml: string, schema: "atom.rng" | "sitemap.xsd"): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(async () => {
    const { errors } = await validateXML({
      xml: { fileName: "document.xml", contents: xml },
      extension: schema.endsWith(".rng") ? "relaxng" : "schema",
      schema: { fileName: schema, contents: schemaIn(schema) },
      maxMemoryPages: 4096
    })
    return errors.map(({ rawMessage }) => rawMessage)
  })
