-- Patients' documents, and exports of all data stored about a patient. The bytes are in object
-- storage under random names. When a row is removed, a trigger adds its objects to
-- discarded_objects, and the worker removes them.

create table discarded_objects (
  tenant bigint not null,
  key text collate "C" not null,
  due_at timestamptz not null default now(), -- moved ahead while a worker is removing it
  created_at timestamptz not null default now(),
  primary key (tenant, key)
);
create index on discarded_objects (due_at);
alter table discarded_objects enable row level security;
alter table discarded_objects force row level security;
create policy tenant on discarded_objects to app_{mode} using (tenant = public.current_tenant());
create policy worker on discarded_objects to app_worker_{mode} using (true);
-- The triggers and sweeps below run as the owner, and insert rows for any tenant.
create policy owner on discarded_objects to current_user using (true);
grant select, insert on discarded_objects to app_{mode};
grant select, update (due_at), delete on discarded_objects to app_worker_{mode};

-- Documents are hidden until they are scanned, and the clinic can remove them.
create table files (
  tenant bigint not null,
  id text collate "C" not null,
  patient text collate "C" not null,
  "case" text collate "C",
  kind text,
  filename text,
  mime text not null,
  declared_bytes int, -- as announced; an upload of another size is refused
  size_bytes int,     -- as measured by storage
  status text not null check (status in ('reserved', 'attached', 'removed')),
  object text not null check (object ~ '^[0-9a-z]{32}$'), -- the name of its bytes in storage
  attached_at timestamptz(3),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3), -- when the reservation expires
  -- Null while reserved, and in test mode, which stores no bytes.
  scan text check (scan in ('pending', 'clean', 'refused')),
  finding text, -- why it's refused, as a code in contract/console/files.ts
  pages int, -- how many pages can be shown
  -- A removal is requested and then confirmed. A removed document's row stays, without its
  -- filename, which may identify a person.
  removal_reason text,
  removal_asked_by text collate "C",
  removal_asked_by_name text,
  removal_asked_at timestamptz(3),
  removed_by text collate "C",
  removed_by_name text,
  removed_at timestamptz(3),
  primary key (tenant, id),
  unique (tenant, object),
  foreign key (tenant, patient) references patients,
  constraint attached_files_are_whole check (
    (status = 'reserved') = (attached_at is null)
    and (status = 'reserved' or (kind is not null and expires_at is null))
    and (status = 'attached') <= (filename is not null)
    and (status = 'removed') <= (filename is null)),
  constraint scans_are_whole check (
    (scan = 'clean') is true = (pages is not null) and (scan = 'refused') is true = (finding is not null)),
  constraint removals_are_whole check (
    num_nonnulls(removal_reason, removal_asked_by, removal_asked_by_name, removal_asked_at) in (0, 4)
    and num_nonnulls(removed_by, removed_by_name, removed_at)
        = case when status = 'removed' then 3 else 0 end
    and (status <> 'removed' or removal_asked_at is not null))
);
create index on files (tenant, patient, id);
create index on files (expires_at) where expires_at is not null;
create index on files using brin (created_at); -- only test
alter table files enable row level security;
alter table files force row level security;
create policy tenant on files to app_{mode} using (tenant = public.current_tenant()
  and created_at > (select at from kept_since) -- only test
);
create policy worker on files for select to app_worker_{mode} using (
  tenant = public.current_tenant()
  and created_at > (select at from kept_since) -- only test
);
create policy worker_scan on files for update to app_worker_{mode}
  using (tenant = public.current_tenant());
create policy owner on files to current_user using (true);
grant select, insert, update, delete on files to app_{mode};
grant select, update (scan, finding, pages) on files to app_worker_{mode};

-- Documents waiting for their scan; none in test mode. A row is removed once its scan is done.
create table file_scans (
  tenant bigint not null,
  file text collate "C" not null,
  due_at timestamptz not null default now(), -- moved ahead by the worker that scans it
  foreign key (tenant, file) references files on delete cascade, -- only live
  primary key (tenant, file)
);
create index on file_scans (due_at);
alter table file_scans enable row level security;
alter table file_scans force row level security;
create policy tenant on file_scans to app_{mode} using (tenant = public.current_tenant());
create policy worker on file_scans to app_worker_{mode} using (true);
create policy owner on file_scans to current_user using (true);
grant select, insert on file_scans to app_{mode};
grant select, update (due_at), delete on file_scans to app_worker_{mode};

-- Discards both the uploaded and the attached object. Test mode doesn't store an upload's bytes.
create function discard_file() returns trigger language plpgsql as $$
begin
  if tg_table_schema = 'live' then
    execute format('insert into %I.discarded_objects (tenant, key) values ($1, $2), ($1, $3)
                      on conflict do nothing', tg_table_schema)
      using old.tenant, 'live/u/' || old.object, 'live/f/' || old.object;
  end if;
  return null;
end $$;
create trigger discarded after delete on files for each row execute function discard_file();

-- An export's row is also its job. Its bundle stays in object storage until it expires, and the row
-- stays for thirty days. An export without a patient contains all tables: its object is their
-- files, one after another, and `tables` has each file's position.
create table exports (
  tenant bigint not null,
  id text collate "C" not null,
  patient text collate "C",
  include_identity boolean,
  nightly boolean,
  tables json,
  as_of timestamptz(3),
  status text not null check (status in ('pending', 'completed', 'failed')),
  object text check (object ~ '^[0-9a-z]{32}$'), -- null again once the bundle is removed
  size_bytes bigint,
  sha256 text,
  attempts int not null default 0,
  due_at timestamptz not null default now(), -- when a worker may claim a pending export
  expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (tenant, id),
  foreign key (tenant, patient) references patients,
  check ((status = 'completed') = (expires_at is not null and size_bytes is not null
    and sha256 is not null)),
  check (status = 'completed' or object is null),
  check (num_nonnulls(include_identity, nightly) = case when patient is null then 2 else 0 end),
  check (num_nonnulls(tables, as_of) =
         case when patient is null and status = 'completed' then 2 else 0 end)
);
create index table_exports on exports (tenant, id) where patient is null;
create unique index one_pending_table_export on exports (tenant)
  where patient is null and status = 'pending';
create index on exports (tenant, patient, id);
create index on exports (due_at) where status = 'pending';
create index on exports (expires_at) where object is not null;
create index on exports using brin (created_at);
alter table exports enable row level security;
alter table exports force row level security;
create policy tenant on exports to app_{mode} using (tenant = public.current_tenant()
  and created_at > (select at from kept_since) -- only test
);
-- The worker finds every tenant's pending exports, and reads an export's data as its tenant.
create policy worker on exports to app_worker_{mode} using (true);
create policy owner on exports to current_user using (true);
grant select, insert, delete on exports to app_{mode};
grant select, insert, update on exports to app_worker_{mode};

-- The tenants whose tables are exported every night, and when the next export is due by each
-- tenant's clock.
create table export_schedules (
  tenant bigint primary key,
  include_identity boolean not null,
  due_at timestamptz(3) not null
);
create index on export_schedules (due_at);
alter table export_schedules enable row level security;
alter table export_schedules force row level security;
create policy tenant on export_schedules to app_{mode} using (tenant = public.current_tenant());
create policy worker on export_schedules to app_worker_{mode} using (true);
create policy owner on export_schedules to current_user using (true); -- only test
grant select, insert, update, delete on export_schedules to app_{mode};
grant select, update on export_schedules to app_worker_{mode};

create function discard_bundle() returns trigger language plpgsql as $$
begin
  execute format('insert into %I.discarded_objects (tenant, key) values ($1, $2)
                    on conflict do nothing', tg_table_schema)
    using old.tenant, tg_table_schema || '/x/' || old.object;
  return null;
end $$;
create trigger discarded after delete on exports for each row when (old.object is not null)
  execute function discard_bundle();
create trigger replaced after update of object on exports for each row
  when (old.object is not null and new.object is distinct from old.object)
  execute function discard_bundle();

-- begin only live
-- The worker's own changes in live mode leave audit rows in the same transaction: one per resource,
-- or one per tenant with a count when it deletes a batch of old rows.

-- Writes the only audit rows that come from the worker's role. The `shape` column records `many`
-- rows of `what`, like an array in a request's body.
create function live.record_work(action text, own bigint, of_target text, what text default null,
    many bigint default null) returns void
  language sql volatile security definer set search_path = live, pg_temp
begin atomic
  insert into audit.entries (mode, integration, organization, actor, surface, action, target,
                             outcome, status, request, shape)
  select 'live', t.integration, t.organization, 'worker', 'worker', action, of_target, 'ok', 200,
         public.new_id('req'),
         case when many is not null then json_build_object(what, 'array ' || many)::text end
    from (values (own)) as x (tenant) left join live.tenants t on t.id = x.tenant;
end;
revoke execute on function live.record_work from public;
grant execute on function live.record_work to app_worker_live;

-- Removes expired reservations, and returns how many. A filed document stays with the record.
create function live.sweep_files(batch int) returns bigint language plpgsql volatile
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

-- Removes exports written for a patient during its deletion, rows after thirty days, and bundles an
-- hour after they expire. Returns how many rows it changed.
create function live.sweep_exports(batch int) returns bigint language plpgsql volatile
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

create function live.purge_records(batch int) returns bigint language plpgsql volatile
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
revoke execute on function live.sweep_files, live.sweep_exports, live.purge_records from public;
grant execute on function live.sweep_files, live.sweep_exports, live.purge_records
  to app_worker_live;
-- end only live
