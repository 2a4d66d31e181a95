-- The tokens of a confidential client are born of one family, which is made with the client: issuing
-- a token locks it, so that a client that is revoked at the same moment gets none.

create function auth.make_client_family() returns trigger language plpgsql security definer
  set search_path = auth, pg_temp as $$
begin
  insert into token_families (id, kind, client, integration, organization, mode, scopes)
  values ('fam' || substr(new.id, 4), 'client', new.id, new.integration, new.organization, new.mode,
          new.scopes)
  on conflict do nothing;
  return null;
end $$;
revoke execute on function auth.make_client_family() from public;
create trigger make_family after insert on auth.clients
  for each row when (new.kind = 'confidential') execute function auth.make_client_family();

insert into auth.token_families (id, kind, client, integration, organization, mode, scopes)
select 'fam' || substr(c.id, 4), 'client', c.id, c.integration, c.organization, c.mode, c.scopes
  from auth.clients c where c.kind = 'confidential'
on conflict do nothing;
