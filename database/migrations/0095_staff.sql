-- The staff of a clinic: persons who act for an organization in live mode, each with roles, and
-- clinicians with the licenses by which they may decide. Who belongs to an integration is no staff by
-- that, nor the other way round.

do $$
begin
  -- The console: live only, and limited to one organization by the policies of the next migrations.
  if not exists (select from pg_roles where rolname = 'app_console') then
    create role app_console login;
  end if;
exception when duplicate_object or unique_violation then null; -- made by another migration just now
end $$;
grant usage on schema public, auth, audit, live to app_console;

create table auth.staff (
  organization text collate "C" not null references auth.organizations,
  person text collate "C" not null references auth.persons,
  name text not null check (char_length(name) between 1 and 200), -- as patients read it
  roles text[] not null check (cardinality(roles) > 0
    and roles <@ array['admin', 'clinician', 'nurse', 'pharmacy', 'records', 'auditor']),
  created_at timestamptz(3) not null default clock_timestamp(),
  removed_at timestamptz(3),
  -- Counts the changes of what the person may do; a call compares it in the statement that acts.
  revision bigint not null default 0,
  primary key (organization, person)
);

create table auth.licenses (
  organization text collate "C" not null,
  person text collate "C" not null,
  state text not null check (state ~ '^[A-Z]{2}$'),
  number text not null check (char_length(number) between 1 and 100),
  expires_on date not null, -- the last day on which it is valid
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (organization, person, state),
  foreign key (organization, person) references auth.staff
);

create function auth.count_change_of_staff() returns trigger language plpgsql
  set search_path = auth, pg_temp as $$
begin
  new.revision := old.revision + 1;
  return new;
end $$;
create trigger count_change before update on auth.staff
  for each row execute function auth.count_change_of_staff();

create function auth.count_change_of_license() returns trigger language plpgsql security definer
  set search_path = auth, pg_temp as $$
begin
  update staff set name = name
   where (organization, person) in ((old.organization, old.person), (new.organization, new.person));
  return null;
end $$;
revoke execute on function auth.count_change_of_license() from public;
create trigger count_change after insert or update or delete on auth.licenses
  for each row execute function auth.count_change_of_license();

-- The session of a member of staff as a caller. It ends after fifteen minutes without a use.
-- `states`: those of the licenses that are valid today. `factor_seconds`: since the second factor
-- was proved; null: not in this session.
create function auth.staff_of_session(of_hashes bytea[], of_organization text,
    out id text, out person text, out name text, out roles text[], out states text[],
    out factor_seconds float8, out revision bigint)
  returns setof record language sql stable security definer set search_path = auth, pg_temp as $$
  select k.id, k.person, s.name, s.roles,
         array(select l.state from licenses l
                where l.organization = s.organization and l.person = s.person
                  and l.expires_on >= current_date order by 1),
         extract(epoch from clock_timestamp() - k.second_factor_at)::float8, s.revision
    from credentials k
    join persons p on p.id = k.person and p.disabled_at is null
    join staff s on s.person = k.person and s.organization = of_organization
     and s.removed_at is null
    join organizations o on o.id = s.organization and o.sandbox_of is null and o.status = 'active'
   where k.kind = 'session' and k.origin = 'console' and k.hash = any (of_hashes)
     and k.revoked_at is null and k.expires_at > clock_timestamp()
     and coalesce(k.last_used_at, k.created_at) > clock_timestamp() - interval '15 minutes'
$$;

-- Whether the session still is of that member of staff, with the same roles and licenses.
create function auth.staff_stands(of_session text, of_organization text, at_revision bigint)
  returns boolean language sql stable security definer set search_path = auth, pg_temp
  return exists (
    select from auth.credentials k
      join auth.persons p on p.id = k.person and p.disabled_at is null
      join auth.staff s on s.person = k.person and s.organization = of_organization
       and s.removed_at is null and s.revision = at_revision
     where k.id = of_session and k.kind = 'session' and k.origin = 'console'
       and k.revoked_at is null and k.expires_at > clock_timestamp());

revoke execute on function auth.staff_of_session, auth.staff_stands from public;
grant execute on function auth.staff_of_session, auth.staff_stands to app_console;

-- Which brand a case came from.
grant select (id, name) on auth.integrations to app_console;
grant insert on audit.entries to app_console;
