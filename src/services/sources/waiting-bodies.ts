import type { AgentSource } from "../../../schema/agent/directory.ts"

/** A body that a source lists and that waits for an operator: why, in words, and what to run. */
export interface WaitingBody {
  readonly name: string
  /** The slug of the body that it may be. */
  readonly like: string | undefined
  readonly why: string
  readonly nextStep: string
}

/** As a shell takes it: the names come from other people's servers. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The bodies of a source that are mapped to none on record; their meetings are not on record. */
export const waitingBodies = ({ id, place, bodies }: AgentSource): ReadonlyArray<WaitingBody> =>
  bodies
    .filter(({ agency }) => agency === undefined)
    .map(({ source_body: name, like }) => {
      const map = `civic-record source map ${id} ${quoted(name)}`
      return {
        name,
        like: like?.slug,
        why:
          like === undefined
            ? `${name} waits for an operator: no body on record in ${place.name} has that name.`
            : `${name} waits for an operator: ${place.name} has a body with a similar name, ${like.name} (${like.slug}).`,
        nextStep: `If it is ${like === undefined ? "one of those" : "the same"}, run: ${map} ${like?.slug ?? "AGENCY"}. If not, run: ${map} --new`
      }
    })
