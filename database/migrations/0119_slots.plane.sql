-- How many attempts of an endpoint are under way. It looks when it is called, and not when the statement
-- that calls it began: whoever holds the row of the endpoint's lane is told what holds.
create function under_way(own bigint, endpoint text, moment timestamptz) returns int
  language plpgsql volatile as $$
begin
  return (select count(*) from due_deliveries
           where stream = own and webhook_endpoint = endpoint and claim is not null and due_at > moment);
end $$;
