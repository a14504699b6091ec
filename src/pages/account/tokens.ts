import { Effect } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { mostReaderTokens } from "../../../schema/account.ts"
import { el, type Kid } from "../../page-tree/tree.ts"
import { type ReaderToken, ReaderTokens } from "../../services/accounts/reader-tokens.ts"
import { readerTokenHeader } from "../parts/reader-token-header.ts"
import { plainDate } from "../said.ts"
import { act, field, form } from "./form.ts"
import { type LoadTask, taskPage, type Visit } from "./task.ts"

const path = "/account/tokens"

const head = {
  path,
  title: "Your programs",
  description: "Tokens with which assistants and other programs read meetings for you."
} as const

const about = el(
  "p",
  {},
  "With a token, an assistant that uses the Model Context Protocol reads what you may read: decisions, votes and the words of every meeting. It cannot change anything, or see or change your account. ",
  el("a", { href: "/developers#elsewhere" }, "How to connect one"),
  "."
)

const day = (instant: string): string => plainDate(instant.slice(0, 10))

const one = ({ id, name, created_at, last_used_at }: ReaderToken): Kid =>
  el(
    "li",
    {},
    name,
    " ",
    el(
      "span",
      { class: "num" },
      `Made on ${day(created_at)}, ${last_used_at === undefined ? "not used yet" : `last used on ${day(last_used_at)}`}`
    ),
    " ",
    act(`${path}/${id}/revoke`, "Revoke", {}, name)
  )

/** `/account/tokens` */
export const loadTokens: LoadTask<ReaderTokens> = Effect.fn("AccountPage.tokens")(function* (visit) {
  const tokens = yield* (yield* ReaderTokens).list(visit.reader)
  return taskPage(
    visit,
    head,
    about,
    tokens.length === 0
      ? el("p", {}, "You have no token yet.")
      : [
          el("ul", { class: "dotted" }, tokens.map(one)),
          el("p", {}, "A token was shown when it was made and cannot be shown again. A revoked one opens nothing.")
        ],
    tokens.length < mostReaderTokens
      ? form(
          path,
          "Make a token",
          field(visit, {
            name: "token_name",
            label: "Name of the program",
            hint: "So that you know later which token is whose.",
            autocomplete: "off",
            maxlength: 60
          })
        )
      : el("p", {}, `You have ${mostReaderTokens} tokens, which is the limit. Revoke one to make another.`)
  )
})

/** The page after a token was made, the only one that shows it. */
export const newTokenPage = Effect.fnUntraced(function* (visit: Visit, token: string) {
  const { baseUrl } = yield* Environment
  return taskPage(
    visit,
    head,
    el("p", { class: "done", role: "status", tabindex: -1, autofocus: true }, "This is the token for your program."),
    el("p", {}, el("code", { class: "secret" }, token)),
    el(
      "p",
      {},
      "Copy it now. It is not shown again. In the settings of your program, add the server ",
      el("code", {}, `${baseUrl}/mcp`),
      " and send the token in the header ",
      el("code", {}, readerTokenHeader),
      "."
    ),
    about,
    el("p", {}, el("a", { href: path }, "Done"))
  )
})
