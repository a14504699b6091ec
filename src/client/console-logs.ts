/**
 * Follows the log of the operators' console. It fetches newer lines from the page itself, so they look as the server
 * writes them.
 */

/** Polling interval, in milliseconds. */
const every = 2000
/** The most lines shown on the page. */
const most = 1000

const log = document.getElementById("log")
const button = document.getElementById("follow")
let timer: number | undefined

const newer = async (): Promise<void> => {
  if (log === null) return
  const address = new URL(location.href)
  address.searchParams.delete("before")
  address.searchParams.set("after", log.dataset.after ?? "0")
  const answer = await fetch(address)
  if (!answer.ok) return
  const page = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("log")
  if (page === null) return
  log.dataset.after = page.dataset.after ?? "0"
  const [found, shown] = [page.querySelector("ol"), log.querySelector("ol")]
  if (found === null) return
  if (shown === null) log.replaceChildren(document.importNode(found, true))
  else {
    for (const line of found.children) shown.append(document.importNode(line, true))
    while (shown.children.length > most) shown.firstElementChild?.remove()
  }
  log.lastElementChild?.lastElementChild?.scrollIntoView({ block: "nearest" })
}

const follow = async (): Promise<void> => {
  // The service may be back at the next poll.
  await newer().catch(() => {})
  timer = window.setTimeout(follow, every)
}

if (button !== null) {
  button.hidden = false
  button.addEventListener("click", () => {
    const follows = button.getAttribute("aria-pressed") !== "true"
    button.setAttribute("aria-pressed", String(follows))
    if (follows) void follow()
    else window.clearTimeout(timer)
  })
}
