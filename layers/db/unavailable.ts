import { Cause, Predicate } from "effect"
import { SqlError } from "effect/sql"
import { ObjectStoreError } from "../object-store/errors.ts"

const away = "The database cannot be reached at the moment."
const busy = "The database is too busy at the moment."
const full = "The database has no room at the moment."

/** PostgreSQL's error codes (its documentation, appendix A) that are worth retrying. */
const byState: ReadonlyArray<readonly [state: RegExp, sentence: string]> = [
  // Connection exceptions; a server that is stopping, has crashed, is starting up, or ended an idle session.
  [/^08|^57P0[1-5]$/, away],
  // A server that is no longer the primary; connections to the one that is are opened in its place.
  [/^25006$/, away],
  [/^53100$/, full],
  // The rest of "insufficient resources": memory, connections, a configured limit.
  [/^53/, busy],
  // Contention and timeouts: a serialization failure, a deadlock, a lock that was not available, a statement timeout.
  [/^(40001|40P01|55P03|57014)$/, busy]
]

const ofSql = ({ reason }: SqlError.SqlError): string | undefined => {
  const state = Predicate.hasProperty(reason.cause, "code") ? String(reason.cause.code) : ""
  const found = byState.find(([states]) => states.test(state))
  if (found !== undefined) return found[1]
  return reason._tag === "ConnectionError" || reason._tag === "AuthenticationError" ? away : undefined
}

/**
 * A message for the caller about a transient fault: the database or the media store is unreachable, starting, full or
 * too busy, or something timed out (contract section 2: 503 `unavailable`). Undefined for any other fault. Examines the
 * causes of the fault too.
 */
export const whyUnavailable = (fault: unknown): string | undefined => {
  if (SqlError.isSqlError(fault)) return ofSql(fault)
  if (Cause.isTimeoutError(fault)) return "The service is too busy to answer in time."
  if (fault instanceof ObjectStoreError) return "The media store cannot be reached at the moment."
  return Predicate.hasProperty(fault, "cause") && fault.cause !== fault ? whyUnavailable(fault.cause) : undefined
}
