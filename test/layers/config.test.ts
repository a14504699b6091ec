import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { readEnvironment } from "../../layers/config.ts"

describe("readEnvironment", () => {
  it.effect("takes an empty variable for one that is not set", () =>
    Effect.gen(function* () {
      const { port, allowPrivateSources, ffmpegPath, aws, isProduction } = yield* readEnvironment({
        PORT: "",
        ALLOW_PRIVATE_SOURCES: "",
        FFMPEG_PATH: "",
        AWS_REGION: "",
        NODE_ENV: ""
      })
      assert.deepStrictEqual(
        { port, allowPrivateSources, ffmpegPath, region: aws.region, isProduction },
        {
          port: 8787,
          allowPrivateSources: false,
          ffmpegPath: Option.none(),
          region: Option.none(),
          isProduction: false
        }
      )
    })
  )

  it.effect("decodes what the renderer, the media store and the log go by", () =>
    Effect.gen(function* () {
      const { ffmpegPath, ffprobePath, programPath, aws, isProduction } = yield* readEnvironment({
        FFMPEG_PATH: "/opt/ffmpeg",
        FFPROBE_PATH: "/opt/ffprobe",
        PATH: "/bin:/usr/bin",
        AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
        AWS_SECRET_ACCESS_KEY: "a secret",
        AWS_REGION: "eu-west-1",
        NODE_ENV: "production"
      })
      assert.deepStrictEqual([ffmpegPath, ffprobePath, aws.accessKeyId, aws.region].map(Option.getOrUndefined), [
        "/opt/ffmpeg",
        "/opt/ffprobe",
        "AKIDEXAMPLE",
        "eu-west-1"
      ])
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
    ["HOST", "a b", "HOST must be a host name or address to listen on, such as 127.0.0.1."],
    ["OPERATOR_HOST", "x/y", "OPERATOR_HOST must be a host name or address to listen on, such as 127.0.0.1."]
  ] as const)("names %s where it is %s", ([setting, written, message]) =>
    Effect.gen(function* () {
      const invalid = yield* Effect.flip(readEnvironment({ [setting]: written }))
      assert.deepStrictEqual([invalid.setting, invalid.message], [setting, message])
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
