-- A form that replaces a pharmacy's secret and is submitted twice, for example by a reload, is
-- refused as `already_sent`. The second replacement would end the secret that the first replaced,
-- which the pharmacy still uses.
-- compatible with 0022

-- As in 0019, but it claims the form first.
create or replace function pharmacy.rotate(old_id text, of_organization text, new_secret text,
    act jsonb)
  returns text language plpgsql security definer set search_path = pharmacy, pg_temp as $$
declare refusal text := auth.claim_form(act);
begin
  refusal := coalesce(refusal, auth.refuse_clinic_change(of_organization, act));
  if refusal is null then
    update connections
       set previous_secret = secret, secret = new_secret,
           previous_secret_expires_at = clock_timestamp() + interval '24 hours'
     where id = old_id and organization = of_organization and ended_at is null;
    if not found then refusal := 'not_found'; end if;
  end if;
  return auth.record_act(act, 'rotatePharmacySecret', 'live', null, null, old_id, refusal);
end $$;
