-- The database has two modes, test and live: one schema each, with the same tables, and one role
-- each for the API and for the worker. A test credential is served by a role that cannot use the
-- schema of live, so neither a forgotten filter nor a stolen test key can reach a real patient. The
-- site has a schema and a role of its own. No role owns anything: a stolen password can read and
-- write the rows that its grants and policies allow, and cannot change a table.
--
-- Roles belong to the whole server, so another database of the same server may have made them.

do $$
begin
  if not exists (select from pg_roles where rolname = 'app_test') then
    create role app_test login;
  end if;
  if not exists (select from pg_roles where rolname = 'app_live') then
    create role app_live login;
  end if;
  if not exists (select from pg_roles where rolname = 'app_worker_test') then
    create role app_worker_test login;
  end if;
  if not exists (select from pg_roles where rolname = 'app_worker_live') then
    create role app_worker_live login;
  end if;
  if not exists (select from pg_roles where rolname = 'app_site') then
    create role app_site login;
  end if;
exception when duplicate_object or unique_violation then null; -- made by another migration just now
end $$;

revoke all on schema public from public;
grant usage on schema public to app_test, app_live, app_worker_test, app_worker_live, app_site;

create schema test;
create schema live;
grant usage on schema test to app_test, app_worker_test;
grant usage on schema live to app_live, app_worker_live;

-- For exclusion constraints over a key and a time range: the key's equality in a GiST index. The
-- extension is part of PostgreSQL and trusted, so the owner of the database may create it.
create extension if not exists btree_gist with schema public;

-- A timestamp as the API publishes it: UTC, three decimals, Z. Declared stable, because to_char
-- depends on session settings: then the planner inlines the call, which is four times as fast for
-- every timestamp of every row.
create function iso(moment timestamptz) returns text
  language sql stable parallel safe
  return to_char(moment at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- An id: prefix, ten Crockford base 32 characters of the timestamp's millisecond, sixteen random
-- ones that the caller provides. Ids of one tenant therefore sort as its clock does
-- (contract/ids.ts).
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

-- The tenant that the credential of this session set (auth/principal.ts), or null. Every
-- row-level-security policy of a tenant's table compares with it.
create function current_tenant() returns bigint
  language sql stable parallel safe
  return nullif(current_setting('app.tenant', true), '')::bigint;
