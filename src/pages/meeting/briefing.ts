import type { EditedNewsletter, Graphics } from "../../../schema/briefing.ts"
import type { Chapter } from "../../../schema/meeting.ts"
import { type El, el, heading, type Kid, web } from "../../page-tree/tree.ts"
import { withoutMarkdown } from "../../text/without-markdown.ts"
import { onThisOrigin } from "../parts/origin.ts"
import { plural } from "../said.ts"
import { cited, part } from "./part.ts"
import type { MeetingView, RecordView, TeaserView } from "./view.ts"
import { isRecord } from "./view.ts"

const notChecked = {
  disabled: "The claim check is turned off on this service: compare each sentence with the moments it cites.",
  unchecked: "This briefing was imported and has not been checked here. Compare it with the moments it cites."
}

/** Topics under one name are told apart by the chapter they are about, or else counted. */
export const topicNames = (
  topics: ReadonlyArray<{ readonly title: string; readonly start: number | undefined }>,
  chapters: ReadonlyArray<Chapter>
): ReadonlyArray<string> => {
  const titles = topics.map(({ title }) => withoutMarkdown(title).trim())
  const alike = new Set(titles.filter((title, at) => titles.indexOf(title) !== at))
  const named = topics.map(({ start }, at) => {
    const title = titles[at] ?? ""
    const chapter = start === undefined ? undefined : chapters.findLast((one) => one.start <= start + 0.05)
    return alike.has(title) && chapter !== undefined && chapter.title !== title ? `${title}: ${chapter.title}` : title
  })
  return named.map((name, at) => {
    const same = named.flatMap((other, index) => (other === name ? [index] : []))
    return same.length === 1 ? name : `${name} (${same.indexOf(at) + 1} of ${same.length})`
  })
}

/** How the briefing was checked, in a line; `claims` are those with a verdict. */
const check = (
  { verification, removed_sentences, unchecked_sentences, topics }: EditedNewsletter,
  { claims }: Pick<RecordView, "claims">
): Kid => {
  const stood = topics.reduce((sum, { sentences }) => sum + sentences.length, 0)
  const were = (count: number) => `${count} ${count === 1 ? "was" : "were"}`
  const nobody = "there is no model here to check them but the one that wrote them"
  const alone = unchecked_sentences === 0 ? "" : ` ${were(unchecked_sentences)} left out unchecked, because ${nobody}.`
  const all = unchecked_sentences === 0 ? "Each claim" : "Only what code alone can settle"
  const unsupported = Math.max(0, removed_sentences - unchecked_sentences)
  const none =
    unsupported === 1
      ? "Its only sentence did not stand, and was removed."
      : `None of its ${unsupported} sentences stood, and they were removed.`
  const result =
    stood > 0 || unsupported === 0 ? `${plural(stood, "sentence")} stood; ${were(unsupported)} removed.` : none
  const outcome = `${result}${alone}`
  const hasVerdicts = claims !== undefined && claims.claims.length > 0
  const words = {
    verified: `${all} was checked against the recording. ${outcome}`,
    disabled: notChecked.disabled,
    unchecked:
      claims?.imported === false
        ? `${were(unchecked_sentences)} not checked, because ${nobody}. Compare each sentence with the moments it cites.`
        : hasVerdicts
          ? `This briefing was imported with the result of a check, which has not been repeated here. ${outcome}`
          : notChecked.unchecked
  }
  return el(
    "p",
    { class: "checked" },
    words[verification],
    verification !== "disabled" && hasVerdicts && web(" ", el("a", { href: "#claims" }, "See the check"))
  )
}

const figure = ({ url, alt, title, width, height }: Graphics["figures"][number]): El =>
  el(
    "figure",
    {},
    web(el("img", { src: onThisOrigin(url), alt, width, height, loading: "lazy" })),
    el("figcaption", {}, title)
  )

const watch = (items: ReadonlyArray<Kid>): Kid =>
  items.length > 0 &&
  el(
    "section",
    { class: "watch" },
    heading("Worth watching"),
    el(
      "ul",
      {},
      items.map((item) => el("li", {}, item))
    )
  )

const edited = (newsletter: EditedNewsletter, { figures, claims, meeting }: RecordView): Kid => {
  const names = topicNames(
    newsletter.topics.map(({ title, sentences }) => ({ title, start: sentences[0]?.citations[0]?.start })),
    meeting.chapters
  )
  const placed = new Set<string>(newsletter.topics.flatMap((topic) => topic.figures))
  return part(
    "briefing",
    "Briefing",
    check(newsletter, { claims }),
    newsletter.topics.map((topic, at) =>
      el(
        "section",
        { class: "topic" },
        heading(names[at] ?? topic.title),
        el(
          "p",
          {},
          topic.sentences.map(({ text, citations }, index) => [
            index > 0 && " ",
            withoutMarkdown(text),
            cited(citations)
          ])
        ),
        figures.filter(({ id }) => topic.figures.includes(id)).map(figure)
      )
    ),
    figures.filter(({ id }) => !placed.has(id)).map(figure),
    watch(
      newsletter.worth_watching.map(({ text, start }) => [
        withoutMarkdown(text),
        start !== undefined && cited([{ start }])
      ])
    )
  )
}

const teaser = ({ meeting: { newsletter_teaser: teaser, has } }: TeaserView): Kid => {
  if (teaser === undefined) return has.briefing && part("briefing", "Briefing", pending)
  const { verification, first_topic, worth_watching } = teaser
  // Of a verified briefing nothing may have stood.
  if (verification === "verified" && first_topic === undefined && worth_watching.length === 0) return false
  return part(
    "briefing",
    "Briefing",
    verification !== "verified" && el("p", { class: "checked" }, notChecked[verification]),
    first_topic !== undefined &&
      el(
        "section",
        { class: "topic" },
        heading(withoutMarkdown(first_topic.title)),
        el("p", {}, withoutMarkdown(first_topic.summary))
      ),
    watch(worth_watching.map(withoutMarkdown))
  )
}

const pending = el(
  "p",
  { class: "checked" },
  "The briefing is written, but not all of its claims have been checked against the recording. It will appear here once they have."
)

/** As much of the briefing as the viewer may read, or why there is nothing to read yet. */
export const briefing = (view: MeetingView): Kid => {
  if (!isRecord(view)) return teaser(view)
  const { newsletter } = view
  if (newsletter === undefined) return false
  return newsletter.pending_verification ? part("briefing", "Briefing", pending) : edited(newsletter, view)
}
