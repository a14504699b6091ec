import { el, type Kid } from "../../page-tree/tree.ts"
import { documentShown } from "../parts/documents.ts"
import { part } from "./part.ts"
import type { MeetingView } from "./view.ts"

/** What the body has published about the meeting: the agenda, the packet, the minutes, attachments. Open to all. */
export const documents = ({ meeting: { documents } }: MeetingView): Kid =>
  documents.length > 0 && part("documents", "Documents", el("ul", { class: "documents" }, documents.map(documentShown)))
