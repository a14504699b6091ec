import type { UserClip, UserClipList } from "../../schema/user-clip.ts"
import { get, post, remove } from "./api.ts"
import { copy, one, say } from "./dom.ts"
import { clock } from "./words.ts"

/** The reader's own clips of this meeting, as the page lists them. */
export interface OwnClips {
  readonly count: () => number
  /** Lists them now, and again for as long as one is being rendered. */
  readonly refresh: () => Promise<void>
}

/** Polling interval beside the stream, because a clip that failed is announced nowhere. */
const lookEvery = 15_000

const made = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...kids: ReadonlyArray<Node | string>
): HTMLElementTagNameMap[K] => {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...kids)
  return element
}

const lasting = (seconds: number): string => `${Math.round(seconds)}\u00a0sec`

/** One of the service's addresses, at the host by which this browser knows it. */
const here = (address: string): string => {
  const { pathname, search } = new URL(address, location.href)
  return pathname + search
}

/** Removes a clip at the second press; the first one asks for confirmation. */
const deleteButton = (clip: UserClip, name: string, removed: () => void): HTMLButtonElement => {
  const button = made("button", { type: "button", textContent: "Delete", ariaLabel: `Delete ${name}` })
  let isSure = false
  button.addEventListener("blur", () => {
    isSure = false
    button.textContent = "Delete"
  })
  button.addEventListener("click", async () => {
    if (!isSure) {
      isSure = true
      button.textContent = "Delete it and its link?"
      return
    }
    const answer = await remove(`/api/user-clips/${clip.id}`)
    say(answer.ok ? `Deleted ${name}.` : answer.why)
    removed()
  })
  return button
}

/** Copies the link of a clip; a share is counted. */
const copyButton = ({ slug, share_url }: UserClip, name: string): HTMLButtonElement => {
  const button = made("button", { type: "button", textContent: "Copy link", ariaLabel: `Copy link of ${name}` })
  button.addEventListener("click", async () => {
    if (await copy(share_url, `Copied the link of ${name}.`)) void post(`/api/user-clips/shared/${slug}/share`, {})
  })
  return button
}

/** A short link that says, to those who hear it by itself, which clip it is about. */
const shortLink = (href: string, text: string, name: string): HTMLAnchorElement =>
  made("a", { href, className: "save" }, text, made("span", { className: "unseen", textContent: ` ${name}` }))

const row = (clip: UserClip, changed: () => void): HTMLLIElement => {
  const { title, start, end, duration, state, share_url, download_url } = clip
  const name = title ?? `${clock(start)} to ${clock(end)}`
  const middle = made("span", {})
  if (state === "ready") {
    const sharing = shortLink(`${here(share_url)}#share`, "Share or embed", name)
    middle.append(made("a", { href: here(share_url), textContent: name }), " ", copyButton(clip, name), " ", sharing)
    if (download_url !== undefined) middle.append(" ", shortLink(here(download_url), "Download", name))
  } else if (state === "rendering") {
    middle.append(`${name} `, made("progress", { ariaLabel: `${name} is being made` }), " Being made")
  } else middle.append(`${name} `, made("em", { textContent: "Could not be made" }))
  middle.append(" ", deleteButton(clip, name, changed))
  return made(
    "li",
    {},
    made("span", { className: "num", textContent: clock(start) }),
    middle,
    " ",
    made("span", { className: "num", textContent: lasting(duration) })
  )
}

export const ownClipsOf = (): OwnClips | undefined => {
  const box = one("[data-own-clips]")
  const list = one("ul", box)
  const address = box?.dataset.list
  if (box === undefined || list === undefined || address === undefined) return undefined
  let clips: ReadonlyArray<UserClip> = []
  let stream: EventSource | undefined
  let timer = 0

  /** Listens only while a clip is being rendered. */
  const watch = (): void => {
    const isWaiting = clips.some(({ state }) => state === "rendering")
    clearTimeout(timer)
    if (!isWaiting) {
      stream?.close()
      stream = undefined
      return
    }
    timer = setTimeout(() => void refresh(), lookEvery)
    if (stream !== undefined) return
    stream = new EventSource(box.dataset.events ?? "")
    // Opening the stream also delivers events from before it was open.
    for (const event of ["open", "community_clip.ready"]) stream.addEventListener(event, () => void refresh())
  }
  const refresh = async (): Promise<void> => {
    const before = clips
    const answer = await get<UserClipList>(address)
    if (!answer.ok) {
      watch()
      return
    }
    clips = answer.value.clips
    // Unchanged elements stay in place, so that a focused button keeps its focus.
    if (JSON.stringify(clips) !== JSON.stringify(before))
      list.replaceChildren(...clips.map((clip) => row(clip, refresh)))
    const none = one("[data-none]", box)
    if (none !== undefined) none.hidden = clips.length > 0
    for (const { id, title, start, state } of clips) {
      if (state !== "rendering" && before.some((one) => one.id === id && one.state === "rendering")) {
        const name = title ?? `from ${clock(start)}`
        say(state === "ready" ? `Your clip “${name}” is ready.` : `Your clip “${name}” could not be made.`)
      }
    }
    watch()
  }
  void refresh()
  return { count: () => clips.length, refresh }
}
