-- An invitation holds the address of a person who may never have joined. It is removed 90 days after
-- its end; who joined stays a member, and the audit has what was done.
create index on auth.invitations (expires_at);
grant delete on auth.invitations to app_auth;
