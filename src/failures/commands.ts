import { Predicate } from "effect"
import type { SqlError } from "effect/sql"

/** Failures of ports, files and commands. Their `message` is written for operators: what is wrong, and what to do. */
const own = { command: ({ message }: { readonly message: string }) => message }

/** What only the command line comes upon. */
export const commandFailures = {
  BackupError: own,
  CloudModelUnavailable: own,
  DataInUse: own,
  EmbeddedPostgresError: own,
  ExportError: own,
  InvalidSetting: own,
  NoDrillDatabase: own,
  ObjectNotFound: own,
  ObjectStoreError: own,
  ReadError: own,
  RendererError: own,
  SampleError: own,
  SchemaError: own,
  SpeechFailed: own,
  Unreadable: own,

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
