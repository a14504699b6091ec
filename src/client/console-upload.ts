import { act, one, say } from "./dom.ts"

/**
 * Uploads a recording from a disk on the operators' console, piece by piece. The service says where the upload of a
 * file stands, so that one that was cut off, by the network, the service or a closed window, goes on from there.
 */

/** How long to wait before a piece is sent again, in milliseconds; the last one over and over. */
const pauses = [1000, 2000, 5000, 10_000, 30_000]

/** Where an upload stands, as the service tells. */
interface Standing {
  readonly id: string
  readonly meeting: string
  readonly received: number
  readonly bytes: number
  /** The bytes of the next piece; 0 at the end. */
  readonly next: number
}

/** The service refused something, and sending it again does not help. */
class Refused extends Error {}

const form = one<HTMLFormElement>("form[data-uploads]")
const bar = one<HTMLProgressElement>("#sent")
const stop = act("stop")
let stopping: AbortController | undefined

const asked = async (address: string, request: RequestInit): Promise<Standing> => {
  const answer = await fetch(address, { ...request, ...(stopping === undefined ? {} : { signal: stopping.signal }) })
  const body = await answer.json()
  // A proxy or a service that restarts answers so too.
  if (answer.status >= 500) throw new Error(String(body.message))
  if (!answer.ok) throw new Refused(`${body.message} ${body.hint}`)
  return body
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)

const show = ({ received, bytes }: Standing): void => {
  if (bar !== undefined) bar.value = received / bytes
  say(`${megabytes(received)} of ${megabytes(bytes)} MB have arrived.`)
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const begin = (uploads: string, file: File): Promise<Standing> =>
  asked(uploads, {
    method: "POST",
    body: new URLSearchParams({
      name: file.name,
      bytes: String(file.size),
      modified: String(file.lastModified)
    })
  })

/** Sends what is missing of a file. After a fault it asks where the upload stands, and goes on. */
const send = async (uploads: string, file: File): Promise<Standing> => {
  let faults = 0
  let at: Standing | undefined
  while (at === undefined || at.next > 0) {
    try {
      at ??= await begin(uploads, file)
      show(at)
      if (at.next > 0) {
        at = await asked(`/uploads/${at.id}`, {
          method: "PATCH",
          headers: { "content-type": "application/octet-stream", "upload-offset": String(at.received) },
          body: file.slice(at.received, at.received + at.next)
        })
        show(at)
      }
      faults = 0
    } catch (fault) {
      if (stopping?.signal.aborted === true) throw fault
      // Another window may have sent the piece: then the upload stands elsewhere than thought.
      if (fault instanceof Refused && at === undefined) throw fault
      if (fault instanceof Refused && faults > 0) throw fault
      at = undefined
      say("The connection broke off. It goes on in a moment.")
      await pause(pauses[Math.min(faults++, pauses.length - 1)] ?? 1000)
    }
  }
  return asked(`/uploads/${at.id}/finish`, { method: "POST" })
}

const warn = (event: Event): void => event.preventDefault()

const upload = async (uploads: string, file: File): Promise<void> => {
  stopping = new AbortController()
  const button = one<HTMLButtonElement>("button[type=submit]", form)
  const working = (isSo: boolean): void => {
    if (button !== undefined) button.disabled = isSo
    if (stop !== undefined) stop.hidden = !isSo
    if (bar !== undefined && isSo) bar.hidden = false
    if (isSo) window.addEventListener("beforeunload", warn)
    else window.removeEventListener("beforeunload", warn)
  }
  working(true)
  try {
    const { meeting } = await send(uploads, file)
    say(`${file.name} has arrived.`)
    working(false)
    location.assign(`/meetings/${meeting}`)
  } catch (fault) {
    working(false)
    const why = fault instanceof Refused ? fault.message : "It stopped."
    say(`${why} What has arrived is kept for a week: choose the same file again to go on.`)
  }
}

if (form !== undefined) {
  for (const element of form.querySelectorAll<HTMLElement>("[data-scripted], [data-plain]")) {
    element.hidden = "plain" in element.dataset
  }
  form.addEventListener("submit", (event) => {
    const [file] = one<HTMLInputElement>("#file", form)?.files ?? []
    const uploads = form.dataset.uploads
    if (file === undefined || uploads === undefined) return
    event.preventDefault()
    void upload(uploads, file)
  })
  stop?.addEventListener("click", () => stopping?.abort())
}
