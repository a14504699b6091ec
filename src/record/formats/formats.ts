import { agendas } from "./agendas.ts"
import { bundle } from "./bundle.ts"
import { captions } from "./caption-file.ts"
import { cdp } from "./cdp.ts"
import { ocd, popolo } from "./civic-data/civic-data.ts"
import type { Format } from "./format.ts"
import { ical } from "./ical.ts"
import { legistar } from "./legistar/legistar.ts"
import { legistarMatters } from "./legistar/matters.ts"
import { legistarPeople } from "./legistar/people.ts"
import { legistarRollCalls } from "./legistar/roll-calls.ts"
import { manifest } from "./manifest.ts"
import { places } from "./places.ts"
import { speech } from "./speech/speech.ts"
import { table } from "./tables/table.ts"
import { textTranscript } from "./text-transcript/text-transcript.ts"
import { whisper } from "./whisper.ts"

/** Every format that `import` reads, in the order in which a file is tried. */
export const formats: ReadonlyArray<Format> = [
  bundle,
  manifest,
  legistarMatters,
  legistarRollCalls,
  legistarPeople,
  legistar,
  ocd,
  popolo,
  ical,
  speech,
  cdp,
  whisper,
  captions,
  agendas,
  places,
  table,
  textTranscript
]
