-- A row of the audit holds the shape of the request's body: the names that the operation's schema
-- knows, with the JSON type of each value and the length of each array, and how many other names
-- there were. Never a value, and never a name that the schema does not know, which may be one. Null
-- where no body was read. Rows from before are of version 1 or 2, and hold none.

alter table audit.entries add column shape text;
alter table audit.entries alter column version set default 3;

-- What a signature keeps of a row: the seq, and half of a digest over all columns of its version in
-- one unambiguous text. A row of an old version holds nothing in the columns that came later; where
-- one does, it was changed, and must not have the digest that it was signed with.
create or replace function audit.entry_digest(e audit.entries) returns bytea language sql stable
  parallel safe
  return int8send(e.seq) || substring(sha256(convert_to(
    case
    when e.version = 1 and e.person is null and e.client is null and e.shape is null
    then json_build_array(e.seq,
      to_char(e.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US'), e.mode, e.integration,
      e.organization, e.actor, e.surface, e.action, e.target, e.outcome, e.status, e.code, e.request,
      e.address, e.agent, e.xid::text)
    when e.version = 2 and e.shape is null
    then json_build_array(e.version, e.seq,
      to_char(e.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US'), e.mode, e.integration,
      e.organization, e.actor, e.person, e.client, e.surface, e.action, e.target, e.outcome,
      e.status, e.code, e.request, e.address, e.agent, e.xid::text)
    else json_build_array(e.version, e.seq,
      to_char(e.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US'), e.mode, e.integration,
      e.organization, e.actor, e.person, e.client, e.surface, e.action, e.target, e.outcome,
      e.status, e.code, e.request, e.address, e.agent, e.xid::text, e.shape)
    end::text, 'utf8')) for 8);
