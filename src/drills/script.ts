import type { BundlePlace } from "../../schema/bundle.ts"
import { Email } from "../../schema/email.ts"
import { Slug } from "../../schema/primitives.ts"

/** One person's turn. Numbers are spelled out, so that the written words are the spoken ones. */
export interface Turn {
  readonly speaker: string
  readonly text: string
  /** The number of the agenda item that this turn takes up. */
  readonly item?: string
}

/** A place that is on no map, so that nothing in a drill can be mistaken for something real. */
export const drillPlace: BundlePlace = {
  type: "place",
  slug: Slug.make("drillwater"),
  name: "Drillwater",
  kind: "city",
  state: "IL"
}

/** The recipient of the recap: an address that no mail can be sent to (RFC 2606). */
export const drillFollower = Email.make("follower@drill.example")

export const drillBody = "Drillwater City Council"
export const drillTitle = "Regular Meeting"
export const drillRoom = "Council Chambers"

export const drillAgenda = [
  { number: "1", title: "Call to order" },
  {
    number: "2",
    title: "Creek greenway",
    description: "An ordinance that builds a greenway along the creek. The first year costs 240,000 dollars."
  },
  { number: "3", title: "Library hours", description: "The hours of the library on Sunday." },
  { number: "4", title: "Adjournment" }
] as const

/** The meeting, word for word. */
export const drillTurns: ReadonlyArray<Turn> = [
  {
    speaker: "Chair",
    item: "1",
    text: "Item one, call to order. Good evening. The meeting of the Drillwater City Council will now come to order. The clerk will call the roll."
  },
  { speaker: "Clerk", text: "All seven members of the council are present." },
  {
    speaker: "Chair",
    item: "2",
    text: "Item two, creek greenway. This ordinance builds a greenway along the creek. The city engineer will tell us about the plan."
  },
  {
    speaker: "City Engineer",
    text: "Thank you. The greenway costs two hundred forty thousand dollars in the first year and three hundred thousand dollars in the second year. The state will pay for half of it. The path is two miles long and begins at the library. Work on the path will start in April and will end in October. The road by the creek will stay open all summer, and people can still park their cars there."
  },
  { speaker: "Chair", text: "Thank you. Now we will hear from the public about the greenway." },
  {
    speaker: "Public commenter",
    text: "Good evening. I live at twenty two fourteen Maple Street. I walk along the creek every morning with my family. I think the greenway is good for the children in this city, and I hope the council will vote for it."
  },
  {
    speaker: "Council Member",
    text: "I move to approve the ordinance. I want to thank the people who have worked on this plan for three years."
  },
  { speaker: "Chair", text: "All in favor say aye. The motion carries seven to zero." },
  {
    speaker: "Chair",
    item: "3",
    text: "Item three, library hours. The library will open on Sunday from noon until five. There is no vote on this item tonight."
  },
  {
    speaker: "Chair",
    item: "4",
    text: "Item four, adjournment. There is no more business before the council. The meeting is adjourned. Good night."
  }
]

/** The home address that a member of the public gives, in the words that must not be published. */
export const spokenAddress = /\b(?:fourteen|2214|22 14)?\s*maple\b/i

/** The turn that the planted claims cite. */
export const citedTurn = 3

/** The vote as it was spoken, in any of its spellings. */
export const spokenVote = /\b(?:7|seven)\s*(?:-|–|to)\s*(?:0|zero)\b/i

/**
 * Sentences planted in the briefing before its claims are checked. Code alone catches the second, whose number was not
 * said. Only a language model can catch the third, which was not said at all; without one, undecided sentences are
 * removed.
 */
export const plantedClaims = {
  kept: "The path is two miles long and begins at the library.",
  wrongNumber: "The greenway costs four hundred twenty thousand dollars in the first year.",
  neverSaid: "The greenway is paid for by a new tax on homes along the creek."
} as const
