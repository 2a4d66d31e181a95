-- The calls of each hour by the class of their status, counted as they are projected into the
-- request log: a chart must not read every call of a day.

create table request_counts (
  tenant bigint not null,
  hour timestamptz(0) not null,
  organization text collate "C" not null, -- '': refused before it was known
  answered int not null,
  refused int not null,
  failed int not null,
  primary key (tenant, hour, organization)
);
alter table request_counts enable row level security;
alter table request_counts force row level security;
create policy tenant on request_counts to app_{mode}
  using (tenant = (select integration_tenant()) and hour > now() - interval '30 days');
create policy owner on request_counts to current_user using (true);
grant select on request_counts to app_{mode};

create function count_requests() returns trigger language plpgsql
  set search_path = {mode}, pg_temp as $$
begin
  insert into request_counts as c (tenant, hour, organization, answered, refused, failed)
  select tenant, date_trunc('hour', created_at, 'UTC'), coalesce(organization, ''),
         count(*) filter (where status < 400),
         count(*) filter (where status between 400 and 499),
         count(*) filter (where status >= 500)
    from added group by 1, 2, 3
      on conflict (tenant, hour, organization) do update set
         answered = c.answered + excluded.answered,
         refused = c.refused + excluded.refused,
         failed = c.failed + excluded.failed;
  return null;
end $$;
revoke execute on function count_requests from public;
create trigger counted after insert on requests referencing new table as added
  for each statement execute function count_requests();

insert into request_counts (tenant, hour, organization, answered, refused, failed)
select tenant, date_trunc('hour', created_at, 'UTC'), coalesce(organization, ''),
       count(*) filter (where status < 400),
       count(*) filter (where status between 400 and 499),
       count(*) filter (where status >= 500)
  from requests group by 1, 2, 3;

-- Creates tomorrow's partition ahead, and drops the partitions of which no row can be seen any more.
-- A reader holds their lock, so it waits a moment and leaves them to the next run.
create or replace function keep_request_partitions() returns int language plpgsql volatile security definer
  set search_path = {mode}, pg_temp set lock_timeout = '2s' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  old text;
  dropped int := 0;
begin
  perform from request_log for update;
  perform create_request_partition(today), create_request_partition(today + 1);
  delete from request_counts where hour < now() - interval '30 days';
  for old in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'requests'::regclass
       and c.relname < 'requests_' || to_char(today - 30, 'YYYYMMDD')
  loop
    execute format('drop table %I', old);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
