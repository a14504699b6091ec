import escapeHtml from "escape-html"
import type { MailingList } from "../../../schema/account.ts"
import { smallPage } from "./small-page.ts"

const named: Readonly<Record<MailingList, string>> = {
  recaps: "recaps of meetings you follow",
  saved_searches: "new results of your saved searches",
  all: "recaps of meetings or new results of your saved searches"
}

/** Asks. It is the same for everyone who has the link, and does not say whose mail it is. */
export const askPage = (list: MailingList, token: string) =>
  smallPage(
    {
      title: "Unsubscribe",
      main: `<p>Once you unsubscribe, Civic Record will no longer mail you ${named[list]}.</p>
<form method="post" action="?t=${escapeHtml(encodeURIComponent(token))}">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button>Unsubscribe</button>
</form>`
    },
    { forms: true }
  )

/** Confirms. Repeating the request has the same answer. */
export const donePage = (list: MailingList) =>
  smallPage(
    {
      title: "You are unsubscribed",
      main: `<p role="status">Civic Record no longer mails you ${named[list]}.</p>
<p>If you change your mind, sign in and turn these mails back on in your account.</p>
<p><a href="/">Go to Civic Record</a></p>`
    },
    { forms: true }
  )
