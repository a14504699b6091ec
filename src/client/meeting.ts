/** The page of a meeting, for its readers. Without this module every link on it still leads where it says. */
import { clipMaker } from "./clip-maker.ts"
import { act, copy, one } from "./dom.ts"
import { keys } from "./keys.ts"
import { mistakes } from "./mistake.ts"
import { ownClipsOf } from "./own-clips.ts"
import { playerOf } from "./player.ts"
import { shareSheet } from "./share.ts"
import { transcriptOf } from "./transcript.ts"

const player = playerOf()
const transcript = transcriptOf(player)
const own = ownClipsOf()
if (own !== undefined) clipMaker(player, transcript, own)
shareSheet()
keys(player, transcript)
mistakes(player, transcript)

const cite = act("cite")
if (cite !== undefined) cite.hidden = false
cite?.addEventListener("click", () => void copy(one("[data-citation]")?.textContent ?? "", "Copied the citation."))

const tools = one("[data-acts]")
if (tools !== undefined) tools.hidden = false
