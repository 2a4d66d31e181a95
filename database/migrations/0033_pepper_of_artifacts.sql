-- What the authorization server keeps for a while names the pepper that hashed it, as credentials
-- do, so that an operator sees when an older pepper can be dropped. Null: from before.

alter table auth.artifacts add column pepper text;
