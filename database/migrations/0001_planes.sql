-- Two planes, two roles. A test credential is served by a role that cannot see the schema of
-- live, so a forgotten filter or a stolen test key cannot reach a real patient even in theory.
-- The roles own nothing: they can use rows, never change what a table is.

do $$
begin
  if not exists (select from pg_roles where rolname = 'svc_test') then create role svc_test login; end if;
  if not exists (select from pg_roles where rolname = 'svc_live') then create role svc_live login; end if;
exception when duplicate_object or unique_violation then null; -- another database's migration won
end $$;

revoke all on schema public from public;
grant usage on schema public to svc_test, svc_live;

create schema test;
create schema live;
grant usage on schema test to svc_test;
grant usage on schema live to svc_live;

-- A moment as it crosses the wire: UTC, three decimals, Z.
create function iso(moment timestamptz) returns text
  language sql immutable parallel safe
  return to_char(moment at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- An id: prefix, ten Crockford characters of the moment's millisecond, sixteen random ones that
-- the caller draws. Ids of one stream therefore sort as its clock does (contract/ids.ts).
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

-- The stream that the credential of this session opened (auth/principal.ts), or null.
create function opened_stream() returns bigint
  language sql stable parallel safe
  return nullif(current_setting('app.stream', true), '')::bigint;
