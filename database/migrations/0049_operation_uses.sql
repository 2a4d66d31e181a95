-- Which operations a key, a client or the consent of a person has called, how often, and when last:
-- counted when calls are projected into the request log, so that no page searches the log for it.
-- As in auth/principal.ts, a key is its own holder, and a token's is its family.

create table auth.operation_uses (
  holder text collate "C" not null,
  operation text not null,
  calls bigint not null,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  primary key (holder, operation)
);
grant select on auth.operation_uses to app_auth;

-- Runs in the transaction of a projection, of which there is one at a time in a mode, and each
-- holder is of one mode. A call that was refused before its scope was looked at did not use it.
create function auth.count_operation_uses() returns trigger language plpgsql
  set search_path = auth, pg_temp as $$
begin
  insert into operation_uses as u (holder, operation, calls, first_at, last_at)
  select coalesce(k.family, k.id), a.operation, count(*), min(a.created_at), max(a.created_at)
    from added a join credentials k on k.id = a.credential
   where a.status not in (401, 403)
   group by 1, 2
      on conflict (holder, operation) do update
     set calls = u.calls + excluded.calls, last_at = greatest(u.last_at, excluded.last_at);
  return null;
end $$;
revoke execute on function auth.count_operation_uses from public;
create trigger count_operation_uses after insert on test.requests
  referencing new table as added for each statement execute function auth.count_operation_uses();
create trigger count_operation_uses after insert on live.requests
  referencing new table as added for each statement execute function auth.count_operation_uses();

create function auth.forget_operation_uses() returns trigger language plpgsql security definer
  set search_path = auth, pg_temp as $$
begin
  delete from operation_uses u using gone g where u.holder = g.id;
  return null;
end $$;
revoke execute on function auth.forget_operation_uses from public;
create trigger forget_operation_uses after delete on auth.token_families
  referencing old table as gone for each statement execute function auth.forget_operation_uses();
