import type { Agencies, Agency, AgencySummary, BodyRef, Place } from "../../../schema/agency.ts"
import type { AgencyUpcoming, BrowsePage, Upcoming } from "../../../schema/browse.ts"
import type { CalendarMeeting, CalendarSchedule } from "../../../schema/calendar.ts"
import type { GeoMatch, GeoPlace, GeoSuggestions, LocationResults } from "../../../schema/geo.ts"
import type { MeetingCard, MeetingTeaser } from "../../../schema/meeting.ts"
import type { ApiIndex, HealthReport, Version } from "../../../schema/meta.ts"
import type { PlaceRef, Places } from "../../../schema/place.ts"
import { AgendaItemId, ClipId, MeetingId } from "../../../schema/primitives.ts"
import type { QuoteCheck } from "../../../schema/quote.ts"
import type { RedeemedShare, ShareGrant } from "../../../schema/sharing.ts"
import type { Trends } from "../../../schema/trends.ts"
import { accountExamples } from "./account.ts"
import { agentExamples } from "./agent.ts"
import { documentExamples, packetExample } from "./documents.ts"
import { meetingExamples } from "./meetings.ts"
import { matterRef, peopleExamples } from "./people.ts"
import { userClipExamples } from "./user-clips.ts"

const id = MeetingId.make("3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90")
const itemId = AgendaItemId.make("8c5d0a3b-1f2e-5c4d-8a9b-0c1d2e3f4a5b")
const page = "/in/springfield/city-council/2026-03-10-3f2b8c1e"

const place: PlaceRef = {
  slug: "springfield",
  name: "Springfield",
  kind: "city",
  state: "IL",
  county: "Sangamon County",
  path: "/in/springfield"
}

const body: BodyRef = {
  slug: "springfield-city-council",
  name: "Springfield City Council",
  kind: "city_council",
  path: "/in/springfield/city-council"
}

const held: MeetingCard = {
  id,
  slug: "3f2b8c1e-springfield-city-council-2026-03-10",
  path: page,
  title: "Regular Meeting",
  date: "2026-03-10",
  starts_at: "2026-03-10T23:30:00Z",
  timezone: "America/Chicago",
  status: "held",
  type: "city_council",
  body,
  places: [place],
  state: "IL",
  county: "Sangamon County",
  city: "Springfield",
  duration: 5412.5,
  location: "Council Chambers, 12 Mill Street",
  agenda_url: "https://springfield.example.gov/agendas/2026-03-10.pdf",
  headline: "Council funds the creek greenway",
  has: { transcript: true, briefing: true, claims: true, recap: true, video: true, agenda: true, clips: 1 },
  updated_at: "2026-03-12T08:15:00Z"
}

const next: MeetingCard = {
  ...held,
  id: MeetingId.make("b7e4d2a1-6c3f-5d8e-a1b2-9f0e8d7c6b5a"),
  slug: "b7e4d2a1-springfield-city-council-2026-03-24",
  path: "/in/springfield/city-council/2026-03-24-b7e4d2a1",
  date: "2026-03-24",
  starts_at: "2026-03-24T23:30:00Z",
  status: "upcoming",
  has: { transcript: false, briefing: false, claims: false, recap: false, video: false, agenda: true, clips: 0 }
}

const summary: AgencySummary = { ...body, places: [place], meetings_held: 212 }

const agency: Agency = {
  ...summary,
  retired_slugs: ["springfield-common-council"],
  website: "https://springfield.example.gov/council",
  first_meeting: "2017-01-03",
  latest_meeting: "2026-03-10",
  upcoming: 2,
  cancelled: 1
}

const teaser: MeetingTeaser = {
  ...held,
  gated: true,
  agenda_items: [{ id: itemId, number: "7a", title: "Creek greenway, phase two", start: 1804, matter: matterRef }],
  documents: [packetExample],
  chapters: [{ title: "Public comment", start: 312, end: 1804 }],
  clips: [
    {
      id: ClipId.make("5e6f7a8b-9c0d-5e1f-8a2b-3c4d5e6f7a8b"),
      title: "Council debates the greenway",
      start: 1804,
      end: 1921.5,
      duration: 117.5,
      agenda_item: itemId
    }
  ],
  newsletter_teaser: {
    verification: "verified",
    headline: "Council funds the creek greenway",
    worth_watching: ["The vote on phase two, after an hour of comment"],
    first_topic: { title: "Greenway", summary: "Phase two runs from the mill to the park." }
  },
  links: {
    self: `/api/meetings/${id}`,
    page,
    body: `/api/agencies/${body.slug}`,
    clips: `/api/meetings/${id}/clips`
  }
}

/**
 * A response of each operation, by its `operationId`. The specification shows them, and a test decodes each by its
 * schema.
 */
export const examples = {
  getHealth: { status: "ok", database: "ok" } satisfies HealthReport,
  getReadiness: { status: "ok", database: "ok" } satisfies HealthReport,
  getVersion: { build: "0.1.0+3f2b8c1e", started_at: "2026-03-12T06:00:00Z" } satisfies Version,
  getApiVersion: { build: "0.1.0+3f2b8c1e", started_at: "2026-03-12T06:00:00Z" } satisfies Version,
  getIndex: {
    name: "Civic Record",
    version: "0.1.0+3f2b8c1e",
    specification: "https://record.example.gov/openapi.json",
    documentation: "https://record.example.gov/developers",
    start_here: [{ href: "https://record.example.gov/api/meetings/browse", title: "Search and browse held meetings" }]
  } satisfies ApiIndex,
  getMeeting: teaser,
  checkQuote: {
    verdict: "exact",
    coverage: {
      meetings_searched: 212,
      bodies: 1,
      hours: 401.5,
      from: "2017-01-03",
      to: "2026-03-10",
      without_transcript: 3
    },
    hits: [{ meeting: held, start: 1822.4, end: 1825.9, exact: true, path: `${page}?t=1822` }],
    hint: "It was said word for word. Listen to what is said around it."
  } satisfies QuoteCheck,
  readTrends: {
    by: "year",
    measure: "share",
    periods: [
      {
        ...{ period: "2025", from: "2025-01-01", to: "2025-12-31" },
        ...{ meetings: 24, with_transcript: 20, complete: true }
      },
      { ...{ period: "2026", from: "2026-01-01", to: "2026-12-31" }, meetings: 5, with_transcript: 5, complete: false }
    ],
    series: [
      {
        q: "greenway",
        total: 8,
        points: [
          { count: 6, meetings: 24, value: 0.25 },
          { count: 2, meetings: 5, value: 0.4 }
        ]
      }
    ]
  } satisfies Trends,
  browseMeetings: {
    total: 1,
    page: 1,
    page_size: 20,
    as_of: "2026-03-12T08:20:00Z",
    meetings: [
      {
        ...held,
        matches: [
          { field: "agenda", snippet: "Creek greenway, phase two", start: 1804, path: `${page}?t=1804&q=greenway` },
          { field: "transcript", start: 1822.4, count: 12, path: `${page}?t=1822&q=greenway` },
          {
            field: "document",
            snippet: "Staff recommend the creek greenway, phase two, as shown in exhibit B.",
            document: { id: packetExample.id, kind: packetExample.kind, title: packetExample.title },
            page: 88,
            path: `${packetExample.path}?page=88&q=greenway#page-88`
          }
        ]
      }
    ],
    facets: {
      state: [{ value: "IL", label: "Illinois", count: 1 }],
      county: [{ value: "Sangamon County", label: "Sangamon County", count: 1 }],
      city: [{ value: "Springfield", label: "Springfield", count: 1 }],
      type: [{ value: "city_council", label: "City council", count: 1 }],
      agency: [{ value: body.slug, label: body.name, count: 1 }],
      year: [{ value: "2026", label: "2026", count: 1 }]
    }
  } satisfies BrowsePage,
  listAgencies: { agencies: [summary] } satisfies Agencies,
  getAgency: agency,
  getAgencyAt: agency,
  listUpcomingOfAgency: { body, meetings: [next] } satisfies AgencyUpcoming,
  listPlaces: { places: [{ ...place, bodies: 3, meetings_held: 388 }] } satisfies Places,
  getPlace: { ...place, bodies: [summary], meetings_held: 388 } satisfies Place,
  searchLocations: {
    query: "springfield",
    results: [
      {
        kind: "place",
        slug: place.slug,
        name: place.name,
        path: place.path,
        detail: "City in Sangamon County, IL",
        meetings_held: 388,
        match: "name"
      }
    ]
  } satisfies LocationResults,
  matchGeo: { matched: true, place } satisfies GeoMatch,
  suggestGeo: {
    session: "3b0f4f2e-8d7c-4a55-9f3e-0a6c1d2b4e70",
    suggestions: [{ place_id: "zip:62701", label: "62701 Springfield, IL", kind: "zip" }]
  } satisfies GeoSuggestions,
  resolveGeo: {
    place_id: "zip:62701",
    label: "62701 Springfield, IL",
    latitude: 39.8,
    longitude: -89.65,
    place,
    bodies: [body]
  } satisfies GeoPlace,
  getDrillSchedule: {
    timezone: "America/Chicago",
    meetings: [
      {
        id: "drill",
        body: "Drillwater City Council",
        title: "Regular Meeting",
        date: "2026-03-10",
        details_url: "https://record.example.gov/api/drills/k1.0199d3f0-0000-7000-8000-00000000000e.uJx0/meeting"
      }
    ]
  } satisfies CalendarSchedule,
  getDrillMeeting: {
    id: "drill",
    body: "Drillwater City Council",
    title: "Regular Meeting",
    date: "2026-03-10",
    starts_at: "2026-03-11T00:00:00Z",
    location: "Council Chambers",
    agenda_url:
      "https://record.example.gov/api/media/meetings/0199d3f0-0000-7000-8000-00000000000e/agenda.pdf?sig=k1.uJx0",
    video_url:
      "https://record.example.gov/api/media/meetings/0199d3f0-0000-7000-8000-00000000000e/web/720p.mp4?sig=k1.uJx0"
  } satisfies CalendarMeeting,
  listUpcoming: { within_days: 30, bodies: [{ body, meetings: [next] }] } satisfies Upcoming,
  getUpcomingCalendar: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n",
  mintShareGrant: {
    token: "k1.5d0c3c8e-95a0-4b5c-9d9e-2f6c5b0f7a11.3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90.1774310400000.uJx0",
    url: `https://record.example.gov${page}?st=k1.5d0c3c8e-95a0-4b5c-9d9e-2f6c5b0f7a11.3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90.1774310400000.uJx0`,
    meeting_id: id,
    expires_at: "2026-03-24T00:00:00Z"
  } satisfies ShareGrant,
  ...meetingExamples,
  ...documentExamples(body),
  ...peopleExamples(place, body),
  ...agentExamples(place, body, held),
  ...userClipExamples(id),
  ...accountExamples,
  redeemShare: { meeting_id: id, expires_at: "2026-03-24T00:00:00Z" } satisfies RedeemedShare
}
