/** The address of a page, or of a kind of page: `{…}` stands for a name. */
export interface Address {
  readonly path: `/${string}`
  readonly title: string
  /** A description in one sentence. */
  readonly says: string
  /** The API operation with the same facts. */
  readonly json?: `/api${string}` | "/openapi.json"
  /** The same list as an Atom feed (RFC 4287). */
  readonly feed?: `/${string}.atom`
  /** The same meetings as a calendar (RFC 5545). */
  readonly calendar?: `/${string}.ics`
}

/** Every public page, for `/developers` and `/llms.txt`. */
export const addresses: ReadonlyArray<Address> = [
  {
    path: "/",
    title: "Home",
    says: "The newest meetings, what is coming up, and the places on record.",
    json: "/api/meetings/browse"
  },
  {
    path: "/browse",
    title: "Meetings",
    says: "Search what was said, and filter by place, body, kind and year.",
    json: "/api/meetings/browse",
    feed: "/browse.atom"
  },
  {
    path: "/upcoming",
    title: "Coming up",
    says: "Meetings announced for the next 30 days, cancelled ones included.",
    json: "/api/upcoming",
    calendar: "/upcoming.ics"
  },
  {
    path: "/quote",
    title: "Check a quote",
    says: "Whether something was said, word for word or nearly, with the meeting and the second; text is the quote.",
    json: "/api/quotes/check"
  },
  {
    path: "/trends",
    title: "Trends",
    says: "How often searches match, by year, quarter or month; q is a search, given up to five times. /trends.csv is the table.",
    json: "/api/trends"
  },
  {
    path: "/places",
    title: "Places",
    says: "Every city and county with a meeting on record; q finds one by name, address or ZIP code.",
    json: "/api/places"
  },
  {
    path: "/documents/{id}",
    title: "A document",
    says: "An agenda, a packet, minutes or an attachment of a meeting, by page; page leads to one.",
    json: "/api/documents/{id}"
  },
  {
    path: "/in/{place}",
    title: "A place",
    says: "The public bodies of a city or county, and their meetings.",
    json: "/api/places/{place}",
    feed: "/in/{place}.atom",
    calendar: "/in/{place}.ics"
  },
  {
    path: "/in/{place}/{body}",
    title: "A public body",
    says: "What a council, board or commission is, and its meetings.",
    json: "/api/in/{place}/{body}",
    feed: "/in/{place}/{body}.atom",
    calendar: "/in/{place}/{body}.ics"
  },
  {
    path: "/in/{place}/{body}/{date}-{short id}",
    title: "A meeting",
    says: "Agenda, chapters and the beginning of the briefing; for a reader the whole record.",
    json: "/api/meetings/{id}"
  },
  {
    path: "/in/{place}/{body}/{date}-{short id}/clips/{clip}",
    title: "A clip of a meeting",
    says: "A published moment of a meeting, to watch and to cite.",
    json: "/api/meetings/{id}/clips"
  },
  {
    path: "/people/{slug}",
    title: "A person in public office",
    says: "Seats and offices, votes, attendance, and who votes alike.",
    json: "/api/people/{slug}",
    feed: "/people/{slug}.atom"
  },
  {
    path: "/in/{place}/matters/{slug}",
    title: "A matter",
    says: "An ordinance, resolution or application, and its way through the bodies with every vote.",
    json: "/api/matters/{slug}",
    feed: "/in/{place}/matters/{slug}.atom"
  },
  { path: "/about", title: "About the record", says: "What the record holds, and how it is checked." },
  {
    path: "/developers",
    title: "For developers",
    says: "Requests to paste, limits, errors, and how access works.",
    json: "/api"
  },
  {
    path: "/developers/reference",
    title: "API reference",
    says: "Every operation of the API, to look up and to try.",
    json: "/openapi.json"
  }
]

/** Whether this is a single page, and can be linked. */
export const isOnePage = ({ path }: Address): boolean => !path.includes("{")
