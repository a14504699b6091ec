import type { Vote } from "../../../schema/vote.ts"
import { type El, el, type Kid, prose } from "../../page-tree/tree.ts"
import { countsInWords, figureOf, resultWords } from "../../text/vote-words.ts"
import { ballotsShown, matterLink, originWords } from "../parts/votes.ts"
import { hear, part } from "./part.ts"
import type { MeetingView } from "./view.ts"

/** What was voted on: the item, else what was moved. */
const subjectOf = ({ kind, meeting, matter, motion }: Vote): string =>
  kind === "roll_call" ? "Roll call" : (meeting?.item?.title ?? matter?.title ?? motion ?? "Vote")

const voteShown = (vote: Vote): El => {
  const figure = figureOf(vote)
  const note = originWords[vote.from]
  const subject = subjectOf(vote)
  return el(
    "li",
    {},
    el(
      "p",
      { class: "outcome" },
      el("strong", {}, subject),
      vote.matter !== undefined && [" ", matterLink(vote.matter)],
      vote.start !== undefined && [" ", hear(vote.start)]
    ),
    el(
      "p",
      { class: "tally" },
      vote.result !== undefined && vote.result !== "other" && [el("span", {}, resultWords[vote.result]), " "],
      figure !== undefined && [el("strong", {}, figure), " "],
      vote.motion !== undefined && vote.motion !== subject && [el("span", { class: "note" }, vote.motion), " "],
      note !== undefined && el("span", { class: "note" }, note)
    ),
    vote.disagrees === true &&
      el("p", { class: "note" }, "What is heard of this vote at the meeting differs: listen, or ask the clerk."),
    vote.quote !== undefined && el("blockquote", { class: "note" }, vote.quote),
    (vote.moved_by !== undefined || vote.seconded_by !== undefined) &&
      el(
        "p",
        { class: "note" },
        vote.moved_by !== undefined && `Moved by ${vote.moved_by}. `,
        vote.seconded_by !== undefined && `Seconded by ${vote.seconded_by}.`
      ),
    vote.ballots.length > 0 &&
      el(
        "details",
        {},
        el(
          "summary",
          {},
          vote.kind === "roll_call" ? "Who was there" : "Who voted how",
          prose(": "),
          " ",
          el("span", { class: "note" }, countsInWords(vote))
        ),
        ballotsShown(vote.ballots)
      )
  )
}

/** The votes of a meeting and who was there. They are the city's own record, and so are open to all. */
export const votes = ({ votes: { total, votes } }: Pick<MeetingView, "votes">): Kid =>
  total > 0 && part("votes", "Votes", el("ol", { class: "votes" }, votes.map(voteShown)))
