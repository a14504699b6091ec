/** A poster that stands for a published clip plays it in its place; without this module it is a link to the clip's page. */
interface SignedClip {
  readonly id: string
  readonly url: string
}

/** The address is signed for this visit, so that it is asked for when it is wanted and never stands in a page. */
const addressOf = async (clips: string, id: string): Promise<string | undefined> => {
  const answer = await fetch(clips, { headers: { accept: "application/json" } })
  if (!answer.ok) return undefined
  const { clips: found }: { readonly clips: ReadonlyArray<SignedClip> } = await answer.json()
  const url = found.find((clip) => clip.id === id)?.url
  if (url === undefined) return undefined
  const { pathname, search } = new URL(url, location.href)
  return pathname + search
}

const play = async (poster: HTMLAnchorElement, clips: string, id: string): Promise<void> => {
  const address = await addressOf(clips, id).catch(() => undefined)
  if (address === undefined) {
    location.href = poster.href
    return
  }
  const video = document.createElement("video")
  video.className = "poster"
  video.controls = true
  video.playsInline = true
  video.setAttribute("controlslist", "nodownload")
  video.setAttribute("aria-label", document.getElementById("clip")?.textContent ?? "Clip")
  video.src = address
  poster.replaceWith(video)
  video.focus()
  await video.play().catch(() => undefined)
}

const isPlain = (event: MouseEvent): boolean =>
  !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0

for (const poster of document.querySelectorAll<HTMLAnchorElement>("a[data-clip]")) {
  const { clip, clips } = poster.dataset
  if (clip === undefined || clips === undefined) continue
  poster.addEventListener("click", (event) => {
    if (!isPlain(event)) return
    event.preventDefault()
    void play(poster, clips, clip)
  })
}
