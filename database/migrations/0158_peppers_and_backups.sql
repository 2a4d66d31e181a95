-- What `bun run doctor` compares: the peppers that the platform uses, as digests from which none
-- follows, and when the database was backed up. Only the owner reads them.
-- compatible with 0152

create table public.pepper_digests (
  digest text primary key,
  noted_at timestamptz(3) not null default now()
);

create table public.backups (
  taken_at timestamptz(3) primary key default now()
);
