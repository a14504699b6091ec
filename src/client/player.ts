import { act, all, copy, one } from "./dom.ts"
import { sourceFrame } from "./source-player.ts"
import { clock, lastBefore } from "./words.ts"

/** The recording. A meeting without one still has moments. */
export interface Player {
  readonly video: HTMLVideoElement | undefined
  /** The current position, in seconds. */
  readonly time: () => number
  /** Starts at a second when the page opens, without playing. */
  readonly open: (time: number) => void
  /** Seeks to a second, and puts it into the address. */
  readonly go: (time: number, play: boolean) => void
  /** Calls back when the time changes: with every frame during playback. */
  readonly onTime: (listener: (time: number) => void) => void
}

/** The address of this page, at a second if one is given, with the words to mark there. */
export const addressAt = (time?: number, q = ""): string => {
  const address = new URL(location.href)
  address.search = time === undefined ? "" : `?t=${Math.floor(time)}`
  if (q !== "") address.searchParams.set("q", q)
  address.hash = ""
  return address.href
}

export const playerOf = (): Player => {
  const video = one<HTMLVideoElement>(".player video")
  const listeners: Array<(time: number) => void> = []
  let [still, frame] = [0, 0]
  const time = (): number => video?.currentTime ?? still
  const tell = (): void => {
    for (const listener of listeners) listener(time())
  }
  const run = (): void => {
    tell()
    frame = video === undefined || video.paused ? 0 : requestAnimationFrame(run)
  }
  video?.addEventListener("play", () => {
    if (frame === 0) run()
  })
  for (const name of ["seeked", "pause", "timeupdate"]) video?.addEventListener(name, tell)

  const source = sourceFrame(time, (now) => {
    still = now
    tell()
  })
  const open = (to: number): void => {
    still = to
    if (video === undefined) {
      tell()
      return
    }
    const set = (): void => {
      video.currentTime = to
      tell()
    }
    if (video.readyState > 0) set()
    else video.addEventListener("loadedmetadata", set, { once: true })
  }
  const go = (to: number, play: boolean): void => {
    open(to)
    source.go(to)
    if (play) void video?.play().catch(() => undefined)
    // The words that are being looked for stay in the address; a copied link is without them.
    const q = new URLSearchParams(location.search).get("q")
    history.replaceState(null, "", addressAt(to, q ?? ""))
  }

  const chapters = all(".stage .chapters [data-from]")
  const starts = chapters.map((chapter) => Number(chapter.dataset.from))
  const clocks = all("[data-clock]")
  let [shown, current] = ["", -1]
  const onTime = (listener: (time: number) => void): void => void listeners.push(listener)
  onTime((now) => {
    const text = clock(now)
    if (text !== shown) for (const node of clocks) node.textContent = text
    shown = text
    const chapter = lastBefore(starts, now + 0.05)
    if (chapter === current) return
    chapters[current]?.removeAttribute("aria-current")
    chapters[chapter]?.setAttribute("aria-current", "true")
    current = chapter
  })
  act("link")?.addEventListener("click", () => {
    // Without a recording there is a moment only once one was chosen.
    void (video !== undefined || time() > 0
      ? copy(addressAt(time()), `Copied a link to ${clock(time())}.`)
      : copy(addressAt(), "Copied a link."))
  })
  return { video, time, open, go, onTime }
}
