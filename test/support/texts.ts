import { type Expression, parseSync, Visitor } from "oxc-parser"

/** The value of a template's placeholder, if the code shows it: `${db("meeting")}` is a name. */
const nameIn = (hole: Expression): string => {
  const named = hole.type === "CallExpression" ? hole.arguments[0] : hole
  return named?.type === "Literal" ? String(named.value) : "?"
}

/** Every text in the code of a file, SQL statements among them; comments are not. */
export const textsOf = (file: string, code: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  new Visitor({
    Literal: ({ value }) => {
      if (typeof value === "string") found.push(value)
    },
    TemplateLiteral: ({ quasis, expressions }) => {
      found.push(quasis.map(({ value }, at) => value.raw + (expressions[at] ? nameIn(expressions[at]) : "")).join(""))
    }
  }).visit(parseSync(file, code).program)
  return found
}
