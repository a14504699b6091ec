import type { ReservedSql } from "postgres"
import type { Progress } from "./progress.ts"

/** Runs `rows` without the GIN indexes of the search tables, and rebuilds the indexes afterward. */
export const withoutSearchIndexes = async (sql: ReservedSql, progress: Progress, rows: () => Promise<void>) => {
  const indexes = await sql<ReadonlyArray<{ name: string; definition: string }>>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where a.amname = 'gin' and i.indrelid::regclass::text in ('meeting_search', 'passage_block', 'transcript_speaker', 'document_passage')`
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
  await rows()
  // meeting_search looks small, because its vectors are stored out of line, so PostgreSQL would use only one worker.
  await sql.unsafe(`
    set maintenance_work_mem = '1GB';
    set max_parallel_maintenance_workers = 2;
    alter table meeting_search set (parallel_workers = 2);
    alter table passage_block set (parallel_workers = 2)`)
  for (const [at, { definition }] of indexes.entries()) {
    progress("indexes", at / indexes.length)
    await sql.unsafe(definition)
  }
  await sql.unsafe(`
    alter table meeting_search reset (parallel_workers);
    alter table passage_block reset (parallel_workers);
    reset maintenance_work_mem;
    reset max_parallel_maintenance_workers`)
}
