import { readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { parse } from "yaml"
import type { Variable } from "../layers/config/variable.ts"
import { endpoints, provider, variables } from "../layers/config/variables.ts"

const root = path.join(import.meta.dirname, "..")
const text = (file: string) => readFileSync(path.join(root, file), "utf8")

const Part = Schema.Struct({
  image: Schema.String,
  build: Schema.optionalKey(Schema.String),
  command: Schema.optionalKey(Schema.Array(Schema.String)),
  user: Schema.optionalKey(Schema.String),
  read_only: Schema.Literal(true),
  cap_drop: Schema.Tuple([Schema.Literal("ALL")]),
  cap_add: Schema.optionalKey(Schema.Never),
  privileged: Schema.optionalKey(Schema.Never),
  security_opt: Schema.Tuple([Schema.Literal("no-new-privileges:true")]),
  mem_limit: Schema.String.check(Schema.isPattern(/^\d+[mg]$/)),
  pids_limit: Schema.Int,
  restart: Schema.Literal("unless-stopped"),
  ports: Schema.optionalKey(Schema.Array(Schema.String)),
  env_file: Schema.optionalKey(Schema.Array(Schema.Struct({ path: Schema.String }))),
  environment: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
})
const Compose = Schema.Struct({
  services: Schema.Record(Schema.String, Part),
  networks: Schema.Struct({
    default: Schema.Struct({
      ipam: Schema.Struct({
        config: Schema.Tuple([Schema.Struct({ subnet: Schema.String, gateway: Schema.String })])
      })
    })
  })
})

const compose = Schema.decodeUnknownSync(Compose)(parse(text("docker-compose.yml"), { merge: true }))
const parts = Object.entries(compose.services)

/** The names of the parts that receive a variable of .env. */
const givenTo = (variable: string) =>
  parts.filter(([, part]) => JSON.stringify(part).includes(`\${${variable}`)).map(([name]) => name)

describe("docker-compose.yml", () => {
  it("confines every part: no capability, a read-only root, bounds on memory and processes", () => {
    // Decoding has checked each part already; this checks that none is missing.
    assert.deepStrictEqual(Object.keys(compose.services).sort(), [
      "collector",
      "postgres",
      "redis",
      "service",
      "store",
      "worker"
    ])
    for (const [name, { pids_limit }] of parts) assert.isAtMost(pids_limit, 512, name)
  })

  it("gives secrets only to the parts that use them", () => {
    assert.deepStrictEqual(
      Object.fromEntries(
        [
          "POSTGRES_PASSWORD",
          "REDIS_PASSWORD",
          "SIGNING_KEYS",
          "STORE_ACCESS_KEY",
          "STORE_SECRET_KEY",
          "STORE_RPC_SECRET"
        ].map((name) => [name, givenTo(name)])
      ),
      {
        POSTGRES_PASSWORD: ["service", "worker", "postgres"],
        REDIS_PASSWORD: ["service", "redis"],
        SIGNING_KEYS: ["service"],
        STORE_ACCESS_KEY: ["service", "worker", "store"],
        STORE_SECRET_KEY: ["service", "worker", "store"],
        STORE_RPC_SECRET: ["store"]
      }
    )
    const files = parts.flatMap(([name, { env_file = [] }]) => env_file.map((file) => `${name}: ${file.path}`))
    assert.deepStrictEqual(files, ["service: service.env"])
    // Each is required, and has no default.
    const example = text("docker/env.example")
    for (const [, name] of text("docker-compose.yml").matchAll(/\$\{(\w+):\?/g))
      assert.match(example, RegExp(`^${name}=$`, "m"))
  })

  it("and its example set only variables that the service decodes", () => {
    const known = [variables, ...Object.values(endpoints), provider("CITY")].flatMap((forms) =>
      Object.values<Variable<unknown>>(forms).map(({ name }) => name)
    )
    const { service, worker } = compose.services
    const example = [...text("docker/service.env.example").matchAll(/^# ([A-Z_]+)=/gm)].map(([, name = ""]) => name)
    assert.isAbove(example.length, 5)
    assert.deepStrictEqual(
      [...example, ...Object.keys({ ...service?.environment, ...worker?.environment })].filter(
        (name) => !known.includes(name)
      ),
      []
    )
  })

  it("opens ports on loopback alone, and Redis only to those with its password", () => {
    const open = parts.flatMap(([, { ports = [] }]) => ports)
    assert.deepStrictEqual(open, ["127.0.0.1:8787:8787", "127.0.0.1:8789:8789"])
    assert.match(compose.services.redis?.command?.join(" ") ?? "", /requirepass \$\$REDISCLI_AUTH\n/)
    assert.match(compose.services.service?.environment?.REDIS_URL ?? "", /^redis:\/\/:\$\{REDIS_PASSWORD:\?/)
  })

  it("trusts the proxy behind the gateway, so that readers do not share one limit", () => {
    const [{ subnet, gateway }] = compose.networks.default.ipam.config
    assert.strictEqual(compose.services.service?.environment?.TRUSTED_PROXIES, `\${TRUSTED_PROXIES:-${gateway}}`)
    assert.strictEqual(subnet.split(".").slice(0, 3).join("."), gateway.split(".").slice(0, 3).join("."))
  })

  it("and the images that it builds pin the images they come from exactly", () => {
    const from = [text("Dockerfile"), text("docker/collector/Dockerfile")].flatMap((file) =>
      [...file.matchAll(/^FROM (\S+)/gm)].map(([, image = ""]) => image)
    )
    const pulled = parts.filter(([, { build }]) => build === undefined).map(([, { image }]) => image)
    assert.isAbove(from.length, 3)
    for (const image of [...from, ...pulled]) assert.match(image, /:v?\d+\.\d+(\.\d+)?(-[a-z-]+)?$/, image)
    assert.match(text("Dockerfile"), /apt-get install .*\bffmpeg\b/)
    assert.match(text("Dockerfile"), /^USER node$/m)
  })
})
