/** The functions that one end of a channel answers by; they take and return what JSON can hold. */
// biome-ignore lint/suspicious/noExplicitAny: any function fits here, and `ask` states the types of each
type Answers = Readonly<Record<string, (...asked: any) => unknown>>

/** The end of Node's channel between a process and its parent, as far as it is used here. */
interface Port {
  readonly connected: boolean
  readonly send: (message: object) => unknown
  readonly on: (event: "message", listener: (message: Message) => void) => unknown
}

interface Message {
  readonly asked?: ReadonlyArray<readonly [id: number, name: string, argument: ReadonlyArray<unknown>]>
  readonly answered?: ReadonlyArray<readonly [id: number, answer: unknown]>
}

/** Asks the other end: by name and with the arguments of one of its functions. */
export type Ask<Theirs extends Answers> = <Name extends keyof Theirs & string>(
  name: Name,
  ...asked: Parameters<Theirs[Name]>
) => Promise<Awaited<ReturnType<Theirs[Name]>>>

/**
 * Questions and answers between a process and its parent. Those of one turn of the event loop travel in one message,
 * because a message costs as much as what is counted by it. A question whose other end is gone is never answered: a
 * process
 * ends with its parent, and a parent limits how long it waits.
 */
export const makeChannel = <Theirs extends Answers>(port: Port, ours: Answers): { readonly ask: Ask<Theirs> } => {
  const waiting = new Map<number, (answer: never) => void>()
  let asked: Array<readonly [number, string, ReadonlyArray<unknown>]> = []
  let answered: Array<readonly [number, unknown]> = []
  let last = 0

  const flush = () => {
    if (port.connected) port.send({ asked, answered } satisfies Message)
    asked = []
    answered = []
  }
  const soon = () => {
    if (asked.length + answered.length === 0) setImmediate(flush)
  }
  const answer = async (id: number, name: string, argument: ReadonlyArray<unknown>) => {
    const made = ours[name]?.(...argument)
    // What is known at once goes back in the message of this turn.
    const value = made instanceof Promise ? await made : made
    soon()
    answered.push([id, value])
  }

  port.on("message", (message) => {
    for (const [id, name, argument] of message.asked ?? []) void answer(id, name, argument)
    for (const [id, value] of message.answered ?? []) {
      waiting.get(id)?.(value as never)
      waiting.delete(id)
    }
  })

  return {
    ask: (name, ...argument) =>
      new Promise((resolve) => {
        const id = ++last
        waiting.set(id, resolve)
        soon()
        asked.push([id, name, argument])
      })
  }
}
