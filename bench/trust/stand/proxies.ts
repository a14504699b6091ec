import * as fs from "node:fs"
import * as path from "node:path"
import { programPath, root } from "./needs.ts"
import { listens } from "./ports.ts"
import { program, spawned } from "./program.ts"

/** The files that operators are given, and that the stand runs. */
export const operations = path.join(root, "docs/operations")

/** HAProxy with one of the configurations of docs/operations, which read what differs from their environment. */
export const haproxy = (
  name: string,
  file: "haproxy.cfg" | "haproxy-postgres.cfg",
  logs: string,
  port: number,
  env: Readonly<Record<string, string>>
) =>
  program({
    name,
    logs,
    spawn: (log) =>
      spawned("haproxy", ["-W", "-db", "-f", path.join(operations, file)], { PATH: programPath, ...env }, log),
    isReady: listens(port)
  })

/** HAProxy before nodes, given the port of each and that of its check. `certificate` is a file that it can read. */
export const readersProxy = (
  logs: string,
  port: number,
  certificate: string,
  nodes: ReadonlyArray<{ readonly port: number; readonly check: number }>
) =>
  haproxy("proxy", "haproxy.cfg", logs, port, {
    HTTPS_BIND: `127.0.0.1:${port}`,
    CERTIFICATE: certificate,
    UNAVAILABLE: path.join(operations, "haproxy-503.http"),
    ...Object.fromEntries(
      nodes.flatMap((node, at) => [
        [`NODE_${at + 1}`, `127.0.0.1:${node.port}`],
        [`CHECK_${at + 1}`, String(node.check)]
      ])
    )
  })

/** A file of docs/operations with the names in `${}` filled in. Throws for a name that is not given. */
export const filled = (file: string, values: Readonly<Record<string, string>>): string =>
  fs.readFileSync(path.join(operations, file), "utf8").replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${file} wants a value for ${name}`)
    return value
  })
