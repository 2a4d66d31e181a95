-- Makes the audit tell when somebody who owns the database changed it (contract/11, section 9). The
-- worker seals rows in batches: a batch is every row of a span of transactions that are all over,
-- so no row can join it later. A seal keeps a digest of each of its rows and is signed, over the
-- seal before it too, with a key that is not in the database. Nothing is chained row by row, which
-- would have every call wait for one lock.

alter table audit.entries add column xid xid8 not null default pg_current_xact_id();

create table audit.seals (
  n bigint primary key check (n > 0),
  sealed_at timestamptz not null default clock_timestamp(),
  upper xid8 not null,         -- rows of transactions before this one, and not of an earlier seal
  last_seq bigint not null,    -- the highest that was seen until then
  rows int not null,
  leaves bytea not null,       -- 16 bytes a row in order of seq: the seq, and half of its digest
  previous bytea not null,
  key text not null,           -- which key signed: eight characters of its own digest
  signature bytea not null check (octet_length(signature) = 32),
  check (octet_length(leaves) = rows * 16)
);
create trigger never_changed before update or delete on audit.seals
  for each row execute function audit.refuse_change();
create trigger never_truncated before truncate on audit.seals
  for each statement execute function audit.refuse_change();

-- What a seal keeps of a row: all of its columns, in one unambiguous text.
create function audit.leaf(e audit.entries) returns bytea language sql stable parallel safe
  return int8send(e.seq) || substring(sha256(convert_to(json_build_array(e.seq,
    to_char(e.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US'), e.mode, e.integration,
    e.organization, e.actor, e.surface, e.action, e.target, e.outcome, e.status, e.code, e.request,
    e.address, e.agent, e.xid::text)::text, 'utf8')) for 8);

-- The rows that may be sealed now, after seal `after` that ended at `lower`: at most about `batch`,
-- and never half of a transaction. A row may be numbered a little before one that was sealed
-- already; it is looked for that far back.
create function audit.unsealed(lower xid8, seen bigint, batch int, out upper xid8,
                               out last_seq bigint, out rows int, out leaves bytea)
  language sql stable security definer set search_path = audit, pg_temp as $$
  with ended as materialized (
    select e.seq, e.xid, audit.leaf(e) as leaf from entries e
     where e.seq > seen - 20000 and e.xid >= lower
       and e.xid < pg_snapshot_xmin(pg_current_snapshot())
     order by e.xid, e.seq
     limit batch
  ), whole as materialized (
    -- A full batch may have cut its last transaction in two, which is then left to the next.
    select seq, xid, leaf from ended
     where (select count(*) from ended) < batch or xid < (select max(xid) from ended)
        or (select min(xid) = max(xid) from ended)
  )
  select case when (select count(*) from ended) < batch then pg_snapshot_xmin(pg_current_snapshot())
              else (select (max(xid)::text::bigint + 1)::text::xid8 from whole) end,
         greatest(seen, max(seq)), count(*)::int, coalesce(string_agg(leaf, '' order by seq), '')
    from whole
$$;
revoke execute on function audit.unsealed from public;
grant execute on function audit.unsealed to svc_worker_test, svc_worker_live;

grant usage on schema audit to svc_worker_test, svc_worker_live;
grant select, insert on audit.seals to svc_worker_test, svc_worker_live;
