// Lists the modules that a process loads, on its standard output when it ends, behind a NUL.
import { writeSync } from "node:fs"
import { registerHooks } from "node:module"

const loaded = []
registerHooks({
  load(url, context, next) {
    loaded.push(url)
    return next(url, context)
  }
})
process.on("exit", () => writeSync(1, `\0${loaded.join("\n")}`))
