import type { Claim, Verdict } from "../../../schema/briefing.ts"
import { el, type Kid } from "../../page-tree/tree.ts"
import { hear, part } from "./part.ts"
import type { RecordView } from "./view.ts"

const verdicts: Readonly<Record<Verdict, string>> = {
  supported: "Supported",
  unsupported: "Not supported",
  contradicted: "Contradicted",
  unchecked: "Not checked"
}

const row = ({ text, verdict, kept, evidence }: Claim): Kid =>
  el(
    "tr",
    {},
    el("td", {}, kept ? text : el("del", {}, text)),
    el("td", {}, el("span", { class: `verdict ${verdict}` }, verdicts[verdict], !kept && ", removed")),
    el(
      "td",
      {},
      evidence.length === 0
        ? "Nothing in the recording"
        : evidence.map(({ start, quote }, index) => [index > 0 && " ", "“", quote, "” ", hear(start)])
    )
  )

/** The briefing's claims, the result of the check, and the sentences that it removed. */
export const claims = ({ claims }: RecordView): Kid =>
  claims !== undefined &&
  claims.claims.length > 0 &&
  part(
    "claims",
    "Claims",
    el(
      "p",
      { class: "note" },
      claims.status === "pending"
        ? "What the briefing claims, as far as it has been checked against the recording."
        : claims.imported
          ? "What the briefing claimed, and what the check that was imported with it found. A removed claim stays here, struck through."
          : "What the briefing claimed, and what the recording says. A removed claim stays here, struck through."
    ),
    el(
      "table",
      { class: "claims" },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          ["Claim", "Verdict", "Evidence"].map((name) => el("th", { scope: "col" }, name))
        )
      ),
      el("tbody", {}, claims.claims.map(row))
    )
  )
