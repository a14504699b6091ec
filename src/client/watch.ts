/** Plays a clip on this page when its link is clicked; without this module, the link leads to the clip's own page. */
import { isPlain } from "./dom.ts"

interface SignedClip {
  readonly id?: string
  readonly slug?: string
  readonly url: string
  readonly captions_url?: string
}

/** One of the service's addresses, at the host by which this browser knows it. */
const here = (url: string): string => {
  const { pathname, search } = new URL(url, location.href)
  return pathname + search
}

/** The address is signed per visit, so it is requested when needed and never written into a page. */
const signed = async (clips: string, wanted: string): Promise<SignedClip | undefined> => {
  const answer = await fetch(clips, { headers: { accept: "application/json" } })
  if (!answer.ok) return undefined
  const { clips: found }: { readonly clips: ReadonlyArray<SignedClip> } = await answer.json()
  return found.find(({ id, slug }) => id === wanted || slug === wanted)
}

/** The video replaces the poster; in a list it appears below the link. */
const play = async (link: HTMLAnchorElement, clips: string, clip: string): Promise<void> => {
  const found = await signed(clips, clip).catch(() => undefined)
  if (found === undefined) {
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
  video.src = here(found.url)
  if (found.captions_url !== undefined && video.querySelector("track") === null) {
    const track = Object.assign(document.createElement("track"), { kind: "captions", label: "Captions" })
    track.src = here(found.captions_url)
    video.append(track)
  }
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
