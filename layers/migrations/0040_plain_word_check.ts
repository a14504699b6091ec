import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What `word_form` requires of a word, asked more cheaply: nearly every word has only the 26 letters, and a regular
 * expression for each was a tenth of what an import costs PostgreSQL.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table word_form drop constraint word_form_word_check`
  yield* sql`
    create function is_word(value text) returns boolean language sql immutable parallel safe
    return length(value) between 3 and 40
      and (ltrim(value, 'abcdefghijklmnopqrstuvwxyz') = '' or value ~ '^[[:alpha:]]+$')`
  yield* sql`alter table word_form add constraint word_form_word_check check (is_word(word))`
})
