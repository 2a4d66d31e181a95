-- The authorization server sweeps what has ended: it finds it by these indexes, and a client that is
-- removed takes its rows along without a scan.

drop index auth.artifacts_client_idx;
create index artifacts_client_idx on auth.artifacts (client);
-- Clients that registered and never got a token.
create index on auth.clients (created_at) where kind = 'registered' and last_token_at is null;
-- Families of agents and devices, by their end.
create index on auth.token_families (coalesce(revoked_at, ends_at)) where kind <> 'client';
