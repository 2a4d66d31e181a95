-- Keys that end without an act of a member: one that was reported as leaked is revoked at once, and
-- the owners of the integration are emailed; they are also emailed before a live key ends.

-- One email to each owner who can sign in, about a key. `facts` is what the email says of it.
create function auth.email_owners_of_key(of_integration text, what text, facts jsonb) returns void
  language sql volatile set search_path = auth, pg_temp as $$
  select site.queue_person_email(what, facts || jsonb_build_object('email', p.email,
           'integration', i.name))
    from members m join persons p on p.id = m.person and p.disabled_at is null
    join integrations i on i.id = m.integration
   where m.integration = of_integration and m.role = 'owner' and m.removed_at is null
$$;
revoke execute on function auth.email_owners_of_key from public;

-- A caller who has the key may report it. It returns nothing, so that the caller learns nothing.
create function auth.report_key(of_hashes bytea[], act jsonb) returns void
  language plpgsql security definer set search_path = auth, pg_temp as $$
declare key credentials;
begin
  update credentials set revoked_at = clock_timestamp(), revoked_reason = 'reported'
   where kind = 'key' and hash = any (of_hashes) and revoked_at is null
     and (expires_at is null or expires_at > now())
  returning * into key;
  if key.id is null then return; end if;
  insert into audit.entries (mode, integration, surface, action, target, outcome, status, request,
                             address, agent)
  values (key.mode, key.integration, act ->> 'surface', 'reportKey', key.id, 'ok', 202,
          act ->> 'request', act ->> 'address', left(act ->> 'agent', 300));
  perform email_owners_of_key(key.integration, 'key_reported', jsonb_build_object(
    'name', key.name, 'mode', key.mode, 'last4', key.last4));
end $$;
revoke execute on function auth.report_key from public;
grant execute on function auth.report_key to app_auth;

-- Of which ends owners were emailed, 30, 7 and 1 days before.
create table auth.key_end_notices (
  key text collate "C" not null,
  days int not null check (days in (30, 7, 1)),
  sent_at timestamptz(3) not null default clock_timestamp(),
  primary key (key, days)
);

-- Emails what is due, once, and returns how many keys it was about. A key that was rotated has a
-- successor, and needs none; nor does one that was made later than the notice would have been. Where
-- no worker ran for a while, only the latest of a key is due.
create function auth.notify_ending_keys() returns int
  language plpgsql security definer set search_path = auth, pg_temp as $$
declare notice record; notices int := 0;
begin
  for notice in
    with due as (
      select k.id, min(d.days) as days
        from credentials k join integrations i on i.id = k.integration and i.suspended_at is null
       cross join unnest(array[30, 7, 1]) as d (days)
       where k.kind = 'key' and k.mode = 'live' and k.revoked_at is null and k.replaced_by is null
         and k.expires_at > now() and k.expires_at <= now() + d.days * interval '1 day'
         and k.created_at < k.expires_at - d.days * interval '1 day'
       group by k.id
    ), made as (
      insert into key_end_notices (key, days) select id, days from due
          on conflict do nothing returning key, days
    )
    select k.*, m.days from made m join credentials k on k.id = m.key
  loop
    perform email_owners_of_key(notice.integration, 'key_ends', jsonb_build_object(
      'name', notice.name, 'last4', notice.last4, 'days', notice.days, 'ends_at',
      public.iso(notice.expires_at)));
    notices := notices + 1;
  end loop;
  return notices;
end $$;
revoke execute on function auth.notify_ending_keys from public;
grant execute on function auth.notify_ending_keys to app_worker_live;
