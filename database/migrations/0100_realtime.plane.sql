-- How far a realtime provider that is not ours was told of each stream. Only the dispatcher and the
-- worker know it, and it holds ids of events alone.

create table realtime_lanes (
  of_stream bigint primary key,
  told text collate "C" not null,    -- the last event that was published
  wanted text collate "C" not null,  -- the last that is to be
  tries int2 not null default 0,     -- since something was published
  due_at timestamptz not null default now() -- moves on while somebody is at it
) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
create index on realtime_lanes (due_at) where wanted > told;

alter table realtime_lanes enable row level security;
alter table realtime_lanes force row level security;

do $$
declare
  plane constant text := current_schema();
  worker constant text := 'svc_worker_' || current_schema();
begin
  execute format('create policy worker on %I.realtime_lanes to %I using (true)', plane, worker);
  execute format('grant select, insert, update, delete on %I.realtime_lanes to %I', plane, worker);
end $$;
