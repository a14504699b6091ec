import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"

/**
 * Everything in PostgreSQL's catalog about the schema `public`, one line each: tables and views with their columns in
 * order, constraints, indexes, triggers, functions and aggregates, text search, sequences, comments and extensions.
 * Members of an extension are left out, and so is white space, which function bodies keep as written.
 */
export const catalog = Effect.gen(function* () {
  const db = yield* Db
  const rows = yield* db<{ line: string }>`
    with own as (
      select oid, 'pg_class'::regclass as kind from pg_class where relnamespace = 'public'::regnamespace
      union all select oid, 'pg_proc'::regclass from pg_proc where pronamespace = 'public'::regnamespace
      except select objid, classid from pg_depend where deptype = 'e'
    ), relation as (select c.* from pg_class c join own on own.oid = c.oid and own.kind = 'pg_class'::regclass)
    select regexp_replace(concat_ws(' ', kind, name, array_to_string(facts, ' ')), '\\s+', ' ', 'g') as line from (
      select 'relation' as kind, relname::text as name, array[relkind::text, relpersistence::text,
        array_to_string(reloptions, ','), case relkind when 'v' then pg_get_viewdef(oid) end] as facts
      from relation where relkind in ('r', 'v')
      union all
      select 'column', format('%s %s', c.relname, row_number() over (partition by c.oid order by a.attnum)), array[
        a.attname::text, format_type(a.atttypid, a.atttypmod), a.attnotnull::text, a.attidentity::text,
        a.attgenerated::text, a.attstorage::text, a.attstattarget::text, pg_get_expr(d.adbin, d.adrelid)]
      from relation c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relkind in ('r', 'v')
      union all
      select 'constraint', format('%s %s', conrelid::regclass, conname), array[
        pg_get_constraintdef(oid), convalidated::text, condeferrable::text, condeferred::text]
      from pg_constraint where connamespace = 'public'::regnamespace and contype <> 't'
      union all
      select 'index', c.relname, array[pg_get_indexdef(c.oid), i.indisvalid::text]
      from relation c join pg_index i on i.indexrelid = c.oid
      union all
      select 'trigger', format('%s %s', tgrelid::regclass, tgname), array[pg_get_triggerdef(oid), tgenabled::text]
      from pg_trigger where not tgisinternal
      union all
      select 'function', p.oid::regprocedure::text, array[
        case prokind when 'a' then a.aggtransfn || ' ' || a.aggtranstype || ' ' || a.agginitval
          else pg_get_functiondef(p.oid) end]
      from pg_proc p join own on own.oid = p.oid and own.kind = 'pg_proc'::regclass
        left join pg_aggregate a on a.aggfnoid = p.oid
      union all
      select 'text search', format('%s %s %s', cfgname, maptokentype, mapseqno), array[mapdict::regdictionary::text]
      from pg_ts_config c join pg_ts_config_map on mapcfg = c.oid where cfgnamespace = 'public'::regnamespace
      union all
      select 'sequence', c.relname, array[s.seqtypid::regtype::text, s.seqstart::text, s.seqincrement::text]
      from relation c join pg_sequence s on s.seqrelid = c.oid
      union all
      select 'comment', pg_describe_object(classoid, objoid, objsubid), array[description]
      from pg_description join own on own.oid = objoid and own.kind = classoid
      union all
      select 'extension', extname, array[extversion] from pg_extension
    ) things (kind, name, facts) order by line`
  return rows.map(({ line }) => line)
})
