import type { BundleMatter, BundleMembership, BundlePerson, BundleVote } from "../../../schema/bundle-people.ts"
import { slugify } from "../slug.ts"
import type { AuthoredMatter } from "./authoring.ts"
import { agendaItemId, membershipId, voteId } from "./ids.ts"
import type { SampleBody, SampleMeeting } from "./read.ts"
import { byNumber, membersIn, rowsOf, votesIn, type WrittenMember } from "./script.ts"

const personSlug = ({ agency }: SampleBody, { name }: WrittenMember): string => slugify(`${agency.places[0]}-${name}`)

const seatOf = (body: SampleBody, member: WrittenMember): ReadonlyArray<BundlePerson | BundleMembership> => {
  const { agency } = body
  const slug = personSlug(body, member)
  return [
    { type: "person", slug, place: agency.places[0] ?? "", name: member.name },
    {
      ...{ type: "membership", id: membershipId(agency.slug, slug), person: slug, agency: agency.slug },
      ...{ name: agency.name, role: member.role, label: member.label }
    }
  ]
}

/** The people who sit on a body, each with the seat. */
export const membersOf = (body: SampleBody): ReadonlyArray<BundlePerson | BundleMembership> =>
  membersIn(body.members ?? "").flatMap((member) => seatOf(body, member))

/** The votes of a meeting, from what the city tells (`votes`) and from what was said (`heard`). */
export const votesOf = (
  { body, authored, meeting, spoken }: SampleMeeting,
  matters: ReadonlyArray<AuthoredMatter>
): ReadonlyArray<BundleVote> => {
  const members = new Map(membersIn(body.members ?? "").map((member) => [member.key, member]))
  const about = byNumber(authored.matters ?? "")
  const read = (text: string | undefined, from: "source" | "transcript") =>
    votesIn(text ?? "").map(({ number, motion, result, ballots, label }, at): BundleVote => {
      const matter = matters.find(({ key }) => key === about.get(number))
      const turn = label === undefined ? undefined : spoken?.labelled.get(label)
      return {
        type: "vote",
        id: voteId(meeting.id, from, String(at)),
        kind: result === "roll" ? "roll_call" : "vote",
        meeting_id: meeting.id,
        agenda_item: agendaItemId(meeting.id, number),
        ...(matter === undefined ? {} : { matter: matterSlug(matter) }),
        ...(result === "roll" ? {} : { motion, result }),
        ballots: ballots.map(({ key, option }) => {
          const member = members.get(key)
          const name = member === undefined || from === "transcript" ? key : member.name
          return { ...(member === undefined ? {} : { person: personSlug(body, member) }), name, option }
        }),
        ...(turn === undefined ? {} : { start: turn.start, end: turn.end }),
        ...(turn === undefined || from === "source" ? {} : { quote: turn.quote }),
        from
      }
    })
  return [...read(authored.votes, "source"), ...read(authored.heard, "transcript")]
}

const matterSlug = ({ place, key }: AuthoredMatter): string => slugify(`${place}-${key}`)

const byDate = (a: SampleMeeting, b: SampleMeeting) => (a.meeting.date < b.meeting.date ? -1 : 1)

/** A matter with its way through the meetings at which it stood: what was done there, and its last vote. */
export const matterOf = (
  matter: AuthoredMatter,
  bodies: ReadonlyArray<SampleBody>,
  meetings: ReadonlyArray<SampleMeeting>
): BundleMatter => {
  const { place, title, kind, status } = matter
  const body = bodies.find(({ file }) => file === matter.body)
  const sponsor = membersIn(body?.members ?? "").find(({ key }) => key === matter.sponsor)
  const steps = meetings.toSorted(byDate).flatMap((one) => {
    const number = rowsOf(one.authored.matters ?? "").find(([, key]) => key === matter.key)?.[0]
    const item = one.meeting.agenda_items.find((listed) => listed.number === number)
    return item === undefined ? [] : [{ ...one, item }]
  })
  const identifier = steps.map(({ item }) => item.matter).find((written) => written !== undefined) ?? matter.identifier
  const [first] = steps
  const days = matter.introduced_before
  const introduced =
    first === undefined || days === undefined
      ? first?.meeting.date
      : new Date(Date.parse(first.meeting.date) - days * 86_400_000).toISOString().slice(0, 10)
  return {
    ...{ type: "matter", slug: matterSlug(matter), place, identifier, title, kind, status },
    ...(matter.status_label === undefined ? {} : { status_label: matter.status_label }),
    ...(introduced === undefined ? {} : { introduced_on: introduced }),
    ...(body === undefined ? {} : { agency: body.agency.slug }),
    ...(body === undefined || sponsor === undefined
      ? {}
      : { sponsors: [{ person: personSlug(body, sponsor), name: sponsor.name, is_primary: true }] }),
    history: [
      ...(introduced === undefined || days === undefined
        ? []
        : [{ date: introduced, action: "Introduced", ...(body === undefined ? {} : { agency: body.agency.slug }) }]),
      ...steps
        .filter(({ meeting }) => meeting.status === "held")
        .map(({ meeting, item, authored }) => {
          const last = votesIn(authored.votes ?? "").findLast(({ number }) => number === item.number)
          return {
            date: meeting.date,
            action: item.outcome ?? "Discussed",
            ...(last === undefined || last.result === "roll" ? {} : { result: last.result }),
            ...{ agency: meeting.agency, meeting_id: meeting.id, agenda_item: item.id }
          }
        })
    ]
  }
}
