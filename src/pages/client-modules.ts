import { readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import * as path from "node:path"

const folder = path.join(import.meta.dirname, "..", "client")

/** A module without its types, and the modules that it imports. */
interface ClientModule {
  readonly code: string
  readonly imports: ReadonlyArray<string>
}

/** `words.ts` as a name in the code that imports it. */
const nameOf = (file: string): string => `_${file.replace(/\.ts$/, "").replaceAll("-", "_")}`

/** The names in braces, of which `a as b` is `a: b` where an object is taken apart. */
const taken = (names: string): string => names.replace(/\s+as\s+/g, ": ")

/**
 * Reads a module as a function of what it imports, which returns what it exports. The modules of `src/client` keep to
 * what this reads: named imports of their neighbors, and exports at the beginning of a declaration.
 */
const readModule = (file: string): ClientModule => {
  const imports: Array<string> = []
  const exports: Array<string> = []
  const body = stripTypeScriptTypes(readFileSync(path.join(folder, file), "utf8"), { mode: "strip" })
    .replace(
      /^import\s+(?:\{([^}]*)\}\s+from\s+)?"\.\/([\w-]+\.ts)"/gm,
      (_, names: string | undefined, from: string) => {
        imports.push(from)
        return names === undefined ? "" : `const {${taken(names)}} = ${nameOf(from)}`
      }
    )
    .replace(/^export \{\}$/gm, "")
    .replace(/^export (const|function|async function|class) (\w+)/gm, (_, kind: string, name: string) => {
      exports.push(name)
      return `${kind} ${name}`
    })
  const left = /^(?:import|export)\b.*/m.exec(body)?.[0]
  if (left !== undefined) throw new Error(`src/client/${file}: write "${left}" as a named import or a declaration`)
  return { code: `const ${nameOf(file)} = (() => {\n${body}\nreturn { ${exports.join(", ")} }\n})()`, imports }
}

/**
 * A module of `src/client` with everything that it imports, as one file: a browser asks once, and not for each as it
 * finds it. Each keeps a scope of its own. Fails if two import each other.
 */
export const bundled = (entry: string): string => {
  const pieces = new Map<string, string>()
  const add = (file: string, through: ReadonlyArray<string>): void => {
    if (pieces.has(file)) return
    if (through.includes(file)) throw new Error(`src/client: ${[...through, file].join(" imports ")}`)
    const { code, imports } = readModule(file)
    for (const next of imports) add(next, [...through, file])
    pieces.set(file, code)
  }
  add(`${entry}.ts`, [])
  return `${[...pieces.values()].join("\n")}\n`
}
