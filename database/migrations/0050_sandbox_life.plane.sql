-- The life of a sandbox: its timers, its being emptied at one moment, and the thirty days after
-- which a row is hidden and then removed (contract/06, sections 5 to 7). The tables are made in both
-- planes, as every table is; what empties and removes exists in test alone.

create table autopilot (
  stream bigint primary key,
  approve_after_s int check (approve_after_s between 0 and 3600),
  ship_after_s int check (ship_after_s between 0 and 3600),
  updated_at timestamptz(3) not null default clock_timestamp()
);

-- What a tick looks for. A stream without timers is never looked into.
create index on cases (stream, status_at) where status in ('queued', 'in_review');
create index on orders (stream, status_at) where status in ('created', 'at_pharmacy', 'shipped');

-- The stream that took this one's place when it was emptied.
alter table streams add column previous bigint unique references streams;
-- When the last row of a retired stream was removed.
alter table streams add column emptied_at timestamptz(3);

do $$
declare
  plane constant text := current_schema();
  role constant text := 'svc_' || current_schema();
begin
  execute format('alter table %I.autopilot enable row level security', plane);
  execute format('alter table %I.autopilot force row level security', plane);
  execute format('create policy tenant on %I.autopilot to %I using (stream = public.opened_stream())',
                 plane, role);
  execute format('grant select, insert, update on %I.autopilot to %I', plane, role);
end $$;

-- A prescription is removed only when no order points at it, which is asked for each.
create index on orders (stream, prescription);
