/** Updates the page when a clip becomes ready; without this module, the next reload does. */
import "./copying.ts"

const everySeconds = 4

const rendering = () => [...document.querySelectorAll<HTMLElement>('li[data-state="rendering"]')]

/** Replaces the parts that changed since the page was loaded, and announces it. */
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
