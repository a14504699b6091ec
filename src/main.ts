#!/usr/bin/env node
import { enableCompileCache } from "node:module"
import * as path from "node:path"

// Compiled code is kept from one start to the next. The folder belongs to the installation, because what can write there
// can run as us. Where it cannot be written, a start only takes longer.
enableCompileCache(path.join(import.meta.dirname, "../node_modules/.cache/civic-record"))
// Only what is imported from here on is cached.
const { run } = await import("./cli.ts")
run()
