/** Plays a clip on this page when its link is clicked; without this module, the link leads to the clip's own page. */
import { isPlain } from "./dom.ts"

interface SignedClip {
  readonly id?: string
  readonly slug?: string
  readonly url: string
}

/** The address is signed per visit, so it is requested when needed and never written into a page. */
const addressOf = async (clips: string, wanted: string): Promise<string | undefined> => {
  const answer = await fetch(clips, { headers: { accept: "application/json" } })
  if (!answer.ok) return undefined
  const { clips: found }: { readonly clips: ReadonlyArray<SignedClip> } = await answer.json()
  const url = found.find(({ id, slug }) => id === wanted || slug === wanted)?.url
  if (url === undefined) return undefined
  const { pathname, search } = new URL(url, location.href)
  return pathname + search
}

/** The video replaces the poster; in a list it appears below the link. */
const play = async (link: HTMLAnchorElement, clips: string, clip: string): Promise<void> => {
  const address = await addressOf(clips, clip).catch(() => undefined)
  if (address === undefined) {
    location.href = link.href
    return
  }
  const row = link.closest("li")
  const video = row?.querySelector("video") ?? document.createElement("video")
  video.className = "poster"
  video.controls = true
  video.playsInline = true
  video.setAttribute("controlslist", "nodownload")
  video.setAttribute("aria-label", document.getElementById("clip")?.textContent ?? link.textContent)
  video.src = address
  if (row === null) link.replaceWith(video)
  else row.append(video)
  video.focus()
  await video.play().catch(() => undefined)
}

for (const link of document.querySelectorAll<HTMLAnchorElement>("a[data-clip]")) {
  const { clip, clips } = link.dataset
  if (clip === undefined || clips === undefined) continue
  link.addEventListener("click", (event) => {
    if (!isPlain(event)) return
    event.preventDefault()
    void play(link, clips, clip)
  })
}
