-- Staff see on the order board that prescriptions stopped.
-- compatible with 0022

-- How many of a clinic's prescriptions wait for a person.
create function auth.stopped_prescriptions(of_organization text) returns int
  language sql stable security definer set search_path = auth, pg_temp as $$
  select count(*)::int from pharmacy.transmissions t
   where t.organization = of_organization and t.status = 'stopped'
$$;
revoke execute on function auth.stopped_prescriptions from public;
grant execute on function auth.stopped_prescriptions to app_auth;
