import { type Answer, afterTitle, answerAt, type Named, namedAt, type Option } from "./ballots.ts"
import type { Token } from "./tokens.ts"

/** A call of a member with the answer, if one is heard. */
interface Call extends Named {
  readonly answer: Answer | undefined
  readonly isEcho: boolean
  /** The place after the answer, or after the name. */
  readonly end: number
}

/** A member's vote as it is heard. */
export interface HeardBallot {
  readonly from: number
  readonly to: number
  readonly answer: Option
}

/** A roll that is called for a vote: `from` up to but not including `to`. */
export interface Roll {
  readonly from: number
  readonly to: number
  readonly ballots: ReadonlyArray<HeardBallot>
  /** Whether every member is heard to answer, once, with nothing in between. */
  readonly isWhole: boolean
}

interface Run extends Roll {
  /** The number of members called. */
  readonly called: number
}

/** The most words between an answer and the next call where nothing else is going on. */
const steady = 8
/** The most words between two calls of one roll. */
const longestGap = 30
const fewest = 3

/** Whether the one named is asked to call the roll. */
const isClerk = (tokens: ReadonlyArray<Token>, at: number): boolean =>
  tokens[at - 1]?.word === "roll" && tokens[at - 2]?.word === "the" && !tokens[at]?.opens

const callsIn = (tokens: ReadonlyArray<Token>, hasCapitals: boolean): ReadonlyArray<Call> => {
  const calls: Array<Call> = []
  for (let at = 0; at < tokens.length; at++) {
    // A name without a title is a call only where it stands alone between two ends of sentences.
    const named = isClerk(tokens, at) ? undefined : namedAt(tokens, at, hasCapitals)
    if (named === undefined || (!named.isTitled && !tokens[at]?.opens)) continue
    const answered = answerAt(tokens, named.to)
    const stands = tokens[named.to]?.opens || tokens[named.to]?.leads || namedAt(tokens, named.to, false)?.isTitled
    if (answered === undefined && (!stands || !named.isTitled)) continue
    if (!named.isTitled && answered === undefined) continue
    const end = answered?.to ?? named.to
    calls.push({ ...named, answer: answered?.answer, isEcho: answered?.isEcho ?? false, end })
    at = end - 1
  }
  return calls
}

/** A member's name without the title. Two members may share the last name. */
const nameOf = (tokens: ReadonlyArray<Token>, { from, to }: Named): string =>
  tokens
    .slice(afterTitle(tokens, from), to)
    .map(({ word }) => word)
    .join(" ")

/** Whether someone answers in these words, so that an answer is without a name or changed. */
const answersIn = (tokens: ReadonlyArray<Token>, from: number, to: number): boolean =>
  Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset).some(
    (at) => (tokens[at]?.opens || tokens[at]?.leads) && answerAt(tokens, at) !== undefined
  )

/** How many letters two spellings of one name begin with, as recognizers hear it. */
const alike = 3

/** The names that are called. An echo after an answer is of the same member, also where it is spelled otherwise. */
const namesOf = (tokens: ReadonlyArray<Token>, run: ReadonlyArray<Call>): ReadonlyArray<string> => {
  const names: Array<string> = []
  for (const [at, call] of run.entries()) {
    const [before, last = ""] = [run[at - 1], names.at(-1)]
    const name = nameOf(tokens, call)
    const isEchoed =
      call.isEcho &&
      before !== undefined &&
      !before.isEcho &&
      before.answer === call.answer &&
      call.from - before.end <= 1
    names.push(isEchoed && name.slice(0, alike) === last.slice(0, alike) ? last : name)
  }
  return names
}

/** One vote of each member in a run of calls. */
const rollOf = (tokens: ReadonlyArray<Token>, run: ReadonlyArray<Call>): Run | undefined => {
  const votes = new Map<string, { readonly ballot: HeardBallot | undefined; readonly isSure: boolean }>()
  const names = namesOf(tokens, run)
  let isSteady = true
  for (const [at, call] of run.entries()) {
    const before = run[at - 1]
    const name = names[at] ?? ""
    const last = names[at - 1]
    const gap = before === undefined ? 0 : call.from - before.end
    const isNoisy = before !== undefined && (gap > steady || answersIn(tokens, before.end, call.from))
    const known = votes.get(name)
    const ballot =
      call.answer === undefined || call.answer === "here" || call.answer === "pass"
        ? undefined
        : { from: call.from, to: call.to, answer: call.answer }
    // The clerk's echo settles what was heard before it.
    const isSettled = call.isEcho && last === name
    if (isNoisy && !isSettled) {
      isSteady = false
      const own = last === undefined ? undefined : votes.get(last)
      if (last !== undefined && own !== undefined && last !== name && answersIn(tokens, before?.end ?? 0, call.from))
        votes.set(last, { ...own, isSure: before?.isEcho ?? false })
    }
    if (known === undefined || isSettled || known.ballot === undefined) votes.set(name, { ballot, isSure: true })
    else if (ballot !== undefined) {
      isSteady = false
      if (known.ballot.answer !== ballot.answer) votes.set(name, { ...known, isSure: false })
    }
  }
  const all = [...votes.values()]
  const ballots = all.flatMap(({ ballot, isSure }) => (ballot !== undefined && isSure ? [ballot] : []))
  const heard = ballots.filter(({ answer }) => answer === "yes" || answer === "no" || answer === "abstain")
  const [first, last] = [run[0], run.at(-1)]
  // Names that are called without a title are seen only where they are answered.
  const isWhole = isSteady && ballots.length === all.length && run.every(({ isTitled }) => isTitled)
  return heard.length < fewest || heard.length < all.length / 2 || first === undefined || last === undefined
    ? undefined
    : {
        from: first.from,
        to: last.end,
        ballots,
        called: all.length,
        isWhole
      }
}

/**
 * Rolls called for votes: runs of names and answers. One for attendance is none. A roll is over at one of the places
 * `ends`.
 */
export const rollsIn = (
  tokens: ReadonlyArray<Token>,
  hasCapitals: boolean,
  ends: ReadonlyArray<number>
): ReadonlyArray<Roll> => {
  const runs: Array<Array<Call>> = []
  const calls = callsIn(tokens, hasCapitals)
  const times = Map.groupBy(calls, (call) => nameOf(tokens, call))
  for (const call of calls) {
    const run = runs.at(-1)
    const before = run?.at(-1)
    // A second turn of somebody who has voted opens another roll, unless it repeats the call before.
    const isAgain =
      run !== undefined &&
      run.filter(({ answer }) => answer !== undefined).length >= 2 * fewest &&
      run
        .filter(({ answer }) => answer !== undefined)
        .slice(0, 2)
        .some((one) => nameOf(tokens, one) === nameOf(tokens, call) && one.answer !== "pass")
    const between = tokens.slice(before?.end, call.from)
    const isOver =
      ends.some((end) => before !== undefined && end >= before.end && end < call.from) ||
      between.some(({ word }) => /^(?:second|seconded|roll)$/u.test(word))
    if (run === undefined || before === undefined || call.from - before.end > longestGap || isAgain || isOver)
      runs.push([call])
    else run.push(call)
  }
  const trimmed = runs.map((run) => {
    const first = run.findIndex(
      ({ answer, end }, at) => answer !== undefined || (run[at + 1]?.from ?? Number.POSITIVE_INFINITY) - end <= 2
    )
    const last = run.findLastIndex(
      ({ answer, from }, at) => answer !== undefined || from - (run[at - 1]?.end ?? 0) <= steady
    )
    const own = run.slice(Math.max(0, first), last + 1)
    // Where others have a title, a word without one is a name only if it is called in another roll, too.
    const isName = (call: Call) => call.isTitled || (times.get(nameOf(tokens, call))?.length ?? 0) > 1
    return own.some(({ isTitled }) => isTitled) ? own.filter(isName) : own
  })
  const isAttendance = (run: ReadonlyArray<Call>) =>
    run.filter(({ answer }) => answer === "here").length > run.length / 4
  const rolls = trimmed.filter((run) => !isAttendance(run)).flatMap((run) => rollOf(tokens, run) ?? [])
  // Captions lose a name with its answer now and then, and a shorter roll cannot tell that from a member who left.
  const members = mostCommon([
    ...rolls.filter(({ isWhole }) => isWhole).map(({ called }) => called),
    ...trimmed.filter(isAttendance).map((run) => new Set(run.map((call) => nameOf(tokens, call))).size)
  ])
  return rolls.map((roll) => ({ ...roll, isWhole: roll.isWhole && roll.called >= members }))
}

/** The number that occurs most, and the largest of these; 0 without any. */
const mostCommon = (numbers: ReadonlyArray<number>): number => {
  const times = Map.groupBy(numbers, (number) => number)
  return (
    [...times.keys()].toSorted((a, b) => (times.get(b)?.length ?? 0) - (times.get(a)?.length ?? 0) || b - a)[0] ?? 0
  )
}
