-- Documents of a patient, and exports of everything stored about one. The bytes are in object
-- storage under random names. When a row is removed, for whatever reason, a trigger names its
-- objects in discarded_objects, and the worker removes them.

create table discarded_objects (
  tenant bigint not null,
  key text collate "C" not null,
  due_at timestamptz not null default now(), -- moved on while a worker is removing it
  created_at timestamptz not null default now(),
  primary key (tenant, key)
);
create index on discarded_objects (due_at);
alter table discarded_objects enable row level security;
alter table discarded_objects force row level security;
create policy tenant on discarded_objects to app_{mode} using (tenant = public.current_tenant());
create policy worker on discarded_objects to app_worker_{mode} using (true);
-- The triggers and sweeps below, which run as the owner, insert for any tenant.
create policy owner on discarded_objects to current_user using (true);
grant select, insert on discarded_objects to app_{mode};
grant select, update (due_at), delete on discarded_objects to app_worker_{mode};

create table files (
  tenant bigint not null,
  id text collate "C" not null,
  patient text collate "C" not null,
  "case" text collate "C",
  kind text,
  filename text,
  mime text not null,
  declared_bytes int, -- as announced: an upload of another size is refused
  size_bytes int,     -- as storage measured it
  status text not null check (status in ('reserved', 'attached')),
  object text not null check (object ~ '^[0-9a-z]{32}$'), -- the name of its bytes in storage
  attached_at timestamptz(3),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3), -- of the reservation
  primary key (tenant, id),
  unique (tenant, object),
  foreign key (tenant, patient) references patients,
  check ((status = 'attached') = (attached_at is not null and kind is not null
    and filename is not null and expires_at is null))
);
create index on files (tenant, patient, id);
create index on files (expires_at) where expires_at is not null;
create index on files using brin (created_at); -- only test
alter table files enable row level security;
alter table files force row level security;
create policy tenant on files to app_{mode} using (tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy worker on files for select to app_worker_{mode} using (
  tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy owner on files to current_user using (true);
grant select, insert, update, delete on files to app_{mode};
grant select on files to app_worker_{mode};

-- The uploaded object and the attached one. In test mode the bytes of an upload are not stored.
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

-- Removes expired reservations, and files that were written for a patient in the moment of its
-- deletion. Returns how many are gone.
create function sweep_files(batch int) returns bigint language plpgsql volatile
  security definer set search_path = {mode}, pg_temp as $$
declare
  expired bigint;
  orphaned bigint;
begin
  delete from files where ctid = any (array(
    select f.ctid from files f where f.expires_at <= now() limit batch for update skip locked));
  get diagnostics expired = row_count;
  delete from files where ctid = any (array(
    select f.ctid from patients p join files f on f.tenant = p.tenant and f.patient = p.id
     where p.deleted_at > now() - interval '7 days'
     limit batch for update of f skip locked));
  get diagnostics orphaned = row_count;
  return expired + orphaned;
end $$;
revoke execute on function sweep_files from public;
grant execute on function sweep_files to app_worker_{mode};

-- The row of an export is the job. Its bundle is in object storage until it expires; the row
-- remains for thirty days.
create table exports (
  tenant bigint not null,
  id text collate "C" not null,
  patient text collate "C" not null,
  status text not null check (status in ('pending', 'completed', 'failed')),
  object text check (object ~ '^[0-9a-z]{32}$'), -- null again when the bundle was removed
  size_bytes bigint,
  sha256 text,
  attempts int not null default 0,
  due_at timestamptz not null default now(), -- when a worker may take a pending one
  expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (tenant, id),
  foreign key (tenant, patient) references patients,
  check ((status = 'completed') = (expires_at is not null and size_bytes is not null
    and sha256 is not null)),
  check (status = 'completed' or object is null)
);
create index on exports (tenant, patient, id);
create index on exports (due_at) where status = 'pending';
create index on exports (expires_at) where object is not null;
create index on exports using brin (created_at);
alter table exports enable row level security;
alter table exports force row level security;
create policy tenant on exports to app_{mode} using (tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
-- The worker finds pending exports of every tenant, and reads what goes into one as its tenant.
create policy worker on exports to app_worker_{mode} using (true);
create policy owner on exports to current_user using (true);
grant select, insert, delete on exports to app_{mode};
grant select, update on exports to app_worker_{mode};

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

-- Removes exports that were written for a patient in the moment of its deletion, rows after thirty
-- days, and bundles an hour after they expired. Returns how many rows it changed.
create function sweep_exports(batch int) returns bigint language plpgsql volatile
  security definer set search_path = {mode}, pg_temp as $$
declare
  gone bigint;
  past bigint;
  ended bigint;
begin
  delete from exports where ctid = any (array(
    select e.ctid from exports e
     where exists (select from patients p
                    where p.tenant = e.tenant and p.id = e.patient and p.deleted_at is not null)
     limit batch for update of e skip locked));
  get diagnostics gone = row_count;
  delete from exports where ctid = any (array(
    select ctid from exports where created_at <= now() - interval '30 days'
     limit batch for update skip locked));
  get diagnostics past = row_count;
  update exports set object = null where ctid = any (array(
    select ctid from exports where object is not null and expires_at <= now() - interval '1 hour'
     limit batch for update skip locked));
  get diagnostics ended = row_count;
  return gone + past + ended;
end $$;
revoke execute on function sweep_exports from public;
grant execute on function sweep_exports to app_worker_{mode};
