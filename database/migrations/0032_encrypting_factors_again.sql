-- When a new encryption key is put before the old one, the secrets of authenticator apps are
-- encrypted again (auth/accounts/reencryption.ts). Only a caller who knows what is stored can
-- replace it, and only while nothing else has changed it.
create function auth.reencrypt_factor(of_person text, older text, newest text)
  returns boolean language sql security definer set search_path = auth, pg_temp as $$
  with changed as (
    update person_factors f set totp_secret = newest
     where f.person = of_person and f.totp_secret = older
    returning 1
  )
  select exists (select from changed)
$$;
revoke execute on function auth.reencrypt_factor from public;
grant execute on function auth.reencrypt_factor to app_auth;
