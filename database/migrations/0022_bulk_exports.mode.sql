-- Bulk exports of FHIR resources. An export's row is also its job: `source` and `after` are its
-- position (clinical/fhir/bulk/job.ts). Its files stay in object storage until it expires. In live
-- mode its row stays, so the clinic can tell who saw a patient.

create table bulk_exports (
  tenant bigint not null,
  id text collate "C" not null,
  request text not null, -- the kick-off's path and query
  types text[] not null,
  since timestamptz(3),
  patients text[], -- null: everyone
  person text collate "C", -- the staff member who started it; null: the integration did
  person_name text,
  status text not null default 'running'
    check (status in ('running', 'completed', 'failed', 'deleted')),
  source int not null default 0, -- index into the sources for its types
  after text collate "C" not null default '',
  attempts int not null default 0, -- since a worker last wrote a file
  due_at timestamptz not null default now(),
  created_at timestamptz(3) not null, -- the transaction time
  expires_at timestamptz(3) not null,
  primary key (tenant, id),
  check ((person is null) = (person_name is null))
);
create unique index one_running_export on bulk_exports (tenant, (person is null))
  where status = 'running';
create index on bulk_exports using brin (created_at); -- only test

create table bulk_files (
  tenant bigint not null,
  id text collate "C" not null,
  export text collate "C" not null,
  type text not null,
  count int not null,
  object text check (object ~ '^[0-9a-z]{32}$'), -- null once the file is removed
  created_at timestamptz(3) not null, -- copied from the export
  primary key (tenant, id),
  foreign key (tenant, export) references bulk_exports
);
create index on bulk_files (tenant, export, id);
create index stored_files on bulk_files (tenant, export) where object is not null;
create index on bulk_files using brin (created_at); -- only test
create trigger discarded after delete on bulk_files for each row when (old.object is not null)
  execute function discard_bundle();
create trigger replaced after update of object on bulk_files for each row
  when (old.object is not null and new.object is null) execute function discard_bundle();

do $$
declare made text;
begin
  foreach made in array array['bulk_exports', 'bulk_files'] loop
    execute format('alter table %I enable row level security', made);
    execute format('alter table %I force row level security', made);
    execute format($p$create policy tenant on %I to app_{mode} using (
      tenant = public.current_tenant()
      and created_at > (select at from kept_since) -- only test
    )$p$, made);
    execute format('create policy worker on %I to app_worker_{mode} using (true)', made);
    execute format('create policy owner on %I to current_user using (true)', made); -- only test
-- begin only live
    execute format($p$create policy console on %I for select to app_console
      using (tenant = any ((select organization_tenants())::bigint[]))$p$, made);
    execute format($p$create policy console_update on %I for update to app_console
      using (is_console_tenant(tenant))$p$, made);
    execute format('grant select on %I to app_console', made);
-- end only live
  end loop;
end $$;
grant select, insert, update (status) on bulk_exports to app_{mode};
grant select, update (object) on bulk_files to app_{mode};
grant select, update on bulk_exports to app_worker_{mode};
grant select, insert, update (object) on bulk_files to app_worker_{mode};
grant insert on discarded_objects to app_worker_{mode};
-- begin only live
create policy console_insert on bulk_exports for insert to app_console
  with check (is_console_tenant(tenant));
grant insert, update (status) on bulk_exports to app_console;
grant update (object) on bulk_files to app_console;
-- end only live
insert into public.sandbox_tables (position, name) -- only test
  values (320, 'bulk_files'), (330, 'bulk_exports'); -- only test
