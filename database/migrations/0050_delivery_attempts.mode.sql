-- Every attempt of a delivery, so that a developer sees what was sent and what was answered each
-- time. A row is inserted by the statement that records its attempt. What a receiver answered is
-- stored here only; a delivery publishes that of its last attempt.
create table delivery_attempts (
  tenant bigint not null,
  delivery text collate "C" not null,
  attempt int2 not null,
  -- Null for an attempt from before this table.
  url text,
  address text, -- where the connection went; null when none was made
  signature text, -- as it was sent; null when nothing was
  http_status int2,
  error text,
  resolve_ms int, -- until the address was known and checked
  latency_ms int not null, -- until the status was received, or the attempt failed
  response_headers text, -- encrypted: receivers may answer anything
  response_body text, -- encrypted
  ended_at timestamptz(3) not null,
  primary key (tenant, delivery, attempt)
);
alter table delivery_attempts enable row level security;
alter table delivery_attempts force row level security;
create policy tenant on delivery_attempts to app_{mode}
  using (tenant = (select integration_tenant()));
-- An attempt is visible where its delivery is: for thirty days, and not after a reset.
create policy of_delivery on delivery_attempts as restrictive to app_{mode} using (exists (
  select from deliveries d where d.tenant = delivery_attempts.tenant
                             and d.id = delivery_attempts.delivery));
create policy worker on delivery_attempts for insert to app_worker_{mode} with check (true);
create policy owner on delivery_attempts to current_user using (true);
grant select on delivery_attempts to app_{mode};
grant insert on delivery_attempts to app_worker_{mode};

alter table deliveries no force row level security;
insert into delivery_attempts (tenant, delivery, attempt, http_status, error, latency_ms,
                               response_body, ended_at)
select tenant, id, attempt, http_status, error, coalesce(latency_ms, 0), response_body,
       last_attempt_at
  from deliveries where attempt > 0 and last_attempt_at is not null;
alter table deliveries drop column response_body;
alter table deliveries force row level security;

-- Attempts go with their delivery, in the statement that deletes it.
create function delete_attempts() returns trigger language plpgsql security definer
  set search_path = {mode}, pg_temp as $$
begin
  delete from delivery_attempts a using gone g where a.tenant = g.tenant and a.delivery = g.id;
  return null;
end $$;
revoke execute on function delete_attempts from public;
create trigger delete_attempts after delete on deliveries referencing old table as gone
  for each statement execute function delete_attempts();

-- The deliveries of an event: those by the dispatcher are found by their endpoint, the few that were
-- asked for by this index.
create index redeliveries on deliveries (tenant, event) where redelivery;
