import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, References } from "effect"
import { SqlClient } from "effect/sql"
import { Db } from "../../../layers/db/db.ts"
import emailKeyMigration from "../../../layers/migrations/0008_email_key.ts"
import { TestDb } from "../../support/database.ts"

describe("the migration to keys of addresses", () => {
  it.effect("gives each account its key, the older of two that share one, and says which have none", () =>
    Effect.gen(function* () {
      const db = yield* Db
      // The schema as it was.
      yield* db`alter table account drop column email_key`
      yield* db`alter table email_change drop column email_key`
      yield* db`create unique index account_email on account (lower(email))`
      const rows = [
        ["a@bücher.example", "2026-01-02"],
        ["A@xn--bcher-kva.example", "2026-01-01"],
        ["Ada@Example.org", "2026-01-03"],
        ["İ@example.org", "2026-01-04"],
        ["me@gmaİl.com", "2026-01-05"]
      ] as const
      for (const [email, created] of rows) {
        yield* db`insert into account (email, created_at) values (${email}, ${created})`
      }
      const [waiting] = yield* db<{ id: string }>`select id from account where email = 'Ada@Example.org'`
      yield* db`
        insert into email_change (account_id, email, code_hash, expires_at)
        values (${waiting?.id}, 'next@example.org', ${new Uint8Array(32)}, now())`

      const lines: Array<{ readonly message: unknown; readonly accounts: unknown }> = []
      const logger = Logger.make(({ fiber, message }) => {
        lines.push({ message, accounts: fiber.getRef(References.CurrentLogAnnotations).accounts })
      })
      yield* emailKeyMigration.pipe(
        Effect.provideService(SqlClient.SqlClient, db),
        Effect.provide(Logger.layer([logger]))
      )

      const kept = yield* db<{ id: string; email: string; key: string | null }>`
        select id, email, email_key as key from account order by created_at`
      assert.deepStrictEqual(
        kept.map(({ email, key }) => [email, key]),
        [
          ["A@xn--bcher-kva.example", "a@xn--bcher-kva.example"],
          ["a@bücher.example", null],
          ["Ada@Example.org", "ada@example.org"],
          ["İ@example.org", "İ@example.org"],
          ["me@gmaİl.com", null]
        ]
      )
      const idOf = (email: string) => kept.find((row) => row.email === email)?.id
      assert.deepStrictEqual(lines, [
        {
          message: ["Accounts that have the address of an older account are no longer opened by it: 1"],
          accounts: idOf("a@bücher.example")
        },
        {
          message: ["Accounts that have an address that no mail could be for are no longer opened by it: 1"],
          accounts: idOf("me@gmaİl.com")
        }
      ])
      assert.deepStrictEqual(yield* db`select from email_change`, [])
      const twice = db`insert into account (email, email_key, created_at) values ('x@example.org', 'ada@example.org', now())`
      assert.strictEqual((yield* Effect.flip(twice)).reason._tag, "UniqueViolation")
    }).pipe(Effect.provide(TestDb))
  )
})
