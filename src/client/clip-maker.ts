import type { AutoUserClip, UserClip } from "../../schema/user-clip.ts"
import { post } from "./api.ts"
import { act, one, say, toggle } from "./dom.ts"
import type { OwnClips } from "./own-clips.ts"
import type { Player } from "./player.ts"
import type { Span } from "./selection.ts"
import { clock } from "./words.ts"

/** The shortest clip, in seconds. */
const shortest = 1

/**
 * Cuts a clip from a span marked during playback, from a suggestion, or from selected words: what it returns opens the
 * form with their span.
 */
export const clipMaker = (player: Player, own: OwnClips): ((chosen: Span) => void) | undefined => {
  const panel = one("#clip-maker")
  const stage = one("#stage")
  const form = one<HTMLFormElement>("form", panel)
  const title = one<HTMLInputElement>("#clip-title")
  const submit = one<HTMLButtonElement>('button[type="submit"]', panel)
  if (panel === undefined || stage === undefined || form === undefined) return undefined
  const { meeting = "", duration, longest, most } = stage.dataset
  const [whole, limit, many] = [Number(duration), Number(longest), Number(most)]
  let start: number | undefined
  let end: number | undefined
  let stopAt = Number.POSITIVE_INFINITY

  const tell = (selector: string, text: string): void => {
    const line = one(selector, panel)
    if (line !== undefined && line.textContent !== text) line.textContent = text
  }
  /** Why the span cannot be a clip; empty if it can. */
  const trouble = (): string => {
    if (own.count() >= many) return `You have ${many} clips of this meeting, which is the limit. Delete one first.`
    if (start === undefined || end === undefined) return ""
    if (end - start > limit) return `${Math.round(end - start)} seconds is too long: a clip lasts at most ${limit}.`
    return end - start < shortest ? `The end must be at least ${shortest} second after the start.` : ""
  }
  const show = (): void => {
    const from = start === undefined ? "…" : clock(start)
    const to = end === undefined ? "…" : clock(end)
    const length = start === undefined || end === undefined ? "" : `, ${(end - start).toFixed(1)} sec`
    if (start !== undefined || end !== undefined) tell("[data-span]", `${from} to ${to}${length}`)
    const why = trouble()
    tell("[data-why]", why)
    if (submit !== undefined) submit.disabled = why !== "" || start === undefined || end === undefined
  }
  const open = (isOpen: boolean): void => {
    toggle(panel, isOpen)
    if (isOpen) show()
  }

  act("clip")?.addEventListener("click", () => {
    open(panel.hidden === true)
    if (!panel.hidden) act("clip-start")?.focus()
  })
  act("clip-close")?.addEventListener("click", () => {
    open(false)
    act("clip")?.focus()
  })
  act("clip-start")?.addEventListener("click", () => {
    start = player.time()
    show()
  })
  act("clip-end")?.addEventListener("click", () => {
    end = player.time()
    show()
  })
  act("clip-hear")?.addEventListener("click", () => {
    player.go(start ?? 0, true)
    stopAt = end ?? Number.POSITIVE_INFINITY
  })
  player.onTime((time) => {
    if (time < stopAt) return
    stopAt = Number.POSITIVE_INFINITY
    player.video?.pause()
  })
  act("clip-auto")?.addEventListener("click", async () => {
    tell("[data-why]", "")
    tell("[data-span]", "Looking for where the discussion starts and ends…")
    const answer = await post<AutoUserClip>("/api/user-clips/auto", {
      meeting_id: meeting,
      start: start ?? player.time()
    })
    if (!answer.ok) {
      tell("[data-span]", "Mark the start and the end while it plays, or select words in the transcript.")
      show()
      tell("[data-why]", answer.why)
      return
    }
    start = answer.value.start
    end = answer.value.end
    if (title !== undefined && title.value === "") title.value = answer.value.title ?? ""
    show()
  })
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    if (start === undefined || end === undefined || submit === undefined) return
    submit.disabled = true
    const name = title?.value.trim() ?? ""
    const answer = await post<UserClip>("/api/user-clips", {
      meeting_id: meeting,
      start,
      end,
      ...(name === "" ? {} : { title: name })
    })
    if (!answer.ok) {
      show()
      tell("[data-why]", answer.why)
      return
    }
    start = undefined
    end = undefined
    form.reset()
    getSelection()?.removeAllRanges()
    open(false)
    say("Your clip is being made. It is listed under Clips.")
    await own.refresh()
    one("[data-own-clips]")?.scrollIntoView({ block: "nearest", behavior: "instant" })
  })
  return (chosen) => {
    start = chosen.start
    // A few quick words may take less than the shortest clip.
    end = Math.min(Math.max(chosen.end, chosen.start + shortest), whole)
    open(true)
    act("clip-start")?.focus()
  }
}
