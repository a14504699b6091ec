import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import type { Viewer } from "../../schema/viewer.ts"
import { Forbidden } from "./errors/classes.ts"

/** The viewer of the request that is being handled. */
export class CurrentViewer extends Context.Service<CurrentViewer, Viewer>()("civic-record/CurrentViewer") {}

/** Turns the credentials of a request into a viewer; anonymous is welcome. */
export class Access extends HttpApiMiddleware.Service<Access, { provides: CurrentViewer }>()("civic-record/Access", {
  error: Forbidden
}) {}
