-- One row for every call, refused ones too: who asked for what, and what became of it. No bodies,
-- no names, no tokens. The gateway's roles may add a row and nothing else; the triggers stop even
-- the owner from changing one by mistake.

create schema audit;
grant usage on schema audit to svc_test, svc_live;

create table audit.entries (
  seq bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  mode text,                -- null while nobody is known
  integration text,
  organization text,
  actor text,               -- the credential's id
  surface text not null,    -- rest, later mcp and portal
  action text not null,     -- the operation's id, or the route that was not found
  target text,              -- the id in the path, or the id that was made
  outcome text not null check (outcome in ('ok', 'replayed', 'refused', 'error')),
  status int2 not null,
  code text,                -- of a refusal
  request text not null,
  address text,
  agent text
);

grant insert on audit.entries to svc_test, svc_live;

create function audit.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'an audit row is never changed or removed' using errcode = 'insufficient_privilege';
end $$;
create trigger never_changed before update or delete on audit.entries
  for each row execute function audit.refuse_change();
create trigger never_truncated before truncate on audit.entries
  for each statement execute function audit.refuse_change();
