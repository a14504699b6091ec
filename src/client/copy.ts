/** Buttons that copy an address; without this module, they are hidden. */
import { all, copy } from "./dom.ts"

for (const button of all<HTMLButtonElement>("[data-copy]")) {
  button.hidden = false
  button.addEventListener("click", () => void copy(button.dataset.copy ?? "", "Copied the address."))
}
