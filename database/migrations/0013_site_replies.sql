-- What was answered to calls that must not happen twice, so that the same call sent again gets the
-- same bytes: a checkout under its Idempotency-Key, a completed session, an agent's message. The
-- primary key decides who is first. Nothing in a row can be read: names and bodies are marks, and
-- the answer is sealed with what only the caller can show again (booking/idempotency/encrypt.ts).

create table site.replies (
  name bytea primary key check (length(name) = 32),
  -- The mark of the body: the same name with another one is another call.
  said bytea not null check (length(said) = 32),
  -- Whose turn it is, and until when nobody else may take it: a gateway that died gives it up so.
  turn bytea not null,
  turn_until timestamptz(3),
  status smallint,
  answer bytea,
  kept_until timestamptz(3) not null,
  check ((status is null) = (answer is null)),
  check ((status is null) = (turn_until is not null))
);
create index replies_to_drop on site.replies (kept_until);

grant select, insert, update, delete on site.replies to svc_site;
