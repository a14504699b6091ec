#!/usr/bin/env node
import { enableCompileCache, registerHooks } from "node:module"
import { availableParallelism } from "node:os"
import * as path from "node:path"
import { setFlagsFromString } from "node:v8"

// V8 makes objects of a kind that lived long at first, such as a scope's finalizers while layers are built, among the
// old ones from then on. A request's are dead in milliseconds, but keep all that they point to, a third of what a
// request makes, until the whole heap is collected.
setFlagsFromString("--no-allocation-site-pretenuring")
// However many cores there are, four threads mark the heap beside the one that answers. It keeps a core.
setFlagsFromString(`--concurrent-marking-max-worker-num=${Math.max(1, availableParallelism() - 1)}`)
// Left to itself, V8 lets the heap of a busy service grow to four times what lives in it before it collects it whole:
// memory that a container has to have, and that is given back only at rest. Twice is enough.
setFlagsFromString("--heap-growing-percent=100")
// V8 collects the whole heap, which slows five searches in a row, once 64 MB have been made outside of it, where
// responses and what the database sends are. With this they count like the heap.
setFlagsFromString("--external-memory-accounted-in-global-limit")
// Compiled code is kept from one start to the next. The folder belongs to the installation, because what can write
// there can run as us. Where it cannot be written, a start only takes longer.
enableCompileCache(path.join(import.meta.dirname, "../node_modules/.cache/civic-record"))
// A relative import names its file. Node would look along the path of each of thousands for links and folders, which is
// a quarter of the work of a start.
registerHooks({
  resolve: (specifier, context, next) =>
    /^\.\.?\/.*\.[jt]s$/.test(specifier) && context.parentURL !== undefined && context.conditions.includes("import")
      ? { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
      : next(specifier, context)
})
// Only what is imported from here on is cached, and found by the hook.
const { run } = await import("./cli.ts")
run()
