/** A clip that is being made becomes ready on the page by itself; without this module it does at the next reload. */
const everySeconds = 4

const rendering = () => [...document.querySelectorAll<HTMLElement>('li[data-state="rendering"]')]

/** Puts in place what has changed since the page was loaded, as the server shows it now, and says so. */
const look = async (): Promise<void> => {
  const answer = await fetch(location.pathname, { headers: { accept: "text/html" } })
  if (!answer.ok) return
  const now = new DOMParser().parseFromString(await answer.text(), "text/html")
  for (const item of rendering()) {
    const found = now.getElementById(item.id)
    if (found === null || found.dataset.state === "rendering") continue
    const news = document.getElementById("clips-news")
    if (news !== null) {
      const name = found.querySelector("h1, h2, h3")?.textContent ?? "A clip"
      news.textContent = `${name}: ${found.querySelector(".state")?.textContent ?? ""}`
    }
    item.replaceWith(document.importNode(found, true))
  }
}

const wait = (): void => {
  if (rendering().length === 0) return
  setTimeout(
    () =>
      void look()
        .catch(() => undefined)
        .finally(wait),
    everySeconds * 1000
  )
}

wait()
