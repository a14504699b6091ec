import type { RecordShareRequest, ShareGrant } from "../../schema/sharing.ts"
import { get, post } from "./api.ts"
import { act, copy, one, say, toggle } from "./dom.ts"

/** A link that opens this meeting for somebody else. It is minted on request, because each works once. */
export const shareSheet = (): void => {
  const button = act("share")
  const sheet = one("#share-sheet")
  const field = one<HTMLInputElement>("#share-link")
  const meeting = one("#stage")?.dataset.meeting
  const address = sheet?.dataset.share
  if (button === undefined || sheet === undefined || field === undefined) return
  if (address === undefined || meeting === undefined) return
  const title = sheet.dataset.title ?? document.title

  const email = act<HTMLAnchorElement>("share-email")
  const sms = act<HTMLAnchorElement>("share-sms")
  const native = act("share-native")
  /** Shares are counted by channel; a failure to count is not worth an error message. */
  const count = (channel: RecordShareRequest["channel"]): void =>
    void post("/api/share/record", { meeting_id: meeting, channel })

  const mint = async (): Promise<void> => {
    field.value = ""
    const answer = await get<ShareGrant>(address)
    if (!answer.ok) {
      say(answer.why)
      return
    }
    const { url } = answer.value
    field.value = url
    if (email !== undefined) email.href = `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(url)}`
    if (sms !== undefined) sms.href = `sms:?&body=${encodeURIComponent(`${title} ${url}`)}`
    field.focus()
    field.select()
  }
  button.addEventListener("click", () => {
    toggle(sheet)
    if (!sheet.hidden) void mint()
  })
  act("share-link")?.addEventListener("click", async () => {
    if (await copy(field.value, "Copied the link.")) count("link")
  })
  email?.addEventListener("click", () => count("email"))
  sms?.addEventListener("click", () => count("sms"))
  if (native === undefined || !("share" in navigator)) return
  native.hidden = false
  native.addEventListener("click", async () => {
    try {
      await navigator.share({ title, url: field.value })
      count("native")
    } catch {
      // Closing the device's share sheet is a change of mind, not an error.
    }
  })
}
