import type { RecordShareRequest, ShareGrant } from "../../schema/sharing.ts"
import { get, post } from "./api.ts"
import { act, copy, one, say, toggle } from "./dom.ts"
import { addressAt, type Player } from "./player.ts"

/** Where a link opens the meeting: its second, and the words to mark there. */
interface Moment {
  readonly t: number
  readonly q?: string
}

type ToShare =
  | {
      readonly ok: true
      readonly url: string
      /** Shares are counted by channel; a failure to count is not worth an error message. */
      readonly count: (channel: RecordShareRequest["channel"]) => void
    }
  | { readonly ok: false; readonly why: string }

/**
 * A link for somebody else, which opens the meeting at a moment. A reader's is minted on request, because each works
 * once; without an account it is the page's own address.
 */
export const linkToShare = async ({ t, q }: Moment): Promise<ToShare> => {
  const address = one("#share-sheet")?.dataset.share
  const meeting = one("#stage")?.dataset.meeting
  const plain = new URL(addressAt(t >= 1 ? t : undefined, q))
  if (address === undefined || meeting === undefined) return { ok: true, url: plain.href, count: () => {} }
  const answer = await get<ShareGrant>(address)
  if (!answer.ok) return answer
  const url = new URL(answer.value.url)
  for (const [name, value] of plain.searchParams) url.searchParams.set(name, value)
  const count = (channel: RecordShareRequest["channel"]): void =>
    void post("/api/share/record", { meeting_id: meeting, channel })
  return { ok: true, url: url.href, count }
}

/** A link that opens this meeting for somebody else, at the moment where the reader is, and ways to send it. */
export const shareSheet = (player: Player): void => {
  const button = act("share")
  const sheet = one("#share-sheet")
  const field = one<HTMLInputElement>("#share-link")
  if (button === undefined || sheet === undefined || field === undefined) return
  const title = sheet.dataset.title ?? document.title

  const email = act<HTMLAnchorElement>("share-email")
  const sms = act<HTMLAnchorElement>("share-sms")
  const native = act("share-native")
  let count: (channel: RecordShareRequest["channel"]) => void = () => {}

  const mint = async (): Promise<void> => {
    field.value = ""
    const q = new URLSearchParams(location.search).get("q")
    const shared = await linkToShare({ t: player.time(), ...(q === null ? {} : { q }) })
    if (!shared.ok) {
      say(shared.why)
      return
    }
    const { url } = shared
    count = shared.count
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
