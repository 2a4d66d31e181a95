-- What the worker changes in live mode on its own leaves an audit row, in the same transaction:
-- one for each resource, or one for each tenant with a count where a batch of old rows is deleted.

-- The worker's role writes no other rows of the audit. `many` rows of `what` stand in the column
-- `shape`, as an array of a request's body would.
create function live.record_work(action text, own bigint, of_target text, what text default null,
    many bigint default null) returns void
  language sql volatile security definer set search_path = live, pg_temp
begin atomic
  insert into audit.entries (mode, integration, organization, actor, surface, action, target,
                             outcome, status, request, shape)
  select 'live', t.integration, t.organization, 'worker', 'worker', action, of_target, 'ok', 200,
         public.ulid('req', clock_timestamp(), live.ulid_random()),
         case when many is not null then json_build_object(what, 'array ' || many)::text end
    from (values (own)) as x (tenant) left join live.tenants t on t.id = x.tenant;
end;
revoke execute on function live.record_work from public;
grant execute on function live.record_work to app_worker_live;

-- As before, with its rows of the audit.
create or replace function live.sweep_files(batch int) returns bigint language plpgsql volatile
  security definer set search_path = live, pg_temp as $$
declare
  expired bigint;
begin
  with gone as (
    delete from files where ctid = any (array(
      select f.ctid from files f where f.expires_at <= now() limit batch for update skip locked))
    returning tenant, id
  )
  select count(*) into expired from gone g
   cross join lateral record_work('expireFile', g.tenant, g.id);
  return expired;
end $$;

create or replace function live.sweep_exports(batch int) returns bigint language plpgsql volatile
  security definer set search_path = live, pg_temp as $$
declare
  removed bigint;
  ended bigint;
begin
  with orphaned as (
    delete from exports where ctid = any (array(
      select e.ctid from exports e
       where exists (select from patients p
                      where p.tenant = e.tenant and p.id = e.patient and p.deleted_at is not null)
       limit batch for update of e skip locked))
    returning tenant, id
  )
  select count(*) into removed from orphaned g
   cross join lateral record_work('deleteExport', g.tenant, g.id);
  with old as (
    delete from exports where ctid = any (array(
      select ctid from exports where created_at <= now() - interval '30 days'
       limit batch for update skip locked))
    returning tenant, id
  )
  select removed + count(*) into removed from old g
   cross join lateral record_work('deleteExport', g.tenant, g.id);
  with past as (
    update exports set object = null where ctid = any (array(
      select ctid from exports where object is not null and expires_at <= now() - interval '1 hour'
       limit batch for update skip locked))
    returning tenant, id
  )
  select count(*) into ended from past g
   cross join lateral record_work('expireExport', g.tenant, g.id);
  return removed + ended;
end $$;

create or replace function live.purge_records(batch int) returns bigint language plpgsql volatile
  security definer set search_path = live, pg_temp as $$
declare
  n bigint;
begin
  with gone as (
    delete from idempotency_keys where ctid = any (array(
      select ctid from idempotency_keys where expires_at <= now() limit batch
         for update skip locked))
    returning tenant
  ), counted as (
    select tenant, count(*) as many from gone group by tenant
  )
  select coalesce(sum(c.many), 0) into n from counted c
   cross join lateral record_work('purgeIdempotencyKeys', c.tenant, null, 'idempotency_keys', c.many);
  return n;
end $$;

-- As in 0051, and each notice is in the audit.
create or replace function auth.notify_ending_keys() returns int
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
    perform record_act(jsonb_build_object('actor', 'worker', 'surface', 'worker', 'request',
        public.ulid('req', clock_timestamp(), live.ulid_random())),
      'notifyKeyEnd', 'live', notice.integration, null, notice.id, null);
    notices := notices + 1;
  end loop;
  return notices;
end $$;
