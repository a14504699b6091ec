import { Effect } from "effect"
import type { ReservedSql } from "postgres"
import { packSegments } from "../../src/services/meetings/packed-segments.ts"
import { passagesOf, plainWord, textOf, wordCount } from "../../src/services/meetings/passages.ts"
import { speakersOf } from "../../src/services/meetings/transcript-speakers.ts"
import { copyInto, type Value } from "./copy.ts"
import type { Progress } from "./progress.ts"
import { type LoadedMeeting, type LoadedRecord, transcriptOf } from "./record.ts"
import { contentHash } from "./tables.ts"

/**
 * The schema of temporary tables in which each run's transcript is prepared once, then copied within PostgreSQL to
 * every meeting with that run. Texts are parsed once instead of fifty times.
 */
const schema = "bench_load"

/** Runs prepared at a time. */
const atOnce = 500

export const copyTemplates = async (sql: ReservedSql, record: LoadedRecord, progress: Progress) => {
  await sql.unsafe(`
    create schema ${schema};
    create function ${schema}.position_starts(value text, starts real[]) returns real[] language sql immutable as $$
      select array(select starts[w.word] from unnest(public.word_positions(value))
        with ordinality w (word, n) order by n)
    $$;
    create unlogged table ${schema}.run (run int, language text, generator text, duration numeric(10, 3),
      word_count int, segments bytea);
    create unlogged table ${schema}.speaker (run int, name text, start real);
    create unlogged table ${schema}.passage (run int, position int, text text, starts real[],
      words tsvector generated always as (search_vector(text)) stored,
      seconds real[] generated always as (${schema}.position_starts(text, starts)) stored);
    create unlogged table ${schema}.passage_block (run int, block int, words tsvector[], texts text[], starts real[],
      ends int[]);
    create unlogged table ${schema}.meeting (meeting_id uuid, run int)`)
  const runsFrom = function* (from: number) {
    for (let run = from; run < Math.min(record.runs, from + atOnce); run++) yield [run, record.run(run)] as const
  }
  for (let from = 0; from < record.runs; from += atOnce) {
    const rows: Array<ReadonlyArray<Value>> = []
    for (const [run, said] of runsFrom(from)) {
      const { language, generator, duration, segments } = transcriptOf(record.meeting(0).meeting.id, said)
      const packed = await Effect.runPromise(packSegments(segments))
      rows.push([run, language, generator, duration, wordCount(segments), packed])
    }
    const speakers = function* (): Generator<ReadonlyArray<Value>> {
      for (const [run, { segments }] of runsFrom(from)) {
        for (const { name, start } of speakersOf(segments)) yield [run, name, start]
      }
    }
    const passages = function* (): Generator<ReadonlyArray<Value>> {
      for (const [run, { segments }] of runsFrom(from)) {
        for (const [position, { words, starts }] of [...passagesOf(segments, plainWord)].entries())
          yield [run, position + 1, textOf(words), starts]
      }
    }
    await copyInto(sql, `${schema}.run`, ["run", "language", "generator", "duration", "word_count", "segments"], rows)
    await copyInto(sql, `${schema}.speaker`, ["run", "name", "start"], speakers())
    await copyInto(sql, `${schema}.passage`, ["run", "position", "text", "starts"], passages())
    progress("transcripts", Math.min(1, (from + atOnce) / record.runs))
  }
  await sql.unsafe(`
    create index on ${schema}.run (run);
    create index on ${schema}.speaker (run);
    create index on ${schema}.passage (run);
    insert into ${schema}.passage_block (run, block, words, texts, starts, ends)
    select run, block, words, texts, array(
        select s.second from ${schema}.passage p cross join unnest(p.seconds) with ordinality s (second, at)
        where p.run = b.run and block_of(p.position) = block order by p.position, s.at), ends
    from (
      select run, block, array_agg(words order by position) as words, array_agg(text order by position) as texts,
        array_agg(counted::int order by position) as ends
      from (
        select *, sum(cardinality(seconds)) over (partition by run, block order by position) as counted
        from (select *, block_of(position) as block from ${schema}.passage) numbered
      ) p group by run, block
    ) b;
    create index on ${schema}.passage_block (run);
    analyze ${schema}.run, ${schema}.speaker, ${schema}.passage_block`)
}

/** Loads the transcripts of these meetings, with the passages and speakers that search reads. */
export const copySaid = async (sql: ReservedSql, meetings: ReadonlyArray<LoadedMeeting>) => {
  const said = meetings.flatMap(({ meeting, run }) => (run === undefined ? [] : [{ id: meeting.id, run }]))
  const given = sql`unnest(${said.map(({ id }) => id)}::uuid[], ${said.map(({ run }) => run)}::int[]) m (id, run)`
  const templates = sql(schema)
  await sql`
    insert into transcript (meeting_id, version, language, generator, duration, word_count, segments, content_hash)
    select m.id, 'refined', r.language, r.generator, r.duration, r.word_count, r.segments, ${contentHash}
    from ${given} join ${templates}.run r on r.run = m.run`
  await sql`
    insert into transcript_speaker (meeting_id, version, name, start)
    select m.id, 'refined', s.name, s.start from ${given} join ${templates}.speaker s on s.run = m.run`
  await sql`
    insert into passage_block (meeting_id, block, words, texts, starts, ends)
    select m.id, b.block, b.words, b.texts, b.starts, b.ends
    from ${given} join ${templates}.passage_block b on b.run = m.run`
}

/** Counts words for correcting misspelled queries: those of names, and those of each run's transcript once. */
export const noteWords = (sql: ReservedSql) =>
  sql.unsafe(`
    insert into word_form (word, times, is_name)
    select word, count(*)::int, bool_or(is_name)
    from (
      select text, false as is_name from ${schema}.passage union all select title, false from meeting union all
      select name, true from body union all select name, true from place
    ) written, regexp_split_to_table(fold(text), '[^[:alpha:]]+') word
    where length(word) between 3 and 40
    group by word order by word
    on conflict (word) do update set times = word_form.times + excluded.times,
      is_name = word_form.is_name or excluded.is_name`)

export const dropTemplates = (sql: ReservedSql) => sql.unsafe(`drop schema ${schema} cascade`)
