-- Work on large tables that goes on beside calls and outside of a migration's transaction: indexes
-- that are built concurrently, and backfills in batches (database/online/). The owner runs them; a
-- worker's metrics say how far they are.
-- compatible with 0152

create table public.online_jobs (
  name text primary key,
  kind text not null check (kind in ('index', 'backfill')),
  of_table text not null,
  -- Behind the rows of a backfill that are done; each batch commits with it.
  position text,
  rows_done bigint not null default 0,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  -- The SQLSTATE of the last attempt; a message may hold values.
  failure text
);

-- Of an index the share of the phase in which it is, as PostgreSQL reports it; of a backfill the
-- share of the table's rows, as they were counted last. Null while neither is known.
create function public.online_progress(out name text, out kind text, out state text,
                                       out phase text, out share float8, out rows_done bigint,
                                       out failure text)
  returns setof record
  language sql volatile security definer set search_path = public, pg_temp as $$
    select j.name, j.kind,
           case when j.ended_at is not null then 'done'
                when j.failure is not null then 'failing'
                when j.started_at is null then 'waiting'
                when exists (select from pg_locks l
                              where l.locktype = 'advisory' and l.objid = 727275 and l.granted
                                and l.database = (select oid from pg_database
                                                   where datname = current_database()))
                then 'running'
                else 'stopped' end,
           p.phase,
           case when j.ended_at is not null then 1
                when j.kind = 'index' then p.share
                else least(1, j.rows_done / nullif(greatest(c.reltuples, 0), 0)::float8) end,
           j.rows_done, j.failure
      from online_jobs j
      left join pg_class c on c.oid = to_regclass(j.of_table)
      left join lateral (
        select b.phase, coalesce(b.blocks_done::float8 / nullif(b.blocks_total, 0),
                                 b.tuples_done::float8 / nullif(b.tuples_total, 0)) as share
          from pg_stat_progress_create_index b
         where j.kind = 'index' and j.ended_at is null and j.started_at is not null
           and b.relid = c.oid and b.datname = current_database()
         limit 1) p on true
     order by j.name
  $$;

revoke execute on function public.online_progress from public;
grant execute on function public.online_progress to app_worker_test, app_worker_live;
