import { createRequire } from "node:module"
import { Clock, Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { LRUCache } from "lru-cache"
import { SitePermissions } from "../../services/sources/site-permissions.ts"

/** What a site's `robots.txt` answered: its text, that there is none, or why it cannot be read for now. */
export type RobotsAnswer = { readonly text: string } | { readonly away: string } | "none"

/** Whether an address may be read, and the seconds between two requests that its site asks for. */
export interface Manners {
  readonly mayRead: boolean
  readonly gap: number
  /** Why the site cannot say for now, which counts as a refusal. */
  readonly away?: string
}

interface Rules {
  readonly isAllowed: (url: string, agent: string) => boolean | undefined
  readonly getCrawlDelay: (agent: string) => number | undefined
}

/** Its types describe a module of another kind than it is. */
const parse: (url: string, text: string) => Rules = createRequire(import.meta.url)("robots-parser")

/** The name by which sites address us in `robots.txt`; the User-Agent begins with it. */
const ourName = "CivicRecord"

const mostSites = 2000
const day = 86_400_000
/** For so long an answer that could not be had counts as a refusal (RFC 9309, section 2.3.1.4). */
const awayFor = 600_000
const longestDelay = 30
/** The gap at a site that is read on an operator's word alone. */
const permittedGap = 10

/** The longest `robots.txt` that has to be read (RFC 9309, section 2.5), in bytes. */
export const longestRobots = 512_000

/** Why an address is not read; the next step depends on who is told. */
export const robotsRefusal = "Its site asks programs not to read it (robots.txt)."

const allowed: Manners = { mayRead: true, gap: 0 }

/** What sites ask of programs in `robots.txt` (RFC 9309), kept for a day, and who may read them all the same. */
export class Robots extends Context.Service<
  Robots,
  {
    /** `fetched` asks for a site's file, where what is kept of it is too old. */
    readonly of: <E>(
      url: URL,
      fetched: (file: URL) => Effect.Effect<RobotsAnswer, E>
    ) => Effect.Effect<Manners, E | SqlError.SqlError>
  }
>()("civic-record/Robots") {
  static readonly layer = Layer.effect(
    Robots,
    Effect.gen(function* () {
      const permissions = yield* SitePermissions
      const kept = new LRUCache<string, { readonly answer: RobotsAnswer; readonly until: number }>({ max: mostSites })

      const answerOf = Effect.fnUntraced(function* <E>(
        file: URL,
        fetched: (file: URL) => Effect.Effect<RobotsAnswer, E>
      ) {
        const now = yield* Clock.currentTimeMillis
        const known = kept.get(file.href)
        if (known !== undefined && known.until > now) return known.answer
        const answer = yield* fetched(file)
        const isAway = answer !== "none" && "away" in answer
        kept.set(file.href, { answer, until: now + (isAway ? awayFor : day) })
        return answer
      })

      const of = Effect.fn("Robots.of")(function* <E>(
        url: URL,
        fetched: (file: URL) => Effect.Effect<RobotsAnswer, E>
      ) {
        const file = new URL("/robots.txt", url)
        const answer = yield* answerOf(file, fetched)
        if (answer === "none") return allowed
        const rules = "away" in answer ? undefined : parse(file.href, answer.text)
        if (rules !== undefined && rules.isAllowed(url.href, ourName) !== false) {
          return { mayRead: true, gap: Math.min(longestDelay, rules.getCrawlDelay(ourName) ?? 0) }
        }
        const mayRead = yield* permissions.isPermitted(url.host)
        return { mayRead, gap: permittedGap, ...("away" in answer && !mayRead ? { away: answer.away } : {}) }
      })

      return { of }
    })
  )

  /** For a deployment's own calendar, which needs nobody's leave. */
  static readonly layerUnasked = Layer.succeed(Robots, { of: () => Effect.succeed(allowed) })
}
