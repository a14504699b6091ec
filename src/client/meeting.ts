/** The page of a meeting, for its readers. Without this module every link on it still leads where it says. */
import { clipMaker } from "./clip-maker.ts"
import "./copying.ts"
import { one } from "./dom.ts"
import { keys } from "./keys.ts"
import { mistakes } from "./mistake.ts"
import { ownClipsOf } from "./own-clips.ts"
import { playerOf } from "./player.ts"
import { selectionBar } from "./selection-bar.ts"
import { shareSheet } from "./share.ts"
import { smallPlayer } from "./small-player.ts"
import { transcriptOf } from "./transcript.ts"
import "./watch.ts"

smallPlayer()
const player = playerOf()
const transcript = transcriptOf(player)
const own = ownClipsOf()
selectionBar(transcript, own === undefined ? undefined : clipMaker(player, own))
shareSheet(player)
keys(player, transcript)
mistakes(player, transcript)

const tools = one("[data-acts]")
if (tools !== undefined) tools.hidden = false
