import { Layer } from "effect"
import { loadAbout } from "../../pages/about.ts"
import { loadBody, movedBody } from "../../pages/body.ts"
import { loadBrowse } from "../../pages/browse/browse.ts"
import { loadClip } from "../../pages/clip.ts"
import { loadDevelopers } from "../../pages/developers.ts"
import { loadHome } from "../../pages/home.ts"
import { loadMatter } from "../../pages/matter.ts"
import { loadMeeting, movedMeeting } from "../../pages/meeting/meeting.ts"
import { loadDocument } from "../../pages/meeting-document.ts"
import { loadPerson } from "../../pages/person.ts"
import { loadPlace, movedPlace } from "../../pages/place.ts"
import { loadPlaces } from "../../pages/places.ts"
import { loadQuote } from "../../pages/quote.ts"
import { loadReference } from "../../pages/reference/reference.ts"
import { loadTrends } from "../../pages/trends/trends.ts"
import { loadUpcoming } from "../../pages/upcoming.ts"
import { countingQuotes } from "./counting-quotes.ts"
import { pageRoute } from "./page-route.ts"
import { openingShareLinks } from "./share-links.ts"

/** The pages of the record, each at its path and under `/md`. */
export const PageRoutes = Layer.mergeAll(
  pageRoute("/", loadHome, { cached: true }),
  pageRoute("/about", loadAbout),
  pageRoute("/developers", loadDevelopers),
  pageRoute("/developers/reference", loadReference, { cached: true }),
  pageRoute("/browse", loadBrowse, { cached: true }),
  pageRoute("/upcoming", loadUpcoming, { cached: true }),
  pageRoute("/quote", loadQuote, { first: countingQuotes }),
  pageRoute("/trends", loadTrends, { cached: true }),
  pageRoute("/places", loadPlaces, { cached: true }),
  pageRoute("/in/:place", loadPlace, { cached: true }),
  pageRoute("/people/:slug", loadPerson),
  pageRoute("/in/:place/matters/:slug", loadMatter),
  pageRoute("/in/:place/:body", loadBody, { cached: true }),
  pageRoute("/in/:place/:body/:meeting", loadMeeting, { first: openingShareLinks }),
  pageRoute("/in/:place/:body/:meeting/clips/:clip", loadClip),
  pageRoute("/documents/:id", loadDocument, { cached: true }),
  pageRoute("/places/:slug", movedPlace),
  pageRoute("/agencies/:slug", movedBody),
  pageRoute("/meetings/:slug", movedMeeting)
)
