import { execFile, execFileSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { promisify } from "node:util"
import { Effect } from "effect"
import { freePort } from "./free-port.ts"
import { bucketSettings, makeBucket, started } from "./s3.ts"

const programs = ["ceph", "ceph-authtool", "ceph-mon", "ceph-osd", "monmaptool", "radosgw", "radosgw-admin"]

/** Whether Debian's Ceph and its gateway are installed: another full S3, which checks signatures. */
export const hasRadosgw = programs.every((program) => fs.existsSync(path.join("/usr/bin", program)))
if (!hasRadosgw) console.warn("ObjectStore in Ceph: skipped, because its packages are not installed")

const run = promisify(execFile)

/** A Ceph of one monitor and one disk, which is a file, behind its gateway; in one folder, on its own ports. */
export const startRadosgw = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "ceph-"))),
    (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
  )
  const [monitor, port] = [yield* freePort, yield* freePort]
  const [cluster, disk] = [randomUUID(), randomUUID()]
  const at = (name: string) => path.join(folder, name)
  const settings = bucketSettings(port)
  fs.writeFileSync(
    at("ceph.conf"),
    `[global]
fsid = ${cluster}
mon host = [v2:127.0.0.1:${monitor}]
mon initial members = a
public network = 127.0.0.0/8
keyring = ${at("keyring")}
run dir = ${folder}
log file = ${at("$name.log")}
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
mon allow pool size one = true
osd crush chooseleaf type = 0
osd objectstore = bluestore
bluestore block size = ${2 ** 31}
rgw frontends = beast endpoint=127.0.0.1:${port}
`
  )
  const config = ["-c", at("ceph.conf")]
  const keys = (file: string, args: ReadonlyArray<string>) => execFileSync("ceph-authtool", [at(file), ...args])
  const mayAll = ["mon", "osd", "mgr"].flatMap((part) => ["--cap", part, "allow *"])
  keys("monitor", ["--create-keyring", "--gen-key", "-n", "mon.", "--cap", "mon", "allow *"])
  keys("keyring", ["--create-keyring", "--gen-key", "-n", "client.admin", ...mayAll])
  keys("monitor", ["--import-keyring", at("keyring")])
  execFileSync("monmaptool", ["--create", "--addv", "a", `[v2:127.0.0.1:${monitor}]`, "--fsid", cluster, at("map")])
  const mon = [...config, "-i", "a", "--mon-data", at("mon")]
  execFileSync("ceph-mon", [...mon, "--mkfs", "--monmap", at("map"), "--keyring", at("monitor")], { stdio: "ignore" })
  yield* started("ceph-mon", [...mon, "-f"])
  const ceph = (...args: ReadonlyArray<string>) => Effect.promise(() => run("ceph", [...config, ...args]))
  yield* ceph("osd", "new", disk)
  const { stdout: key } = yield* ceph(
    ...["auth", "get-or-create", "osd.0", "mon", "allow profile osd", "osd", "allow *"]
  )
  fs.appendFileSync(at("keyring"), key)
  const osd = [...config, "-i", "0", "--osd-data", at("osd")]
  fs.mkdirSync(at("osd"))
  yield* Effect.promise(() => run("ceph-osd", [...osd, "--osd-uuid", disk, "--mkfs"]))
  yield* started("ceph-osd", [...osd, "-f"])
  yield* Effect.promise(() =>
    run("radosgw-admin", [
      ...[...config, "user", "create", "--uid=test", "--display-name=test"],
      ...[`--access-key=${settings.accessKeyId}`, "--secret-key=testing"]
    ])
  )
  yield* started("radosgw", [...config, "-n", "client.admin", "--rgw-data", at("gateway"), "-f"])
  return yield* makeBucket(settings)
})
