-- Each charge of live mode has a row of the audit with a digest of it, written with the charge. The
-- signature of the audit covers that row, so `bun run audit verify` names a charge that a superuser
-- has changed, removed or written past the triggers.
-- compatible with 0152

create function live.charge_digest(of_charge live.charges) returns text language sql stable
  set search_path = live, pg_temp
begin atomic
  select encode(sha256(convert_to(json_build_array(
    (of_charge).tenant, (of_charge).id, (of_charge).kind, (of_charge).resource_type,
    (of_charge).resource_id, (of_charge).amount, (of_charge).currency, (of_charge).reverses,
    (of_charge).reason, public.iso((of_charge).created_at))::text, 'utf8')), 'hex');
end;
revoke execute on function live.charge_digest from public;

create function live.note_charge() returns trigger language plpgsql security definer
  set search_path = live, pg_temp as $$
begin
  insert into audit.entries (mode, integration, organization, actor, surface, action, target,
                             outcome, status, request, shape)
  select 'live', t.integration, t.organization, 'billing', 'billing', 'recordCharge', new.id, 'ok',
         200, public.ulid('req', clock_timestamp(), live.ulid_random()), live.charge_digest(new)
    from live.tenants t where t.id = new.tenant;
  return null;
end $$;
revoke execute on function live.note_charge from public;
create trigger note_charge after insert on live.charges
  for each row execute function live.note_charge();

insert into audit.entries (mode, integration, organization, actor, surface, action, target, outcome,
                           status, request, shape)
select 'live', t.integration, t.organization, 'billing', 'billing', 'recordCharge', c.id, 'ok', 200,
       public.ulid('req', clock_timestamp(), live.ulid_random()), live.charge_digest(c)
  from live.charges c join live.tenants t on t.id = c.tenant;
