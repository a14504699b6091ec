import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { VendorsLive } from "../../../src/pipeline/sources/readers.ts"
import { pacedHost, Vendors } from "../../../src/pipeline/web/paced-host.ts"

describe("whose turn a request is", () => {
  it.effect("is told by the vendor, under its own name or a customer's", () =>
    Effect.gen(function* () {
      const vendors = yield* Vendors
      for (const [address, vendor, gap] of [
        ["https://lacity.primegov.com/public/portal", "primegov.com", 2.7],
        ["https://bhamal.granicus.com/ViewPublisher.php?view_id=2", "granicus.com", 10],
        ["https://al-anniston.civicplus.com/AgendaCenter", "civicplus.com", 7],
        ["https://www.cityofanthonynm.gov/AgendaCenter", "civicplus.com", 7],
        ["https://www.cityofanthonynm.gov/AgendaCenter/ViewFile/Agenda/_11192020-808", "civicplus.com", 7],
        ["https://www.cityofanthonynm.gov/common/modules/iCalendar/iCalendar.aspx?catID=14", "civicplus.com", 7],
        ["https://legistar.council.nyc.gov/Calendar.aspx", "legistar.com", 2.7],
        ["https://webapi.legistar.com/v1/seattle/events", "legistar.com", 2.7],
        ["https://www.cityofanthonynm.gov/departments/clerk", "cityofanthonynm.gov", undefined],
        ["https://mccmeetings.blob.core.windows.net/x.pdf", "mccmeetings.blob.core.windows.net", undefined],
        ["http://127.0.0.1:4000/calendar.ics", "127.0.0.1:4000", undefined]
      ] as const) {
        assert.deepStrictEqual(
          pacedHost(new URL(address), vendors),
          { host: new URL(address).host, vendor, gap },
          address
        )
      }
    }).pipe(Effect.provide(VendorsLive))
  )
})
