import { readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { readEnvironment } from "../../../layers/config/config.ts"
import type { Variable } from "../../../layers/config/variable.ts"
import { endpoints, provider, variables } from "../../../layers/config/variables.ts"

describe("readEnvironment", () => {
  it.effect("treats an empty variable as one that is not set", () =>
    Effect.gen(function* () {
      const { port, allowPrivateSources, ffmpegPath, awsRegion, isProduction } = yield* readEnvironment({
        PORT: "",
        ALLOW_PRIVATE_SOURCES: "",
        FFMPEG_PATH: "",
        AWS_REGION: "",
        NODE_ENV: ""
      })
      assert.deepStrictEqual(
        { port, allowPrivateSources, ffmpegPath, awsRegion, isProduction },
        {
          port: 8787,
          allowPrivateSources: false,
          ffmpegPath: Option.none(),
          awsRegion: "us-east-1",
          isProduction: false
        }
      )
    })
  )

  it.effect("decodes the settings of the renderer, the media store and the log", () =>
    Effect.gen(function* () {
      const { ffmpegPath, ffprobePath, programPath, isProduction, ...aws } = yield* readEnvironment({
        FFMPEG_PATH: "/opt/ffmpeg",
        FFPROBE_PATH: "/opt/ffprobe",
        PATH: "/bin:/usr/bin",
        AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
        AWS_SECRET_ACCESS_KEY: "a secret",
        AWS_REGION: "eu-west-1",
        NODE_ENV: "production"
      })
      assert.deepStrictEqual(
        [...[ffmpegPath, ffprobePath, aws.awsAccessKeyId].map(Option.getOrUndefined), aws.awsRegion],
        ["/opt/ffmpeg", "/opt/ffprobe", "AKIDEXAMPLE", "eu-west-1"]
      )
      assert.deepStrictEqual([programPath, isProduction], ["/bin:/usr/bin", true])
      assert.notInclude(JSON.stringify(aws), "a secret")
    })
  )

  it.effect.each([
    ["1", true],
    ["0", false]
  ] as const)("reads ALLOW_PRIVATE_SOURCES=%s", ([written, allowed]) =>
    Effect.gen(function* () {
      const { allowPrivateSources } = yield* readEnvironment({ ALLOW_PRIVATE_SOURCES: written })
      assert.strictEqual(allowPrivateSources, allowed)
    })
  )

  it.effect.each([
    ["ALLOW_PRIVATE_SOURCES", "yes", "ALLOW_PRIVATE_SOURCES must be 0 or 1."],
    ["PORT", "80a", "PORT must be a port from 0 to 65535."],
    ["CONTACT_EMAIL", "the clerk", "CONTACT_EMAIL must be an e-mail address, such as record@example.gov."],
    ["HOST", "a b", "HOST must be a host name or address to listen on, such as 127.0.0.1."],
    ["OPERATOR_HOST", "x/y", "OPERATOR_HOST must be a host name or address to listen on, such as 127.0.0.1."]
  ] as const)("names %s where it is %s", ([setting, written, message]) =>
    Effect.gen(function* () {
      const invalid = yield* Effect.flip(readEnvironment({ [setting]: written }))
      assert.deepStrictEqual([invalid.setting, invalid.message], [setting, message])
    })
  )

  it.effect("takes one speech model, a file or an address", () =>
    Effect.gen(function* () {
      const file = { SPEECH_MODEL_FILE: "/models/ggml-small.en.bin" }
      const { speechFile, speechModel } = yield* readEnvironment({ ...file, SPEECH_MODEL_LANGUAGE: "es" })
      assert.deepStrictEqual(Option.getOrUndefined(speechFile), {
        path: "/models/ggml-small.en.bin",
        name: "ggml-small.en",
        language: "es"
      })
      assert.isTrue(Option.isNone(speechModel))
      const both = { ...file, SPEECH_MODEL_URL: "http://127.0.0.1:9/v1", SPEECH_MODEL_NAME: "m" }
      assert.strictEqual(
        (yield* Effect.flip(readEnvironment(both))).message,
        "SPEECH_MODEL_FILE and SPEECH_MODEL_URL must not both be set: each names a speech model."
      )
      assert.strictEqual(
        (yield* Effect.flip(readEnvironment({ ...file, SPEECH_MODEL_LANGUAGE: "English" }))).setting,
        "SPEECH_MODEL_LANGUAGE"
      )
    })
  )

  it.effect("links to an IPv6 address in brackets", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* readEnvironment({ HOST: "::1", PORT: "9000" })
      assert.strictEqual(baseUrl, "http://[::1]:9000")
    })
  )

  it.effect("names the issuer that a sign-in provider lacks", () =>
    Effect.gen(function* () {
      const invalid = yield* Effect.flip(readEnvironment({ OIDC_STATE_CLIENT_ID: "record" }))
      assert.strictEqual(invalid.setting, "OIDC_STATE_ISSUER")
    })
  )
})

describe("the variables", () => {
  const root = path.join(import.meta.dirname, "../../..")
  const all: ReadonlyArray<Variable<unknown>> = [
    ...Object.values<Variable<unknown>>(variables),
    ...Object.values(endpoints).flatMap((form) => Object.values<Variable<unknown>>(form)),
    ...Object.values<Variable<unknown>>(provider("<NAME>"))
  ]

  it("are in the README, each with its default and its effect", () => {
    const rows = readFileSync(path.join(root, "README.md"), "utf8")
      .split("\n")
      .filter((line) => /^\| `[A-Z_<>]+` /.test(line))
      .map((line) => line.split("|").map((cell) => cell.trim()))
    assert.deepStrictEqual(
      rows.map(([, name, otherwise, about]) => [name, otherwise, about]),
      all
        .filter(({ name }) => name !== "PATH" && name !== "NODE_ENV")
        .map(({ name, otherwise, about }) => [`\`${name}\``, otherwise, about])
    )
  })

  it.effect("are shown to operators: secrets as set or unset, a model's address without its path", () =>
    Effect.gen(function* () {
      const { shown } = yield* readEnvironment({
        CLOUD_MODEL_URL: "https://user:hidden@models.example.gov/v1?key=hidden",
        CLOUD_MODEL_NAME: "a-model",
        DATABASE_URL: "postgres://user:hidden@db.example.gov/record",
        OIDC_CITY_ISSUER: "https://id.example.gov",
        OIDC_CITY_CLIENT_ID: "record",
        OIDC_CITY_CLIENT_SECRET: "hidden"
      })
      const of = (wanted: string) => {
        const found = shown.find(({ name }) => name === wanted)
        return found && [found.isSet, found.isSecret, found.value]
      }
      assert.deepStrictEqual(of("CLOUD_MODEL_KEY"), [false, true, undefined])
      assert.deepStrictEqual(of("CLOUD_MODEL_URL"), [true, false, "https://models.example.gov"])
      assert.deepStrictEqual(of("DATABASE_URL"), [true, true, undefined])
      assert.deepStrictEqual(of("OIDC_CITY_CLIENT_SECRET"), [true, true, undefined])
      assert.deepStrictEqual(of("PORT"), [false, false, "8787"])
      assert.deepStrictEqual(of("OPERATOR_URL"), [false, false, undefined])
      assert.notInclude(JSON.stringify(shown), "hidden")
    })
  )
})
