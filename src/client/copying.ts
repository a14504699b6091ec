/** Buttons that copy a text of the page, named by its id in `data-copy`; without this module, it can be selected. */
import { all, copy } from "./dom.ts"

for (const button of all<HTMLButtonElement>("[data-copy]")) {
  const told = document.createElement("span")
  told.className = "told"
  told.role = "status"
  button.after(told)
  button.hidden = false
  button.addEventListener("click", () => {
    const source = document.getElementById(button.dataset.copy ?? "")
    const text = source instanceof HTMLInputElement ? source.value : (source?.textContent ?? "")
    void copy(text, "Copied", (news) => {
      told.textContent = news
    })
  })
}
