import type { BodyRef } from "../../../schema/agency.ts"
import type { MatterRef } from "../../../schema/matter.ts"
import type { People, Person } from "../../../schema/people.ts"
import type { PersonSaid } from "../../../schema/person-said.ts"
import type { PlaceRef } from "../../../schema/place.ts"
import { AgendaItemId, MeetingId } from "../../../schema/primitives.ts"
import type { Matter, Matters, PersonVotes, Votes } from "../../../schema/vote.ts"

export const matterRef: MatterRef = {
  slug: "springfield-ord-2026-14",
  identifier: "Ord. 2026-14",
  title: "Creek greenway, phase two",
  path: "/in/springfield/matters/springfield-ord-2026-14"
}

/** A response of each operation on people, matters and votes, by its `operationId`. */
export const peopleExamples = (place: PlaceRef, body: BodyRef) => {
  const ada = { slug: "springfield-ada-marsh", name: "Ada Marsh", path: "/people/springfield-ada-marsh" }
  const ben = { slug: "springfield-ben-ortiz", name: "Ben Ortiz", path: "/people/springfield-ben-ortiz" }
  const seat = { agency: body, name: body.name, role: "member", label: "Alderwoman", start: "2023-05-01" } as const
  const at = {
    id: MeetingId.make("3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90"),
    path: "/in/springfield/city-council/2026-03-10-3f2b8c1e",
    date: "2026-03-10",
    body
  }
  const meeting = {
    ...at,
    item: {
      id: AgendaItemId.make("8c5d0a3b-1f2e-5c4d-8a9b-0c1d2e3f4a5b"),
      number: "7a",
      title: "Creek greenway, phase two"
    }
  }
  const counts = [
    { option: "yes", value: 5 },
    { option: "no", value: 1 }
  ] as const
  const vote = {
    id: "d1f4c7a2-93b0-5e6d-8f21-7b3c5a9e0d46",
    kind: "vote",
    date: "2026-03-10",
    meeting,
    matter: matterRef,
    motion: "Approve",
    result: "pass",
    counts,
    from: "source",
    updated_at: "2026-03-12T08:15:00Z"
  } as const
  const matter = {
    ...matterRef,
    kind: "ordinance",
    status: "passed",
    introduced_on: "2026-02-24",
    place,
    agency: body,
    updated_at: "2026-03-12T08:15:00Z"
  } as const
  return {
    listPeople: {
      total: 1,
      page: 1,
      page_size: 20,
      people: [{ ...ada, place, memberships: [seat], updated_at: "2026-03-12T08:15:00Z" }]
    } satisfies People,
    getPerson: {
      ...ada,
      place,
      memberships: [seat],
      votes: 214,
      divided_votes: 31,
      against_majority: 6,
      attendance: { present: 68, called: 71 },
      years: [{ year: 2026, votes: 214, no: 9, absent: 3, against_majority: 6, present: 68, called: 71 }],
      agreement: [{ person: ben, agree: 27, differ: 4 }],
      sponsored: 12
    } satisfies Person,
    listPersonVotes: {
      total: 1,
      page: 1,
      page_size: 20,
      votes: [{ ...vote, option: "yes", with_majority: true }]
    } satisfies PersonVotes,
    listPersonSaid: {
      total: 1,
      page: 1,
      page_size: 20,
      meetings: [
        {
          meeting: at,
          turns: 14,
          moments: [
            { start: 2712.4, text: "The creek floods every spring, and this plan moves the path…", item: meeting.item }
          ]
        }
      ]
    } satisfies PersonSaid,
    listMatters: { total: 1, page: 1, page_size: 20, matters: [matter] } satisfies Matters,
    getMatter: {
      ...matter,
      attachments: [{ title: "Staff report", url: "https://springfield.example.gov/ord-2026-14/report.pdf" }],
      sponsors: [{ person: ada, name: "Ada Marsh", is_primary: true }],
      history: [
        { date: "2026-02-24", action: "Introduced", agency: body, body_name: body.name },
        {
          date: "2026-03-10",
          action: "Approved",
          result: "pass",
          agency: body,
          body_name: body.name,
          meeting,
          vote: { id: vote.id, result: "pass", counts, from: "source" }
        }
      ],
      discussions: [
        {
          meeting,
          speaker_count: 2,
          speakers: [
            { name: "Ada Marsh", person: ada, start: 2698.2 },
            { name: "Rosa Lind", start: 2840.9 }
          ]
        }
      ],
      mentions: []
    } satisfies Matter,
    listVotes: {
      total: 1,
      page: 1,
      page_size: 1000,
      votes: [
        {
          ...vote,
          ballots: [
            { person: ada, name: "Ada Marsh", option: "yes" },
            { person: ben, name: "Ben Ortiz", option: "no" }
          ]
        }
      ]
    } satisfies Votes
  }
}
