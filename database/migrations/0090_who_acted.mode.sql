-- Who acted for the clinic: the person, and the name that patients read. In a sandbox there is no
-- person. /v1 publishes the prescriber's name only.

alter table cases
  add column decided_by text collate "C",
  add column decided_by_name text;
alter table messages
  add column person text collate "C",
  add column person_name text;
alter table prescriptions
  add column prescriber text collate "C";
alter table orders
  add column moved_by text collate "C",
  add column moved_by_name text;
