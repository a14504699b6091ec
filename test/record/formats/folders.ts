import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"

/** Makes temporary folders: `folderOf` writes files, lists as NDJSON, and `remove` removes them all. */
export const makeFolders = () => {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-test-"))
  const folderOf = (name: string, files: Readonly<Record<string, string | ReadonlyArray<unknown>>>): string => {
    const folder = path.join(scratch, name)
    for (const [file, content] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
      const text = typeof content === "string" ? content : content.map((line) => JSON.stringify(line)).join("\n")
      fs.writeFileSync(path.join(folder, file), text)
    }
    return folder
  }
  return { folderOf, remove: () => fs.rmSync(scratch, { recursive: true, force: true }) }
}
