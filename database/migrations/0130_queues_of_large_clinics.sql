-- For the console of a clinic with many integrations and years of cases.

-- The statuses of `queueStatuses` (contract/console/cases.ts): the queue's statement names them as
-- constants, because a plan for any values would not match this index.
create index cases_that_wait on live.cases (tenant, id)
  where status in ('queued', 'in_review', 'waiting_on_patient', 'waiting_on_integration');
-- The tenant is last for the policy of the console, which would otherwise read the primary key too.
create index visits_by_start on live.visits (organization, starts_at, tenant);
create index tenants_by_organization on live.tenants (organization);
