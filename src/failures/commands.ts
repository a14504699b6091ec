import { Predicate } from "effect"
import type { SqlError } from "effect/sql"
import type { ObjectStoreError } from "../../layers/object-store/object-store.ts"
import { refusal } from "./words.ts"

/** Failures of ports, files and commands, whose own `message` tells operators the problem and the next step. */
const own = { command: ({ message }: { readonly message: string }) => message }

/** Failures that only the command line meets. */
export const commandFailures = {
  BackupError: own,
  CloudModelUnavailable: own,
  DataInUse: own,
  EmbeddedPostgresError: own,
  ExportError: own,
  InvalidSetting: own,
  NoDrillDatabase: own,
  ObjectNotFound: own,
  ObjectStoreError: {
    ...own,
    console: ({ reason }: ObjectStoreError) =>
      refusal(
        503,
        `The media store did not take it (${reason}).`,
        "Try it again in a moment: doctor says what is wrong."
      )
  },
  ReadError: own,
  RendererError: own,
  SampleError: own,
  SchemaError: own,
  SpeechFailed: own,
  Unreadable: own,
  WouldMove: own,

  SqlError: {
    command: ({ reason }: SqlError.SqlError) => {
      if (reason._tag === "ConnectionError" || reason._tag === "AuthenticationError") {
        return "The database cannot be reached. Check DATABASE_URL, or run: civic-record doctor"
      }
      const { message } = Predicate.hasProperty(reason.cause, "message") ? reason.cause : reason
      return `The database reported an error: ${message}`
    }
  }
}
