import { likest, lineOf, linesOf } from "./able-model.ts"

/** A word of every lie that the model below tells; none of them was said, or stands on an agenda. */
const lie = /zebra|nine to zero|\b9\s*[-–]\s*0\b|ninety|unanim|bribe|denie[sd]|library card/gi

/** The lies in some texts, each with the name of its text and the words around it. */
export const liesIn = (texts: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(texts).flatMap(([name, text]) =>
    [...text.matchAll(lie)].map(({ index }) => `${name}: ${text.slice(Math.max(0, index - 60), index + 60)}`)
  )

/** Greenway lines of a transcript, as an honest model would cite them. */
const costs = (prompt: string) => ({
  line: lineOf(prompt, "greenway costs"),
  quote: "The greenway costs two hundred forty thousand dollars in the first year"
})
const vote = (prompt: string) => ({
  line: lineOf(prompt, "motion carries"),
  quote: "the motion carries seven to zero"
})

/** What the notes say, each beside words that were really said. */
const inventions = (prompt: string) => [
  {
    topic: "Zebra park",
    text: "The greenway costs ninety million dollars in the first year.",
    citations: [costs(prompt)]
  },
  { topic: "Zebra park", text: "The motion carried nine to zero.", citations: [vote(prompt)] },
  { topic: "Zebra park", text: "The vote was unanimous.", citations: [vote(prompt)] },
  { topic: "Zebra park", text: "Mayor Zebra moved to approve the ordinance.", citations: [vote(prompt)] },
  { topic: "Zebra park", text: "The council denied the ordinance.", citations: [vote(prompt)] },
  { topic: "Zebra park", text: "The greenway was paid for by bribes.", citations: [costs(prompt)] }
]

/**
 * A model that answers in the right form, cites what was really said, and lies in every field; as the checker, it
 * supports every claim, and whatever is its opposite, with the likest words. Its lies are put where form alone would
 * let them pass: beside titles of the agenda, quotes of the transcript and numbers that were said.
 */
export const lyingModel = {
  agenda: () => ({
    items: [
      { number: "1", title: "Call to order", summary: "Mayor Zebra takes bribes." },
      { number: "2", title: "Creek greenway", summary: "The greenway is a zebra park." },
      { number: "2", title: "Ordinance 2026-14: creek greenway", summary: "The greenway is a zebra park." },
      { number: "3", title: "Library hours", summary: "Everybody must show a library card." },
      { number: "9", title: "Zebra park", summary: "A zebra park is built." }
    ]
  }),
  refine: (prompt: string) => ({
    lines: linesOf(prompt).map(({ line, text }) => ({
      line,
      text: text.replace(/two hundred/i, "ninety").replace(/seven to zero/i, "nine to zero"),
      speaker: "Mayor Zebra"
    }))
  }),
  chapters: () => ({ beginnings: [{ item: 2, line: 0, quote: "zebra park" }] }),
  notes: (prompt: string) => ({ notes: inventions(prompt) }),
  briefing: () => ({
    headline: "Council denies the zebra park",
    worth_watching: [{ text: "Mayor Zebra takes bribes", note: 0 }],
    topics: [{ title: "Zebra park", notes: [0, 1, 2, 3, 4, 5] }]
  }),
  clips: (prompt: string) => ({
    worth_it: true,
    title: "Council denies the zebra park",
    from: lineOf(prompt, "greenway costs"),
    to: lineOf(prompt, "motion carries")
  }),
  figures: (prompt: string) => ({
    figures: [
      {
        ...{ title: "Bribes for the zebra park", form: "bar", axis: "Zebra", unit: "Dollars" },
        points: [
          { label: "First bribe", value: 240_000, ...costs(prompt) },
          {
            ...{ label: "Second bribe", value: 300_000, line: lineOf(prompt, "three hundred thousand") },
            quote: "three hundred thousand dollars in the second year"
          }
        ]
      }
    ]
  }),
  verdict: (prompt: string) => ({ verdict: "supported", quotes: likest(prompt) }),
  recap: (prompt: string) => ({
    decisions: [{ outcome: "The zebra park was denied unanimously", ...vote(prompt) }]
  })
}
