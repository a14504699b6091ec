import { endsWith, whole } from "./patterns.ts"
import { type Tokens, wordsIn } from "./tokens.ts"

/** What the last question was about. */
export type Asked = "address" | "home" | "site" | "mail" | "phone" | "email"

/** How many words later an answer may come. */
const reach: Readonly<Record<Asked, number>> = { address: 40, home: 16, site: 24, mail: 24, phone: 24, email: 24 }

const phones = "phone|telephone|cell|contact|callback"
const aPlace = String.raw`(?:the|this|that|your) (?!(?:home|house|mail))\w+(?: \w+)?`

const questions: ReadonlyArray<readonly [Asked, RegExp]> = [
  [
    "site",
    endsWith([
      "your (?:business|office|store|work|company|restaurant) address",
      "address (?:of|for) (?:the|this|that|your) (?:site|property|project|building|store|business|location)",
      "address (?:of|for) (?:the|this|that|your) (?:development|lot|parcel|restaurant|facility)",
      "(?:business|office|store|project|property|site|company|restaurant|facility) address|which address",
      `wheres? (?:is |are |will )?${aPlace}(?: located| going| at)?`,
      "where is this|wheres this(?: at)?",
      "(?:store|business|property|restaurant|office|site) (?:is )?located"
    ])
  ],
  ["mail", /(?:^| )(?:(?:your|a|an) mailing address|get your mail|send you mail|mail you)$/u],
  [
    "email",
    endsWith([
      String.raw`(?:your|an|the|good|best|what|whats|and) (?:\w+ )?(?:email|e mail)(?: address)?`,
      String.raw`(?:can|could|do) \w+ (?:email|write) you`
    ])
  ],
  [
    "phone",
    new RegExp(
      [
        String.raw`(?:^| )(?:your|a|good|best|the|contact|callback) (?:\w+ )?(?:${phones}|mobile)(?: phone)? number`,
        "(?:phone|number|cell) (?:for|to reach) you(?: at)?",
        `^(?:and )?(?:a )?(?:${phones})(?: number)?`,
        String.raw`number (?:where|that|to|we) (?:\w+ )*(?:reach|call) you(?: at)?`,
        String.raw`number (?:\w+ )?(?:we|i|they|somebody|someone|staff) (?:can|could) (?:call|reach)(?: you)?(?: at)?`,
        "best number(?: for you)?|your (?:number|phone|cell)"
      ]
        .map((question) => `(?:${question})$`)
        .join("|"),
      "u"
    )
  ],
  [
    "home",
    endsWith([
      String.raw`where (?:do|did|are|in \w+ do) you (?:live|reside|from|living|located|all live|folks live)`,
      String.raw`whereabouts do you live|do you live|what street (?:are|do|is) \w+(?: \w+)?|which street`,
      "where you live|where you reside|you (?:live|reside) where|and you live at|you live at",
      "which (?:house|one|lot|place|unit) is yours|which house",
      "your house number|where is (?:home|your (?:house|home))|wheres (?:home|your (?:house|home))"
    ])
  ],
  [
    "address",
    endsWith([
      String.raw`names? and (?:\w+ )?(?:street |home )?address(?:es)?`,
      String.raw`(?:your|state an?|an|give us an?|and|home|street|full|old|same|current|that) (?:\w+ )?address`,
      String.raw`^(?:\w+ )?address|address please|need my address`
    ])
  ]
]

/** The same, but only at the end of a sentence. */
const statements: ReadonlyArray<readonly [Asked, RegExp]> = [
  ["address", /(?:^| )(?:the|my) address$/u],
  ["phone", /(?:^| )(?:in touch with|reach|contact|call) you(?: back)?(?: at)?$|have a (?:phone|cell)(?: number)?$/u],
  ["phone", /^(?=.*(?:^| )(?:phone|telephone|cell|mobile|callback)(?: |$))(?=.*(?:^| )(?:you|your)(?: |$))/u],
  ["address", /^(?:and )?for the record$/u],
  ["address", /(?:^| )(?:city|county|town|local|district) resident$/u],
  ["home", /(?:^| )you (?:\w+ ){0,2}(?:live|reside)(?: \w+){0,4}$/u]
]

const triggers = whole([
  "where|address|addresses|live|reside|living|from|street|on|at|in|located|going|number|email|mail|box",
  "call|reach|you|home|house|please|record|phone|cell|for|parcel|site|property|building|store|business",
  "location|office|restaurant|facility|project|this|of"
])

/** What each token answers, if a question was asked shortly before it. */
export const askedBefore = (tokens: Tokens): ReadonlyArray<Asked | undefined> => {
  let kind: Asked | undefined
  let from = 0
  return tokens.map((token, at) => {
    const current = kind !== undefined && at - from <= reach[kind] ? kind : undefined
    if (token.asks || triggers.test(token.word)) {
      let first = at
      while (first > 0 && at - first < 8 && tokens[first - 1]?.breaks !== "sentence" && tokens[first - 1]?.word !== "")
        first--
      const said = wordsIn(tokens, first, at + 1)
      const ends = token.asks || tokens[at + 1] === undefined
      const found =
        questions.find(
          ([kind, question]) => question.test(said) && (kind !== "site" || ends || /your \w+ address$/u.test(said))
        ) ?? (ends ? statements.find(([, question]) => question.test(said)) : undefined)
      if (found !== undefined) {
        kind = found[0]
        from = at
      }
    }
    return current
  })
}
