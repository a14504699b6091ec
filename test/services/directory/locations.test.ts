import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import fc from "fast-check"
import { Db } from "../../../layers/db/db.ts"
import { Locations } from "../../../src/services/directory/locations.ts"
import { readPlaceText } from "../../../src/services/directory/place-text.ts"
import { TestService } from "../../support/service.ts"

/** A record of names that are similar to each other, built from few parts. */
const record = Effect.gen(function* () {
  const db = yield* Db
  yield* db`
    insert into place (slug, name, kind, state, county, content_hash)
    select 'place-' || n,
      (array['Spring', 'Green', 'Saint-Élo', 'Oak', 'Wash'])[1 + n % 5] || (array['field', 'ville', 'ington'])[1 + n / 5 % 3]
        || case when n > 100 then ' County' when n % 7 = 0 then ' Heights' else '' end,
      case when n > 100 then 'county' else 'city' end, (array['IL', 'TN', 'OH'])[1 + n % 3],
      case when n % 4 = 0 and n <= 100 then 'Greenville County' end, ''
    from generate_series(1, 120) n`
  yield* db`
    insert into body (slug, segment, name, kind, content_hash)
    select 'body-' || n, 'body-' || n, p.name || ' ' || kind.name, kind.kind, ''
    from generate_series(1, 200) n
    join place p on p.slug = 'place-' || (1 + n % 120)
    join (values (0, 'City Council', 'city_council'), (1, 'School Board', 'school_board'), (2, 'Sports Committee', 'other'))
      kind (turn, name, kind) on kind.turn = n % 3`
  yield* db`
    insert into body_place (body_id, place_id, position)
    select b.id, p.id, position from body b, generate_series(0, 1) position
    join place p on true where p.slug = 'place-' || (1 + (substr(b.slug, 6)::int + 7 * position) % 120)
      and (position = 0 or substr(b.slug, 6)::int % 5 = 0)`
  yield* db`insert into retired_slug (slug, body_id) select 'oakland-old-' || id, id from body where id % 9 = 0`
  // Some bodies held meetings, some have an upcoming one, and some have none.
  yield* db`
    insert into meeting (id, short_id, body_id, title, date, timezone, status, updated_at, content_hash)
    select gen_random_uuid(), '', b.id, 'Meeting', date '2026-01-01' + turn, 'America/Chicago',
      case when b.id % 4 = 1 then 'upcoming' else 'held' end, now(), ''
    from body b, generate_series(1, 3) turn where turn <= b.id % 4`
})

/** The names that a search finds, as before there was a cache: by reading every name and every meeting. */
const readingAll = Effect.fnUntraced(function* (typed: string) {
  const db = yield* Db
  const { words, inState } = readPlaceText(typed)
  const name = (inState?.words ?? words).join(" ")
  const telling = (all: ReadonlyArray<string>) =>
    all.filter((word) => !["of", "the", "and", "for", "in"].includes(word))
  const hasWords = (asked: ReadonlyArray<string>) => {
    const all = telling(asked)
    return all.length === 0
      ? db`false`
      : db`not exists (select from unnest(${all}::text[]) word
          where word_similarity(word, l.described) < ${all.length === 1 ? 0.45 : 0.35})`
  }
  const plain = (of: string) => db`trim(regexp_replace(fold(${db.literal(of)}), '[^[:alnum:]]+', ' ', 'g'))`
  return yield* db<{ what: string; slug: string; meetings_held: number }>`
    select what, slug, meetings_held from (
      select l.*, greatest(word_similarity(${name}, plain), similarity(${name}, plain),
        0.9 * word_similarity(${name}, described)) as likeness
      from (
        select k.*, ${plain("k.name")} as plain,
          ${plain("concat_ws(' ', k.name, k.retired, k.seat, k.state, k.kind)")} as described
        from (
          select 'place' as what, p.slug, p.name, p.kind, null as retired, coalesce(p.county, '') as seat, p.state,
            (select coalesce(sum(h.held), 0)::int from body_place bp join held_count h on h.body_id = bp.body_id
              where bp.place_id = p.id) as meetings_held
          from place p
          where exists (select from body_place bp join meeting m on m.body_id = bp.body_id where bp.place_id = p.id)
          union all
          select 'body', b.slug, b.name, b.kind, (select string_agg(r.slug, ' ') from retired_slug r where r.body_id = b.id),
            f.name, f.state, (select coalesce(sum(h.held), 0)::int from held_count h where h.body_id = b.id)
          from body b join lateral (
            select p.name, p.state from body_place bp join place p on p.id = bp.place_id
            where bp.body_id = b.id order by bp.position limit 1
          ) f on true
        ) k
      ) l
      where ${hasWords(words)}
        or ${inState === undefined ? db`false` : db`l.state = ${inState.state} and ${hasWords(inState.words)}`}
    ) l
    order by plain = ${name} desc, starts_with(plain, ${name}) desc, round(likeness::numeric, 1) desc,
      meetings_held desc, name, slug
    limit 20`
})

const word = fc.constantFrom(
  ...["springfield", "springfeild", "greenvile", "washinton", "saint elo", "oakland", "heights", "county", "conty"],
  ...["city", "council", "counsil", "school", "scool", "bord", "board", "sports", "comittee", "of", "the", "il", "tn"],
  ...["illinois", "x", "ville"]
)
const queries = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "))

layer(Layer.provideMerge(Layer.effectDiscard(record), TestService), { excludeTestServices: true })(
  "finding by name",
  (it) => {
    it.effect("finds the same as reading every name and every meeting, in the same order", () =>
      Effect.gen(function* () {
        for (const query of fc.sample(queries, { seed: 14, numRuns: 120 })) {
          const { results } = yield* Locations.use((locations) => locations.search(query))
          const byName = results.filter(({ match }) => match === "name")
          const placed = new Set(
            results.filter((one) => !byName.includes(one)).map(({ kind, slug }) => `${kind} ${slug}`)
          )
          const expected = (yield* readingAll(query)).filter(({ what, slug }) => !placed.has(`${what} ${slug}`))
          assert.deepStrictEqual(
            byName.map(({ kind, slug, meetings_held }) => [kind, slug, meetings_held]),
            expected.slice(0, 20 - placed.size).map(({ what, slug, meetings_held }) => [what, slug, meetings_held]),
            query
          )
        }
      })
    )

    it.effect("follows changes in the names of bodies and places", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const found = (query: string) =>
          Effect.map(
            Locations.use((locations) => locations.search(query)),
            ({ results }) => results.map(({ slug }) => slug)
          )
        assert.deepStrictEqual(yield* found("Zanzibar"), [])
        yield* db`update body set name = 'Zanzibar Board' where slug = 'body-2'`
        assert.deepStrictEqual(yield* found("Zanzibar"), ["body-2"])
        yield* db`update place set name = 'Quixote' where slug = 'place-4'`
        assert.includeMembers([...(yield* found("Quixote"))], ["body-3"])
        yield* db`insert into retired_slug (slug, body_id) select 'yellowstone', id from body where slug = 'body-5'`
        assert.deepStrictEqual(yield* found("Yellowstone"), ["body-5"])
        yield* db`delete from retired_slug where slug = 'yellowstone'`
        assert.deepStrictEqual(yield* found("Yellowstone"), [])
      })
    )
  }
)
