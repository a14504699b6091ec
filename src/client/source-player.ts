import { one } from "./dom.ts"

/** The player of the source, in a frame that is there only once the reader asked for it. */
export interface SourceFrame {
  /** Plays from a second on, if the frame is shown. */
  readonly go: (time: number) => void
}

/** What YouTube's player tells, as JSON, once it has been told that somebody listens. */
const timeIn = (data: unknown): number | undefined => {
  if (typeof data !== "string" || !data.startsWith("{")) return undefined
  try {
    const said: unknown = JSON.parse(data)
    if (typeof said !== "object" || said === null || !("info" in said)) return undefined
    const { info } = said
    if (typeof info !== "object" || info === null || !("currentTime" in info)) return undefined
    return typeof info.currentTime === "number" ? info.currentTime : undefined
  } catch {
    return undefined
  }
}

/**
 * Shows the source's own player after a click. `tell` hears the time from a player that says it (YouTube); with others,
 * it is told only where they were started.
 */
export const sourceFrame = (time: () => number, tell: (time: number) => void): SourceFrame => {
  const box = one("[data-embed]")
  const address = box?.dataset.embed
  const button = box?.querySelector("button")
  if (box === undefined || address === undefined || !button) return { go: () => {} }
  const { origin, hostname } = new URL(address)
  const speaks = hostname.endsWith("youtube-nocookie.com")
  let frame: HTMLIFrameElement | undefined
  const addressOf = (second: number): string => {
    const url = new URL(address + Math.floor(second))
    if (speaks) {
      url.searchParams.set("enablejsapi", "1")
      url.searchParams.set("origin", location.origin)
    }
    return url.href
  }
  const say = (message: object): void => frame?.contentWindow?.postMessage(JSON.stringify(message), origin)

  button.hidden = false
  button.addEventListener("click", () => {
    frame = document.createElement("iframe")
    frame.title = button.dataset.title ?? ""
    frame.allow = "autoplay; fullscreen; picture-in-picture"
    frame.src = addressOf(time())
    frame.addEventListener("load", () => speaks && say({ event: "listening", id: "source", channel: "widget" }))
    box.classList.add("shown")
    button.replaceWith(frame)
    frame.focus()
  })
  addEventListener("message", ({ origin: from, source, data }) => {
    if (frame === undefined || from !== origin || source !== frame.contentWindow) return
    const now = timeIn(data)
    if (now !== undefined) tell(now)
  })
  return {
    go: (second) => {
      if (frame === undefined) return
      if (speaks) say({ event: "command", func: "seekTo", args: [second, true] })
      // An address that differs only behind `#` would not load again.
      else frame.contentWindow?.location.replace(addressOf(second))
    }
  }
}
