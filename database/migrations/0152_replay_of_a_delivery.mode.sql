-- The replay of a delivery that `claim_deliveries` has claimed. That function sees what committed
-- while it waited, which the statement that calls it does not; so does this one, because it is
-- volatile.
create function replay_of(own bigint, of_delivery text) returns text language sql volatile as $$
  select replay from deliveries where tenant = own and id = of_delivery
$$;
