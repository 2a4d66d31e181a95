-- Where an agent's browser redirect led when its person consented. A consent is to a client at a
-- host: the name of a registered client is its own choice, and another program can use the same one.
alter table auth.token_families
  add column redirect_host text check (char_length(redirect_host) <= 300),
  add constraint agents_alone_are_redirected_to check (kind = 'agent' or redirect_host is null);
