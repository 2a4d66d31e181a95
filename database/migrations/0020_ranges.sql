-- An exclusion constraint over a key and a range of time needs the key's equality in a GiST index.
-- The extension comes with PostgreSQL and is trusted: the database's owner may create it.

create extension if not exists btree_gist with schema public;
