import { Effect } from "effect"
import type { BodyElsewhere, BodyUnsettled, NotFound } from "../services/failures.ts"
import { Completion } from "../services/operators/runs/completion.ts"
import { saidOfRerun, saidOfRetry } from "../services/queue/flows.ts"
import type { PlaceUnclear, TypedPlaces } from "../services/sources/typed-places.ts"
import type { ConsoleAct, ConsoleSent } from "./page.ts"
import { placeOnRecord, placeTyped } from "./source-changes.ts"

type Services = Completion

export const startRun: ConsoleAct<NotFound | PlaceUnclear, Services | TypedPlaces> = Effect.fn("Console.startRun")(
  function* ({ form }) {
    const { slug } = yield* placeOnRecord(yield* placeTyped(form))
    const { id, started } = yield* (yield* Completion).start(slug)
    return {
      to: `/runs/${id}`,
      said: started
        ? "The run is open, and the sources of the place are crawled."
        : "This run of the place was open already."
    }
  }
)

export const endRun: ConsoleAct<NotFound, Services> = Effect.fn("Console.endRun")(function* ({ params }) {
  const id = params.run ?? ""
  yield* (yield* Completion).end(id)
  return { to: `/runs/${id}`, said: "The run is over, and its tokens are revoked." }
})

/**
 * Who does an operation of a run from the console: an operator, without a token. The run's own audit writes it down.
 */
const doingOf = ({ params, operator }: ConsoleSent) => {
  const run = params.run ?? ""
  return { agent: { tokenId: undefined, machine: operator, runId: run }, run }
}

const pageOf = ({ params }: ConsoleSent) => `/runs/${params.run ?? ""}`

const toldOf = (sent: ConsoleSent, changed: boolean, done: string) => ({
  to: pageOf(sent),
  said: changed ? done : "That had been done before."
})

export const importDiscovered: ConsoleAct<NotFound | BodyUnsettled, Completion> = Effect.fn("Console.importDiscovered")(
  function* (sent) {
    const { changed } = yield* (yield* Completion).importDiscovered(doingOf(sent), sent.params.id ?? "")
    return toldOf(sent, changed, "The meeting is on record, and its work has begun.")
  }
)

export const settleBody: ConsoleAct<NotFound | BodyUnsettled | BodyElsewhere, Completion> = Effect.fn(
  "Console.settleBody"
)(function* (sent) {
  const { changed } = yield* (yield* Completion).sameBody(doingOf(sent), sent.params.id ?? "")
  return toldOf(sent, changed, "It is settled which body this is.")
})

export const rerunUnderRun: ConsoleAct<NotFound, Completion> = Effect.fn("Console.rerunUnderRun")(function* (sent) {
  const { id = "", stage = "" } = sent.params
  const { changed, task } = yield* (yield* Completion).rerun(doingOf(sent), id, stage)
  return { to: pageOf(sent), said: saidOfRerun(changed, task) }
})

export const retryUnderRun: ConsoleAct<NotFound, Completion> = Effect.fn("Console.retryUnderRun")(function* (sent) {
  const { changed, task } = yield* (yield* Completion).retry(doingOf(sent), sent.params.id ?? "")
  return { to: pageOf(sent), said: saidOfRetry(changed, task) }
})
