import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Schema } from "effect"
import { programPath } from "../stand/needs.ts"
import type { Stand } from "../stand/stand.ts"
import { home, type World } from "./world.ts"

/** What came back: answers by status, and how many connections broke or were silent for 20 s. */
const Counted = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Finite))

/** How often each kind of path is asked for. */
const turns = 200

/** Public paths in about the proportions of an evening: meetings, lists, searches, pages. */
const pathsOf = (world: World): ReadonlyArray<string> => {
  const meetings = [...world.titles.keys()]
  return Array.from({ length: turns }, (_, turn) => {
    const id = (step: number) => meetings[(turn * 7 + step) % meetings.length] ?? ""
    const word = world.titles.get(id(0))?.last()?.split(" ").at(-1) ?? "council"
    return [
      `/api/meetings/${id(0)}`,
      `/api/meetings/browse?place_slug=${home}&page_size=${20 + (turn % 80)}&sort=${turn % 2 === 0 ? "newest" : "oldest"}`,
      `/api/meetings/${id(1)}`,
      `/api/meetings/browse?q=${word}`,
      `/api/meetings/${id(2)}`,
      `/in/${home}?page_size=${10 + (turn % 30)}`
    ]
  }).flat()
}

/**
 * So many readers without a session, each of whom asks again two seconds after an answer. `wrk` asks for them, which
 * needs a small part of a core, so that the nodes are what is full first. Answers are counted, not compared.
 */
export const throng = Effect.fnUntraced(function* (stand: Stand, world: World, readers: number, seconds: number) {
  const list = path.join(stand.folder, "throng.txt")
  fs.writeFileSync(list, pathsOf(world).join("\n"))
  const args = [
    ...["--threads", "1", "--connections", String(readers), "--duration", `${seconds}s`, "--timeout", "20s"],
    ...[
      "--script",
      path.join(import.meta.dirname, "throng.lua"),
      stand.base.replace("localhost", "127.0.0.1"),
      "--",
      list
    ]
  ]
  const said = yield* Effect.callback<string>((resume) => {
    const child = spawn("wrk", args, { env: { PATH: programPath }, stdio: ["ignore", "pipe", "pipe"] })
    let text = ""
    child.stdout.on("data", (part) => (text += String(part)))
    child.stderr.on("data", (part) => (text += String(part)))
    child.once("exit", () => resume(Effect.succeed(text)))
    return Effect.sync(() => child.kill("SIGKILL"))
  })
  const counts = /^counted (.*)$/m.exec(said)?.[1]
  if (counts === undefined) throw new Error(`wrk did not count:\n${said}`)
  return yield* Effect.orDie(Schema.decodeEffect(Counted)(counts))
})
