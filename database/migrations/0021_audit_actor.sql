-- A row of the audit names the person that a credential acts for, and the OAuth client through which
-- it does; both are null for a key. Its version says which columns its signature covers, so that a
-- signature from before a new column stays true: rows from before this migration are of version 1.

-- Made again below: PostgreSQL 15.20 adds no column with a default while a function has the row type.
drop function audit.entry_digest;
alter table audit.entries
  add column person text,
  add column client text,
  add column version int2 not null default 1;
alter table audit.entries alter column version set default 2;

comment on column audit.entries.surface is
  'rest, mcp, portal, console, oauth, cli, page or worker';

-- What a signature keeps of a row: the seq, and half of a digest over all columns of its version in
-- one unambiguous text. A row of version 1 holds no person and no client; where one does, it was
-- changed, and must not have the digest that it was signed with.
create or replace function audit.entry_digest(e audit.entries) returns bytea language sql stable
  parallel safe
  return int8send(e.seq) || substring(sha256(convert_to(
    case when e.version = 1 and e.person is null and e.client is null
    then json_build_array(e.seq,
      to_char(e.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US'), e.mode, e.integration,
      e.organization, e.actor, e.surface, e.action, e.target, e.outcome, e.status, e.code, e.request,
      e.address, e.agent, e.xid::text)
    else json_build_array(e.version, e.seq,
      to_char(e.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US'), e.mode, e.integration,
      e.organization, e.actor, e.person, e.client, e.surface, e.action, e.target, e.outcome,
      e.status, e.code, e.request, e.address, e.agent, e.xid::text)
    end::text, 'utf8')) for 8);

-- The authorization server records what it issues, refuses and revokes.
grant insert on audit.entries to app_auth;
