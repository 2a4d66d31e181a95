-- Roles, schemas, and the platform's own functions and tables.
--
-- The database has two modes, test and live, each with its own schema of the same tables and its
-- own roles for the API and the worker. A test credential is served by a role that can't use the
-- live schema, so neither a forgotten filter nor a stolen test key can reach a real patient. Data
-- outside the modes has its own schemas: auth (who may call), audit, site, billing, and, for live
-- only, records and pharmacy. No role owns anything: a stolen password can read and write the
-- rows that its grants and policies allow, but can't change a table.
--
-- Roles belong to the whole server, so another database on the same server may have created them.

do $$
declare
  made text;
begin
  foreach made in array array[
    'app_test', 'app_live', 'app_worker_test', 'app_worker_live', 'app_site',
    'app_auth',      -- the authorization server and account pages: can't read patients
    'app_console',   -- live only, one organization at a time
    'app_pharmacy',  -- sends prescriptions and applies pharmacies' updates; live only
    'app_retention', -- destroys records; the worker calls its only function
    'app_operator'   -- emergency access roles, valid for an hour, are members of it
  ] loop
    begin
      if not exists (select from pg_roles where rolname = made) then
        execute format('create role %I %s', made,
          case when made in ('app_retention', 'app_operator') then 'nologin' else 'login' end);
      end if;
    exception when duplicate_object or unique_violation then null; -- another migration just created it
    end;
  end loop;
end $$;

revoke all on schema public from public;
create schema test;
create schema live;
create schema auth;
create schema audit;
create schema site;
create schema billing;
create schema records;
create schema pharmacy;
grant usage on schema public to app_test, app_live, app_worker_test, app_worker_live, app_site,
  app_auth, app_console, app_pharmacy, app_retention, app_operator;
grant usage on schema test to app_test, app_worker_test;
grant usage on schema live to app_live, app_worker_live, app_console, app_pharmacy, app_retention,
  app_operator;
grant usage on schema auth to app_test, app_live, app_worker_test, app_worker_live, app_auth,
  app_console, app_pharmacy, app_retention;
grant usage on schema audit to app_test, app_live, app_worker_test, app_worker_live, app_auth,
  app_console, app_pharmacy;
grant usage on schema site to app_site, app_worker_test, app_worker_live;
grant usage on schema records to app_console, app_worker_live, app_retention;
grant usage on schema pharmacy to app_pharmacy, app_console, app_auth, app_retention;

-- Exclusion constraints over a key and a time range compare the key in a GiST index, which needs
-- this extension. It's part of PostgreSQL and trusted, so the database's owner may create it.
create extension if not exists btree_gist with schema public;

-- A timestamp in the API's format: UTC, three decimals, Z. Declared stable, because to_char depends
-- on session settings, so the planner inlines the call, which is four times as fast for every
-- timestamp in every row.
create function iso(moment timestamptz) returns text
  language sql stable parallel safe
  return to_char(moment at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- Normalizes an email address for comparison; addresses are stored as typed. Lowercases only ASCII
-- letters, because a mail server may distinguish a k from the Kelvin sign, whose lowercase form in
-- Unicode is k.
create function normalized_email(email text) returns text
  language sql immutable parallel safe
  return lower(email collate "C");

-- An id: prefix, ten Crockford base 32 characters for the timestamp's millisecond, and sixteen
-- random ones from the caller. A tenant's ids therefore sort by its clock (contract/ids.ts).
create function ulid(prefix text, moment timestamptz, random text) returns text
  language plpgsql immutable parallel safe as $$
declare
  alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
  ms constant bigint := (date_part('epoch', moment) * 1000)::bigint;
begin
  return prefix || '_'
    || substr(alphabet, (ms >> 45 & 31)::int + 1, 1) || substr(alphabet, (ms >> 40 & 31)::int + 1, 1)
    || substr(alphabet, (ms >> 35 & 31)::int + 1, 1) || substr(alphabet, (ms >> 30 & 31)::int + 1, 1)
    || substr(alphabet, (ms >> 25 & 31)::int + 1, 1) || substr(alphabet, (ms >> 20 & 31)::int + 1, 1)
    || substr(alphabet, (ms >> 15 & 31)::int + 1, 1) || substr(alphabet, (ms >> 10 & 31)::int + 1, 1)
    || substr(alphabet, (ms >> 5 & 31)::int + 1, 1) || substr(alphabet, (ms & 31)::int + 1, 1)
    || random;
end $$;

-- Like ulid, but `head` is the prefix with the timestamp's first seven characters, and `ms` the
-- milliseconds since those characters changed. Inlined, which is twice as fast. If `ms` isn't from 0
-- to 32,767, `head` doesn't fit the timestamp, and this falls back to ulid.
create function near_ulid(head text, ms bigint, random text, prefix text, moment timestamptz)
  returns text language sql immutable parallel safe
  return case when ms >> 15 = 0
              then head || substr('0123456789abcdefghjkmnpqrstvwxyz', (ms >> 10)::int + 1, 1)
                || substr('0123456789abcdefghjkmnpqrstvwxyz', (ms >> 5 & 31)::int + 1, 1)
                || substr('0123456789abcdefghjkmnpqrstvwxyz', (ms & 31)::int + 1, 1) || random
              else ulid(prefix, moment, random) end;

-- An id's sixteen random characters, for ids that a statement creates (see ulid): each of 64 base
-- 64 digits maps to one of 32 characters.
create function ulid_random() returns text language plpgsql volatile as $$
declare
  drawn constant bytea := uuid_send(gen_random_uuid());
begin
  -- Skips the two bytes that hold a UUID's version and variant.
  return translate(encode(substr(drawn, 1, 6) || substr(drawn, 10, 6), 'base64'),
                   'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
                   '0123456789abcdefghjkmnpqrstvwxyz0123456789abcdefghjkmnpqrstvwxyz');
end $$;

-- An id outside any tenant's clock. A session's ids strictly increase: within a millisecond, or
-- after the clock moved back, the next one is the last plus one.
create function new_id(prefix text) returns text language plpgsql volatile as $$
declare
  alphabet constant text := '0123456789abcdefghjkmnpqrstvwxyz';
  last constant text := current_setting('app.last_id', true);
  made text := substr(public.ulid('', clock_timestamp(), public.ulid_random()), 2);
  rest text;
begin
  if made <= last collate "C" then
    rest := rtrim(last, 'z');
    made := left(rest, -1) || substr(alphabet, strpos(alphabet, right(rest, 1)) + 1, 1)
      || repeat('0', 26 - length(rest));
  end if;
  perform set_config('app.last_id', made, false);
  return prefix || '_' || made;
end $$;

-- The tenant set by this session's credential (auth/principal.ts), or null. Every
-- row-level-security policy on a tenant's table compares with it.
create function current_tenant() returns bigint
  language sql stable parallel safe
  return nullif(current_setting('app.tenant', true), '')::bigint;

-- The clinic set by a staff member's session (auth/staff-caller.ts), or null.
create function public.current_organization() returns text
  language sql stable parallel safe
  return nullif(current_setting('app.organization', true), '');

-- Each gateway checks whether it supports the current schema (database/schema-range.ts).
grant select (name, compatible_with) on public.migrations to app_test;

-- Running ------------------------------------------------------------------------------------------

-- The worker that runs a job in a minute is the first one to insert that minute.
create table public.job_runs (
  job text primary key,
  minute timestamptz not null
);
grant select, insert, update on public.job_runs to app_worker_test;

-- An integration's realtime connections in a mode, by gateway. A gateway reports its number when a
-- connection starts or ends, and again every few seconds, so a dead gateway's connections stop
-- counting when its row expires. Unlogged: a PostgreSQL crash empties the table, and the gateways
-- report again.

create unlogged table public.realtime_connections (
  mode text not null check (mode in ('test', 'live')),
  integration text collate "C" not null,
  gateway text collate "C" not null,
  connections int not null check (connections > 0),
  expires_at timestamptz not null,
  primary key (mode, integration, gateway)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.01);

-- Sets a gateway's number of connections for an integration. Returns false, and changes nothing, if
-- the total would exceed `most`; a decrease always succeeds.
create function public.reserve_realtime_connections(
    in_mode text, whose text, at text, wanted int, most int, seconds int)
  returns boolean
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  own int;
  others int;
begin
  -- One call at a time per integration, so each reads what the previous one wrote.
  perform pg_advisory_xact_lock(hashtextextended(in_mode || ' ' || whose, 727275));
  delete from realtime_connections
   where mode = in_mode and integration = whose
     and (expires_at <= clock_timestamp() or (gateway = at and wanted <= 0));
  if wanted <= 0 then return true; end if;
  select coalesce(sum(connections) filter (where gateway = at), 0),
         coalesce(sum(connections) filter (where gateway <> at), 0) into own, others
    from realtime_connections where mode = in_mode and integration = whose;
  if wanted > own and wanted + others > most then return false; end if;
  insert into realtime_connections
  values (in_mode, whose, at, wanted, clock_timestamp() + seconds * interval '1 s')
  on conflict (mode, integration, gateway)
  do update set connections = excluded.connections, expires_at = excluded.expires_at;
  return true;
end $$;
revoke execute on function public.reserve_realtime_connections from public;

-- Server figures for the worker's metrics, which the worker's roles can't read themselves: how long
-- transactions have held back the vacuum, and how far archiving and replication lag behind the
-- write-ahead log. Returns only numbers and replica names, never queries. An owner that isn't a
-- superuser needs `grant pg_monitor` to read every figure.

create function public.database_health(out oldest_transaction float8, out oldest_xmin bigint,
                                       out archive_failing int, out archive_waits float8)
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  -- Leaves out this session, because its own transaction ends with this statement.
  select coalesce(max(extract(epoch from clock_timestamp() - xact_start))
                    filter (where backend_type = 'client backend'), 0), max(age(backend_xmin))
    into oldest_transaction, oldest_xmin
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid();
  -- An abandoned replication slot or a prepared transaction holds back the vacuum without a
  -- session.
  select coalesce(greatest(oldest_xmin,
           (select max(greatest(age(xmin), age(catalog_xmin))) from pg_replication_slots),
           (select max(age(transaction)) from pg_prepared_xacts)), 0)
    into oldest_xmin;
  select greatest(oldest_transaction,
           (select extract(epoch from clock_timestamp() - min(prepared)) from pg_prepared_xacts))
    into oldest_transaction;
  if current_setting('archive_mode') = 'off' then return; end if;
  select (last_failed_time > coalesce(last_archived_time, '-infinity'))::int into archive_failing
    from pg_stat_archiver;
  archive_failing := coalesce(archive_failing, 0);
  -- A segment that is ready but not archived has a .ready file, created when it became ready.
  if has_function_privilege('pg_ls_archive_statusdir()', 'execute') then
    select coalesce(max(extract(epoch from clock_timestamp() - modification)), 0) into archive_waits
      from pg_ls_archive_statusdir() where name like '%.ready';
  end if;
end $$;

-- Each log reader's lag in bytes: for a replica, the part it hasn't replayed; for a slot without a
-- reader, the part that the disk keeps for it.
create function public.replication_lag(out kind text, out name text, out bytes float8)
  returns setof record
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  if pg_is_in_recovery() then return; end if;
  return query
    select 'replica', r.application_name,
           max(pg_wal_lsn_diff(pg_current_wal_lsn(), r.replay_lsn))::float8
      from pg_stat_replication r where r.replay_lsn is not null group by r.application_name
    union all
    select 'slot', s.slot_name::text, pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn)::float8
      from pg_replication_slots s where not s.active and s.restart_lsn is not null;
end $$;

revoke execute on function public.database_health, public.replication_lag from public;
grant execute on function public.database_health, public.replication_lag
  to app_worker_test, app_worker_live;

-- `npm run admin -- doctor` checks these: digests of the platform's peppers, which reveal none of
-- them, and the times of the backups, which a worker's metrics also report.

create table public.pepper_digests (
  digest text primary key
);

create table public.backups (
  taken_at timestamptz(3) primary key default now()
);

grant select on public.backups to app_worker_live;

-- Work on large tables that runs during normal traffic, outside a migration's transaction:
-- concurrent index builds and batched backfills (database/online/). The owner runs it, and a
-- worker's metrics report its progress.

create table public.online_jobs (
  name text primary key,
  kind text not null check (kind in ('index', 'backfill')),
  of_table text not null,
  -- The position after a backfill's finished rows, committed with each batch.
  position text,
  rows_done bigint not null default 0,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  -- The last attempt's SQLSTATE. Not its message, which may contain values.
  failure text
);

-- For an index, the share of its current phase that is done, as PostgreSQL reports it. For a
-- backfill, the share of the table's rows at the last count. Null while unknown.
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
