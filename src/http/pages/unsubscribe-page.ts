import escapeHtml from "escape-html"
import type { MailingList } from "../../../schema/account.ts"
import { smallPage } from "./small-page.ts"

const named: Readonly<Record<MailingList, string>> = {
  recaps: "recaps of the meetings that you follow",
  saved_searches: "what your saved searches find",
  all: "recaps of meetings and what your saved searches find"
}

/** Asks; the same for everyone who holds the link, and it says nothing of whose mail it is. */
export const askPage = (list: MailingList, token: string) =>
  smallPage(
    {
      title: "Unsubscribe",
      main: `<p>Civic Record will no longer mail you ${named[list]}.</p>
<form method="post" action="?t=${escapeHtml(encodeURIComponent(token))}">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button>Unsubscribe</button>
</form>`
    },
    { forms: true }
  )

/** Says that it is done; again it says the same. */
export const donePage = (list: MailingList) =>
  smallPage(
    {
      title: "You are unsubscribed",
      main: `<p role="status">Civic Record no longer mails you ${named[list]}.</p>
<p>If you change your mind, sign in and turn it on again in your account.</p>
<p><a href="/">Go to Civic Record</a></p>`
    },
    { forms: true }
  )
