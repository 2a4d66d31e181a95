-- Who is in the video room of a live visit, and what the two browsers have to say to each other until
-- they are connected. A row is a seat; it lives as long as its page is open, so it is not logged. A
-- sandbox visit has no room.
create unlogged table room_seats (
  tenant bigint not null,
  visit text collate "C" not null,
  seat text not null check (seat in ('patient', 'clinician')),
  connection text not null, -- of the newest page; an older one is closed
  inbox text[] not null default '{}', -- waits for the gateway of this seat
  seen_at timestamptz(3) not null default now(),
  primary key (tenant, visit, seat),
  constraint room_inbox_is_full check (cardinality(inbox) <= 200)
);
alter table room_seats enable row level security;
alter table room_seats force row level security;
create policy tenant on room_seats to app_{mode} using (tenant = public.current_tenant());
create policy worker on room_seats to app_worker_{mode} using (true);
grant select, insert, update, delete on room_seats to app_{mode};
grant select (seen_at), delete on room_seats to app_worker_{mode}; -- it removes abandoned ones
