import * as fs from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { SchemaAST } from "effect"
import { BundleEntity } from "../../schema/bundle.ts"
import { MeetingRow } from "../../src/record/formats/row.ts"

const doc = fs.readFileSync("docs/bundle.md", "utf8")

/** The fields of an object and of the objects in its lists, each marked as required or not. */
const fieldsOf = (ast: SchemaAST.AST, prefix = ""): ReadonlyArray<readonly [field: string, required: string]> => {
  if (SchemaAST.isArrays(ast)) return ast.rest.flatMap((item) => fieldsOf(item, `${prefix}[]`))
  if (!SchemaAST.isObjects(ast)) return []
  return ast.propertySignatures.flatMap(({ name, type }) => {
    const field = prefix === "" ? String(name) : `${prefix}.${String(name)}`
    return [[field, SchemaAST.isOptional(type) ? "no" : "yes"] as const, ...fieldsOf(type, field)]
  })
}

const describedIn = (section: string) =>
  [...section.matchAll(/^\| `([^`]+)` +\| (yes|no) +\|/gm)].map(([, field, required]) => [field, required])

describe("docs/bundle.md", () => {
  for (const { ast, fields } of BundleEntity.members) {
    const type = String(SchemaAST.isLiteral(fields.type.ast) ? fields.type.ast.literal : "")

    it(`lists every field of ${type}, and says whether it is required`, () => {
      const section = doc.split(/^##+ /m).find((part) => part.startsWith(`\`${type}\``)) ?? ""
      assert.deepStrictEqual<unknown>(describedIn(section), fieldsOf(ast))
    })
  }

  it("names every field of a row", () => {
    const section = doc.slice(doc.indexOf("## Other sources"))
    for (const field of Object.keys(MeetingRow.fields)) assert.match(section, new RegExp(`[\`\\s]${field}[\`\\s]`))
  })
})
