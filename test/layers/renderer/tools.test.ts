import * as path from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { Environment, readEnvironment } from "../../../layers/config/config.ts"
import { aboutFfmpeg, describeFfmpeg, findTools } from "../../../layers/renderer/tools.ts"

const debian = "ffmpeg version 5.1.6-0+deb12u1 Copyright (c) 2000-2024 the FFmpeg developers\nbuilt with gcc 12\n"
const shipped =
  "ffmpeg version N-47683-g0e8eb07980-static https://johnvansickle.com/ffmpeg/  Copyright (c) 2000-2018 the FFmpeg developers\n"

const tools = { ffmpeg: "/usr/bin/ffmpeg", ffprobe: "/usr/bin/ffprobe", through: () => [] }

describe("the chosen ffmpeg", () => {
  it("is reported with its version, its year and its origin", () => {
    assert.deepStrictEqual(describeFfmpeg({ ...tools, origin: "system" }, debian, 2026), {
      state: "fine",
      text: "ffmpeg 5.1.6-0+deb12u1, of 2024, is used (system: /usr/bin/ffmpeg)"
    })
    assert.deepStrictEqual(describeFfmpeg({ ...tools, origin: "npm" }, shipped, 2026), {
      state: "old",
      text: "ffmpeg N-47683-g0e8eb07980-static, of 2018, is used (npm: /usr/bin/ffmpeg); it is 8 years old: install a newer ffmpeg, or name one in FFMPEG_PATH"
    })
    assert.deepStrictEqual(describeFfmpeg({ ...tools, origin: "FFMPEG_PATH" }, "", 2026), {
      state: "fine",
      text: "ffmpeg of an unknown version is used (FFMPEG_PATH: /usr/bin/ffmpeg)"
    })
  })
})

/** A folder with programs that print the given text, whatever their arguments. */
const programs = Effect.fnUntraced(function* (text: string) {
  const files = yield* FileSystem.FileSystem
  const folder = yield* files.makeTempDirectoryScoped()
  for (const name of ["ffmpeg", "ffprobe"]) {
    yield* files.writeFileString(path.join(folder, name), `#!/bin/sh\ncat <<'END'\n${text}END\n`, { mode: 0o755 })
  }
  return folder
})

layer(NodeServices.layer)("the search for ffmpeg", (it) => {
  it.effect("looks in FFMPEG_PATH, then on the system, then in the npm package", () =>
    Effect.gen(function* () {
      const able = yield* programs(`${debian}drawtext libx264 aac\n`)
      const unable = yield* programs(shipped)
      const aboutIn = (env: NodeJS.ProcessEnv) =>
        Effect.provideServiceEffect(aboutFfmpeg, Environment, readEnvironment(env))
      const system = yield* aboutIn({ PATH: able })
      assert.include(system.text, `of 2024, is used (system: ${path.join(able, "ffmpeg")})`)
      const named = yield* aboutIn({ PATH: able, FFMPEG_PATH: path.join(unable, "ffmpeg") })
      assert.include(named.text, `is used (FFMPEG_PATH: ${path.join(unable, "ffmpeg")})`)
      const found = yield* findTools({ ffmpeg: undefined, ffprobe: undefined, programPath: unable }, () =>
        Effect.succeed("no filters")
      )
      assert.propertyVal(found, "origin", "npm")
    })
  )
})
