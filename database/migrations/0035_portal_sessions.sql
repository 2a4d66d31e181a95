-- A person signs in at the authorization server. The portal and the console have sessions of their
-- own, each begun by a handoff: a code that the person's browser carries there, once, within a
-- minute. All sessions of one sign-in end together.

alter table auth.credentials
  -- Where a session counts; null: it is no session.
  add column origin text check (origin in ('auth', 'portal', 'console')),
  -- The first session of the sign-in that it belongs to.
  add column sign_in text collate "C";
update auth.credentials set origin = 'auth', sign_in = id where kind = 'session';
alter table auth.credentials
  add constraint sessions_alone_have_an_origin
    check ((kind = 'session') = (origin is not null) and (origin is null) = (sign_in is null));
create index on auth.credentials (sign_in) where sign_in is not null;

create table auth.handoffs (
  hash bytea primary key check (octet_length(hash) = 32),
  -- The session at the authorization server that the person has, and the origin to begin one for.
  session text collate "C" not null references auth.credentials on delete cascade,
  origin text not null check (origin in ('portal', 'console')),
  -- An HMAC of a value that only the browser has that asked for it.
  browser bytea not null check (octet_length(browser) = 32),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index on auth.handoffs (expires_at);
create index on auth.handoffs (session);
grant select, insert, delete on auth.handoffs to app_auth;

-- A session as a caller of the API: the member that it is of, for the roles of the gateway, which
-- see no session in the table.
create function auth.member_of_session(of_hashes bytea[], of_integration text,
    out id text, out person text, out role text, out revision bigint, out agreed boolean)
  returns setof record language sql stable security definer set search_path = auth, pg_temp as $$
  select k.id, k.person, m.role, i.revision,
         exists (select from agreements a where a.integration = i.id
            and a.terminated_at is null and (a.ends_at is null or a.ends_at > now()))
    from credentials k
    join persons p on p.id = k.person and p.disabled_at is null
    join members m on m.person = k.person and m.integration = of_integration and m.removed_at is null
    join integrations i on i.id = m.integration and i.suspended_at is null
   where k.kind = 'session' and k.origin = 'portal' and k.hash = any (of_hashes)
     and k.revoked_at is null and k.expires_at > now()
$$;

-- Whether it still is: the revision counts every change of its membership and of its integration.
create function auth.session_stands(of_session text, of_integration text, at_revision bigint,
    needs_agreement boolean) returns boolean
  language sql stable security definer set search_path = auth, pg_temp
  return exists (
    select from auth.credentials k
      join auth.persons p on p.id = k.person and p.disabled_at is null
      join auth.integrations i on i.id = of_integration and i.revision = at_revision
       and i.suspended_at is null
     where k.id = of_session and k.kind = 'session' and k.origin = 'portal'
       and k.revoked_at is null and k.expires_at > now()
       and (not needs_agreement or exists (select from auth.agreements a
         where a.integration = i.id and a.terminated_at is null
           and (a.ends_at is null or a.ends_at > now()))));

do $$
declare made regprocedure;
begin
  for made in select oid::regprocedure from pg_proc where pronamespace = 'auth'::regnamespace
     and proname in ('member_of_session', 'session_stands') loop
    execute format('revoke execute on function %s from public', made);
    execute format('grant execute on function %s to app_test, app_live', made);
  end loop;
end $$;
