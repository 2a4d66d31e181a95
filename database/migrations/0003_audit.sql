-- The audit log: one row for every call, refused ones included, with the caller, the action and the
-- outcome. No bodies, no names, no tokens. The API's roles may only insert rows, and triggers keep
-- even the owner from changing one by mistake.

create domain audit.outcome as text check (value in ('ok', 'replayed', 'refused', 'error'));

create table audit.entries (
  seq bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  mode text,                -- null for an unauthenticated call
  integration text,
  organization text,
  actor text,               -- the credential's id
  surface text not null,    -- rest, mcp, portal, console, oauth, cli, page, worker or billing
  action text not null,     -- the operation's id, or the unknown route
  target text,              -- the id in the path, or the created id
  outcome audit.outcome not null,
  status int2 not null,
  code text,                -- set for refusals
  request text not null,
  address text,
  agent text,
  xid xid8 not null default pg_current_xact_id(),
  -- The person that the credential acts for, and its OAuth client; both null for a key.
  person text,
  client text,
  -- Selects the columns that the row's signature covers, so older signatures stay valid when a
  -- column is added.
  version int2 not null default 1,
  -- The shape of the request's body: the names in the operation's schema, each value's JSON type,
  -- each array's length, and the number of unknown names. Never a value, and never an unknown name,
  -- which may contain one. Null if no body was read.
  shape text,
  -- The patients shown in the response to a read without a target, such as a list. Null if it
  -- showed none; a row with a target shows that target's patient.
  patients text[]
);
grant insert on audit.entries
  to app_test, app_live, app_worker_test, app_auth, app_console, app_pharmacy;

-- There is no index by caller, because it would slow down every call. These indexes serve a
-- clinic's activity page, and cover only the console's calls, which are few.
create index entries_of_clinic on audit.entries (organization, at, seq) where surface = 'console';
create index entries_of_staff on audit.entries (organization, person, at, seq)
  where surface = 'console';
create index entries_of_target on audit.entries (organization, target, at, seq)
  where surface = 'console';
-- For "who saw a patient": the targets of live calls outside the console. Calls without a target,
-- such as lists, don't write to this index.
create index entries_of_live_target on audit.entries (target, at, seq)
  where mode = 'live' and surface <> 'console' and target is not null;
create index entries_of_shown_patient on audit.entries using gin (patients)
  where mode = 'live' and patients is not null;

-- The patient ids in a response's text.
create function audit.patients_in(answer text) returns text[] language sql immutable parallel safe
  return (select array_agg(distinct 'pat_' || left(part, 26))
            from string_to_table(answer, '"pat_') with ordinality as s (part, n)
           where n > 1 and substr(part, 27, 1) = '"');

create function audit.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit rows must not be changed or removed' using errcode = 'insufficient_privilege';
end $$;
create trigger never_changed before update or delete on audit.entries
  for each row execute function audit.refuse_change();
create trigger never_truncated before truncate on audit.entries
  for each statement execute function audit.refuse_change();

-- Signatures reveal changes by the database's owner. The worker signs rows in batches. A batch is
-- every row in a range of finished transactions, so no row can join it later. A signature includes
-- a digest of each row and covers the previous signature. The key isn't in the database. Rows
-- aren't chained to each other, because every call would then wait for one lock.
create table audit.signatures (
  n bigint primary key check (n > 0),
  signed_at timestamptz not null default clock_timestamp(),
  upper xid8 not null,         -- rows of earlier transactions that no previous batch contains
  last_seq bigint not null,    -- the highest seq of all batches so far
  rows int not null,
  digests bytea not null,      -- 16 bytes per row in order of seq: the seq, and half of its digest
  previous bytea not null,     -- the previous signature
  key text not null,           -- the signing key: eight characters of its digest
  signature bytea not null check (octet_length(signature) = 32),
  check (octet_length(digests) = rows * 16)
);
create trigger never_changed before update or delete on audit.signatures
  for each row execute function audit.refuse_change();
create trigger never_truncated before truncate on audit.signatures
  for each statement execute function audit.refuse_change();
grant select, insert on audit.signatures to app_worker_test, app_worker_live;

-- A row's entry in a signature: the seq, and half of a digest over all columns in one unambiguous
-- text. A new column requires a new version, whose rows have a longer list. A row of an older
-- version with a value in that column must not match its signed digest.
create function audit.entry_digest(e audit.entries) returns bytea language sql stable parallel safe
  return int8send(e.seq) || substring(sha256(convert_to(json_build_array(e.version, e.seq,
    to_char(e.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US'), e.mode, e.integration,
    e.organization, e.actor, e.person, e.client, e.surface, e.action, e.target, e.outcome, e.status,
    e.code, e.request, e.address, e.agent, e.xid::text, e.shape, e.patients)::text, 'utf8')) for 8);

-- The rows that may now be signed, after the batch that ended at `lower`: about `batch` rows, in
-- whole transactions. An unsigned row's seq may be slightly lower than a signed row's, so the
-- search starts 20,000 before the last one.
create function audit.unsigned_entries(lower xid8, seen bigint, batch int, out upper xid8,
                                       out last_seq bigint, out rows int, out digests bytea)
  language sql stable security definer set search_path = audit, pg_temp as $$
  with ended as materialized (
    select e.seq, e.xid, audit.entry_digest(e) as digest from entries e
     where e.seq > seen - 20000 and e.xid >= lower
       and e.xid < pg_snapshot_xmin(pg_current_snapshot())
     order by e.xid, e.seq
     limit batch
  ), whole as materialized (
    -- A full batch may contain only part of its last transaction, so that transaction goes to the
    -- next batch.
    select seq, xid, digest from ended
     where (select count(*) from ended) < batch or xid < (select max(xid) from ended)
        or (select min(xid) = max(xid) from ended)
  )
  select case when (select count(*) from ended) < batch then pg_snapshot_xmin(pg_current_snapshot())
              else (select (max(xid)::text::bigint + 1)::text::xid8 from whole) end,
         greatest(seen, max(seq)), count(*)::int, coalesce(string_agg(digest, '' order by seq), '')
    from whole
$$;
revoke execute on function audit.unsigned_entries from public;
grant execute on function audit.unsigned_entries to app_worker_test, app_worker_live;
