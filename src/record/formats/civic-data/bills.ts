import type { BundleMatter } from "../../../../schema/bundle-people.ts"
import type { MatterStatus, VoteResult } from "../../../../schema/vote.ts"
import { found, type Item, type Origin, rejected, warning } from "../item.ts"
import { matterKind, matterSlug, matterStatus } from "../legistar/decisions.ts"
import { shorten, tidy, webAddress } from "../text.ts"
import { dayFrom } from "./days.ts"
import type { Settled } from "./directory.ts"
import { type Bill, refOf } from "./things.ts"

/** What an action's classification says became of a bill. */
const statuses: ReadonlyArray<readonly [RegExp, MatterStatus]> = [
  [/^(executive-veto|veto)/, "vetoed"],
  [/^(became-law|executive-signature)$/, "enacted"],
  [/^(withdrawal|substitution)$/, "withdrawn"],
  [/^failure$/, "failed"],
  [/^passage$/, "passed"],
  [/^(referral-committee|committee-|deferral|reading-2)/, "in_committee"],
  [/^(introduction|filing|reading-1)$/, "introduced"]
]
const statusOf = (classification: string): MatterStatus | undefined =>
  statuses.find(([words]) => words.test(classification))?.[1]

const results: Readonly<Record<string, VoteResult>> = {
  passage: "pass",
  "committee-passage": "pass",
  "amendment-passage": "pass",
  failure: "fail",
  "committee-failure": "fail",
  "amendment-failure": "fail"
}

const documentsOf = ({ documents, versions }: Bill) =>
  [...(documents ?? []), ...(versions ?? [])].flatMap(({ note, url, links }) =>
    [{ url }, ...(links ?? [])].flatMap((link) => {
      const address = webAddress(link.url)
      return address === undefined ? [] : [{ title: shorten(tidy(note) || "Document", 300), url: address }]
    })
  )

/** How a vote names its meeting and its item: that of its body on its day, and the item about the bill. */
export const eventOf = (agency: string, date: string): string => `${agency}/${date}`

/** The slug of a bill at its place. */
export const billSlug = (settled: Settled, identifier: string, session: unknown): string =>
  matterSlug(settled.place, settled.slugOfBill(identifier, session))

/** The action of a day that a vote decides: the one it names, else the last with a result, else the last. */
const decided = (
  steps: ReadonlyArray<BundleMatter["history"][number]>,
  { agency, date, action }: VoteKey
): BundleMatter["history"][number] | undefined => {
  const those = steps.filter((step) => step.date === date && (agency === undefined || step.agency === agency))
  return (
    those.find((step) => step.action === action) ?? those.findLast(({ result }) => result !== undefined) ?? those.at(-1)
  )
}

/** What finds the action that a vote decides. */
export interface VoteKey {
  readonly agency: string | undefined
  readonly date: string
  readonly action: string
}

export const billItems = (
  bill: Bill,
  votes: ReadonlyArray<VoteKey>,
  settled: Settled,
  origin: Origin
): ReadonlyArray<Item> => {
  const { place } = settled
  const [identifier, title] = [tidy(bill.identifier).slice(0, 200), tidy(bill.title)]
  if (identifier === "") return [rejected(origin, "identifier", "is empty; write the bill's number")]
  const actions = (bill.actions ?? []).map(({ date, description, classification, organization, organization_id }) => {
    const by = settled.organizationOf(organization, organization_id)
    const agency = by === undefined ? undefined : settled.agencyNamed(by.name).slug
    const result = (classification ?? []).map((word) => results[word]).find((one) => one !== undefined)
    const [day, action] = [dayFrom(date, "start"), tidy(description)]
    if (day === undefined || action === "") return undefined
    return {
      date: day,
      action,
      ...(result === undefined ? {} : { result }),
      ...(agency === undefined || by === undefined ? {} : { agency, body_name: by.name, event: eventOf(agency, day) }),
      classification: classification ?? []
    }
  })
  const dated = actions
    .filter((action) => action !== undefined)
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  const steps = dated.map(({ classification: _, ...step }): BundleMatter["history"][number] => step)
  const withVotes = new Set(votes.map((vote) => decided(steps, vote)))
  const history = steps.map((step) =>
    withVotes.has(step) && step.event !== undefined ? { ...step, item: identifier } : step
  )
  const classes = dated.flatMap(({ classification }) => classification)
  const status =
    classes.map(statusOf).findLast((one) => one !== undefined) ?? matterStatus(dated.at(-1)?.action ?? "introduced")
  const introduced = dated.find(({ classification }) =>
    classification.some((word) => /^(introduction|filing)$/.test(word))
  )
  const [kind] = bill.classification ?? []
  const from = settled.organizationOf(bill.from_organization, bill.from_organization_id)
  const [abstract, attachments] = [tidy(bill.abstracts?.[0]?.abstract), documentsOf(bill)]
  const sponsors = (bill.sponsorships ?? []).flatMap(({ name, entity_type, person, person_id, primary }) => {
    const said = refOf(person, person_id)
    const written = tidy(name) || (said.name ?? "")
    if (written === "") return []
    const slug = entity_type === "organization" ? undefined : settled.whoIs(said.id, written)
    return [
      { ...(slug === undefined ? {} : { person: slug }), name: written, ...(primary ? { is_primary: true } : {}) }
    ]
  })
  const source = (bill.sources ?? []).flatMap(({ url }) => webAddress(url) ?? [])[0]
  const first = introduced?.date ?? dated[0]?.date
  const matter: BundleMatter = {
    type: "matter",
    slug: billSlug(settled, identifier, bill.legislative_session),
    place: place.slug,
    identifier,
    title: shorten(title || identifier, 1000),
    ...(abstract === "" || abstract === title ? {} : { description: abstract }),
    kind: matterKind(kind ?? "bill"),
    ...(kind === undefined ? {} : { kind_label: kind }),
    status,
    ...(first === undefined ? {} : { introduced_on: first }),
    ...(from === undefined ? {} : { agency: settled.agencyNamed(from.name).slug }),
    ...(sponsors.length === 0 ? {} : { sponsors }),
    ...(source === undefined ? {} : { source_url: source }),
    ...(attachments.length === 0 ? {} : { attachments }),
    history
  }
  const undated = actions.length - dated.length
  return [
    ...(undated === 0
      ? []
      : [warning(origin, "actions", `${undated} of them have no day or no words, and are left out`)]),
    found(origin, matter)
  ]
}
