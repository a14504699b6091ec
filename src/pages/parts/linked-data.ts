import type {
  BreadcrumbList,
  Clip,
  DigitalDocument,
  Event,
  GovernmentOrganization,
  Legislation,
  Person,
  VideoObject,
  WebSite,
  WithContext
} from "schema-dts"
import type { Agency, BodyRef } from "../../../schema/agency.ts"
import type { MeetingDocument } from "../../../schema/document-text.ts"
import type { Meeting } from "../../../schema/meeting.ts"
import type { Person as PersonInOffice } from "../../../schema/people.ts"
import type { Matter } from "../../../schema/vote.ts"
import { nameAfterBody, nameWithBody } from "../../text/meeting-name.ts"
import type { Crumb } from "../page.ts"
import { onThisOrigin } from "./origin.ts"

/*
 * What pages say to programs in the words of schema.org, as JSON-LD. A page's data holds what this reader's page shows
 * and nothing more. `base` is the address of the service, without a slash at its end.
 */

const context = "https://schema.org"

/** The breadcrumb, down to the page itself. */
export const breadcrumbData = (crumbs: ReadonlyArray<Crumb>, base: string): WithContext<BreadcrumbList> => ({
  "@context": context,
  "@type": "BreadcrumbList",
  itemListElement: crumbs.map(({ name, path }, at) => ({
    "@type": "ListItem",
    position: at + 1,
    name,
    item: base + path
  }))
})

/** How a browser or a search engine may search the record from outside. */
export const siteData = (base: string): WithContext<WebSite> => ({
  "@context": context,
  "@type": "WebSite",
  "@id": `${base}/#site`,
  name: "Civic Record",
  url: `${base}/`,
  potentialAction: {
    "@type": "SearchAction",
    target: { "@type": "EntryPoint", urlTemplate: `${base}/browse?q={search_term_string}` },
    // How to fill in the template's term: an annotation of schema.org that its types lack.
    ...{ "query-input": "required name=search_term_string" }
  }
})

const organizer = ({ name, path }: BodyRef, base: string): GovernmentOrganization => ({
  "@type": "GovernmentOrganization",
  "@id": base + path,
  name,
  url: base + path
})

/** Somebody in public office, with the seats they hold or held. */
export const personData =
  ({ name, path, other_names, memberships, image_url, source_url }: PersonInOffice) =>
  (base: string): WithContext<Person> => ({
    "@context": context,
    "@type": "Person",
    "@id": base + path,
    name,
    url: base + path,
    ...(other_names === undefined ? {} : { alternateName: other_names }),
    ...(image_url === undefined ? {} : { image: image_url }),
    ...(source_url === undefined ? {} : { sameAs: source_url }),
    memberOf: memberships.slice(0, 50).map(({ agency, name, label, start, end }) => ({
      "@type": "OrganizationRole" as const,
      ...(label === undefined ? {} : { roleName: label }),
      ...(start === undefined ? {} : { startDate: start }),
      ...(end === undefined ? {} : { endDate: end }),
      memberOf: agency === undefined ? { "@type": "GovernmentOrganization" as const, name } : organizer(agency, base)
    }))
  })

/** Statuses of what a body has passed. */
const passed: ReadonlyArray<Matter["status"]> = ["passed", "enacted"]

/** Who passed a matter, and when they last did. */
const adoption = ({ agency, history }: Pick<Matter, "agency" | "history">, base: string) => {
  const last = history.findLast(({ result, vote }) => (vote?.result ?? result) === "pass")
  const body = last?.meeting?.body ?? last?.agency ?? agency
  return {
    ...(last === undefined ? {} : { legislationDate: last.date }),
    ...(body === undefined ? {} : { legislationPassedBy: organizer(body, base) })
  }
}

/** What bodies decide: the number of the law, and who passed it when, once that is so. */
export const matterData =
  ({ identifier, title, path, introduced_on, sponsors, kind_label, place, ...matter }: Matter) =>
  (base: string): WithContext<Legislation> => ({
    "@context": context,
    "@type": "Legislation",
    "@id": base + path,
    name: title,
    url: base + path,
    legislationIdentifier: matter.enacted_as === undefined ? identifier : [identifier, matter.enacted_as],
    dateModified: matter.updated_at,
    ...(matter.source_url === undefined ? {} : { sameAs: matter.source_url }),
    ...(passed.includes(matter.status) ? adoption(matter, base) : {}),
    ...(matter.description === undefined ? {} : { abstract: matter.description.slice(0, 2000) }),
    ...(kind_label === undefined ? {} : { legislationType: kind_label }),
    ...(introduced_on === undefined ? {} : { dateCreated: introduced_on }),
    legislationJurisdiction: { "@type": "AdministrativeArea", name: place.name, url: base + place.path },
    ...(sponsors.length === 0
      ? {}
      : {
          sponsor: sponsors.map(({ person, name }) => ({
            "@type": "Person" as const,
            name,
            ...(person === undefined ? {} : { url: base + person.path })
          }))
        })
  })

/** What a body has published about a meeting. */
export const documentData =
  ({ title, path, media_type, source_url, meeting }: MeetingDocument) =>
  (base: string): WithContext<DigitalDocument> => ({
    "@context": context,
    "@type": "DigitalDocument",
    "@id": base + path,
    name: title,
    url: base + path,
    isAccessibleForFree: true,
    ...(media_type === undefined ? {} : { encodingFormat: media_type }),
    ...(source_url === undefined ? {} : { isBasedOn: source_url }),
    publisher: organizer(meeting.body, base),
    about: { "@type": "Event", "@id": base + meeting.path, url: base + meeting.path, startDate: meeting.date }
  })

/** A council, board or commission, and the places it serves. */
export const bodyData =
  ({ website, places, ...body }: Agency) =>
  (base: string): WithContext<GovernmentOrganization> => ({
    "@context": context,
    "@type": "GovernmentOrganization",
    "@id": base + body.path,
    name: body.name,
    url: base + body.path,
    ...(website === undefined ? {} : { sameAs: website }),
    areaServed: places.map(({ kind, name, path }) => ({
      "@type": kind === "city" ? ("City" as const) : ("AdministrativeArea" as const),
      name,
      url: base + path
    }))
  })

const seconds = (length: number): string => `PT${Math.round(length)}S`

/** The recording with its chapters, for readers. It has no address, because addresses are signed per visit. */
const recordingOf = (meeting: Meeting, base: string) => {
  const { path, chapters, duration, poster_url, has, gated } = meeting
  if (gated || !has.video) return {}
  const at = (start: number) => `${base}${path}?t=${Math.floor(start)}`
  const video: VideoObject = {
    "@type": "VideoObject",
    name: nameWithBody(meeting),
    url: base + path,
    isAccessibleForFree: true,
    ...(duration === undefined ? {} : { duration: seconds(duration) }),
    ...(poster_url === undefined ? {} : { thumbnailUrl: base + onThisOrigin(poster_url) }),
    hasPart: chapters.map(
      ({ title, start, end }): Clip => ({
        "@type": "Clip",
        name: title,
        startOffset: start,
        endOffset: end,
        url: at(start)
      })
    )
  }
  return { recordedIn: video }
}

/** A meeting as an event: upcoming, held or cancelled. */
export const meetingData =
  (meeting: Meeting) =>
  (base: string): WithContext<Event> => {
    const { headline, body, date, starts_at, duration, status, location, join_url, path, places } = meeting
    const end = starts_at === undefined || duration === undefined ? undefined : Date.parse(starts_at) + duration * 1000
    const where = location ?? places[0]?.name
    return {
      "@context": context,
      "@type": "Event",
      "@id": base + path,
      name: nameAfterBody(meeting),
      ...(headline === undefined ? {} : { description: headline }),
      url: base + path,
      startDate: starts_at ?? date,
      ...(end === undefined ? {} : { endDate: new Date(end).toISOString() }),
      eventStatus: status === "cancelled" ? "https://schema.org/EventCancelled" : "https://schema.org/EventScheduled",
      organizer: organizer(body, base),
      location: [
        ...(where === undefined ? [] : [{ "@type": "Place" as const, name: where, address: where }]),
        ...(join_url === undefined ? [] : [{ "@type": "VirtualLocation" as const, url: join_url }])
      ],
      ...(meeting.poster_url === undefined ? {} : { image: base + onThisOrigin(meeting.poster_url) }),
      isAccessibleForFree: true,
      ...recordingOf(meeting, base)
    }
  }
