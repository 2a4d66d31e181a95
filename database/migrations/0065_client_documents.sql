-- A client may name itself by the address of a document that describes it, instead of registering.
-- Its row is like that of a registered client, made and refreshed from the document.

alter table auth.clients
  add document_url text collate "C" unique check (char_length(document_url) between 10 and 500),
  add document_host text collate "C" generated always as
    (substring(document_url from '^https://([^/]+)/')) stored,
  add document_expires_at timestamptz(3),
  add check (document_url is null or (kind = 'registered' and document_expires_at is not null));

grant update (name, metadata, document_expires_at) on auth.clients to app_auth;
