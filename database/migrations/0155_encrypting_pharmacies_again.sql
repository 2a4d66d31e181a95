-- Puts the newest key of SEAL_KEYS under the secrets of a pharmacy, unless they have changed
-- meanwhile: app_pharmacy may replace nothing else of a connection. With its row of the audit.
-- compatible with 0152

create function pharmacy.reencrypt(of_connection text, older text, older_previous text,
    newest text, newest_previous text)
  returns boolean language plpgsql security definer set search_path = pharmacy, pg_temp as $$
declare clinic text;
begin
  update connections set secret = newest, previous_secret = newest_previous
   where id = of_connection and secret = older
     and previous_secret is not distinct from older_previous
     and (previous_secret is null) = (newest_previous is null)
  returning organization into clinic;
  if not found then return false; end if;
  perform auth.record_act(jsonb_build_object('actor', 'worker', 'surface', 'worker',
      'organization', clinic,
      'request', public.ulid('req', clock_timestamp(), live.ulid_random())),
    'reencryptPharmacySecret', 'live', null, null, of_connection, null);
  return true;
end $$;
revoke execute on function pharmacy.reencrypt from public;
grant execute on function pharmacy.reencrypt to app_pharmacy;
