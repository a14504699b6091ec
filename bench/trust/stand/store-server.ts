/**
 * The media store of the stand: a small S3 whose objects are files, so that they outlive it, behind a listener that
 * refuses what is not signed with a key it knows. Its arguments are a port, a folder, and a file with the keys.
 */
import * as fs from "node:fs"
import { startFauxqs } from "fauxqs"
import { signedDoor } from "../../../test/support/signed-requests.ts"

const [port = "0", folder = ".", keys = ""] = process.argv.slice(2)
const server = await startFauxqs({ port: 0, host: "127.0.0.1", logger: false, s3StorageDir: folder })

const secretOf = (id: string) =>
  (JSON.parse(fs.readFileSync(keys, "utf8")) as ReadonlyArray<{ id: string; secret: string }>).find(
    (key) => key.id === id
  )?.secret

signedDoor(server.port, secretOf).listen(Number(port), "127.0.0.1")
process.on("SIGTERM", () => server.stop().then(() => process.exit(0)))
