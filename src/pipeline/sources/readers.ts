import { Layer } from "effect"
import type { SourceKind } from "../../../schema/agent/directory.ts"
import { Vendors } from "../web/paced-host.ts"
import { agendaCenterCalendar } from "./agendacenter.ts"
import { boardDocsCalendar } from "./boarddocs.ts"
import type { CalendarReader } from "./calendar.ts"
import { civicClerkCalendar } from "./civicclerk.ts"
import { escribeCalendar } from "./escribe.ts"
import { granicusCalendar } from "./granicus.ts"
import { icalCalendar } from "./ical.ts"
import { internetArchiveCollection } from "./internet-archive.ts"
import { iqm2Calendar } from "./iqm2.ts"
import { jsonCalendar } from "./json.ts"
import { legistarCalendar } from "./legistar.ts"
import { legistarPageCalendar } from "./legistar-page.ts"
import { municodeCalendar } from "./municode.ts"
import { novusAgendaCalendar } from "./novusagenda.ts"
import { primeGovCalendar } from "./primegov.ts"
import { rssCalendar } from "./rss.ts"
import { swagitCalendar } from "./swagit.ts"
import { youTubeChannel } from "./youtube.ts"

/** The reader for each kind of calendar. A new kind takes one file and one line here. */
export const readers: Readonly<Record<SourceKind, CalendarReader>> = {
  legistar: legistarCalendar,
  legistar_page: legistarPageCalendar,
  civicclerk: civicClerkCalendar,
  agendacenter: agendaCenterCalendar,
  granicus: granicusCalendar,
  primegov: primeGovCalendar,
  escribe: escribeCalendar,
  swagit: swagitCalendar,
  iqm2: iqm2Calendar,
  municode: municodeCalendar,
  boarddocs: boardDocsCalendar,
  novusagenda: novusAgendaCalendar,
  youtube: youTubeChannel,
  internet_archive: internetArchiveCollection,
  ical: icalCalendar,
  rss: rssCalendar,
  json: jsonCalendar
}

/** The reader of the agenda's items at an address; undefined if no vendor's address looks like it. */
export const itemsReaderOf = (address: string) => {
  const at = URL.parse(address)
  return at === null ? undefined : Object.values(readers).find(({ items }) => items?.isAt(at) === true)?.items
}

/** Tells the web how far apart each vendor wants its requests. */
export const VendorsLive = Layer.succeed(
  Vendors,
  Object.values(readers).flatMap(({ manners }) => manners ?? [])
)
