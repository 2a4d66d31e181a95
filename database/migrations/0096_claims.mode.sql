-- A member of staff claims a case for half an hour, so that others see who works on it. Made in both
-- modes, as every column is; only the console of live mode sets it, and /v1 does not publish it.

alter table cases
  add column claimed_by text collate "C",
  add column claimed_by_name text,
  add column claimed_until timestamptz(3),
  add constraint claims_are_whole check (
    num_nonnulls(claimed_by, claimed_by_name, claimed_until) in (0, 3));
