/**
 * Buttons that copy an address (`data-copy`), or copy or send a text of the page, named by its id in `data-copy-of` or
 * `data-send`; without this module, they are hidden. `data-counts` is the operation that counts it as a share.
 */
import { post } from "./api.ts"
import { all, copy } from "./dom.ts"

const textOf = (id = ""): string => {
  const source = document.getElementById(id)
  return source instanceof HTMLInputElement ? source.value : (source?.textContent ?? "")
}

const counted = ({ dataset: { counts } }: HTMLElement): void => {
  if (counts !== undefined) void post(counts, {})
}

for (const button of all<HTMLButtonElement>("[data-copy]")) {
  button.hidden = false
  button.addEventListener("click", () => void copy(button.dataset.copy ?? "", "Copied the address."))
}

for (const button of all<HTMLButtonElement>("[data-copy-of]")) {
  const told = document.createElement("span")
  told.className = "told"
  told.role = "status"
  button.after(told)
  button.hidden = false
  button.addEventListener("click", async () => {
    const isCopied = await copy(textOf(button.dataset.copyOf), "Copied", (news) => {
      told.textContent = news
    })
    if (isCopied) counted(button)
  })
}

if ("share" in navigator) {
  for (const button of all<HTMLButtonElement>("[data-send]")) {
    button.hidden = false
    button.addEventListener("click", async () => {
      try {
        await navigator.share({ title: button.dataset.title ?? document.title, url: textOf(button.dataset.send) })
        counted(button)
      } catch {
        // Closing the device's share sheet is a change of mind, not an error.
      }
    })
  }
}
