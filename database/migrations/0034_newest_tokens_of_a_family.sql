-- The tokens of a family, the newest first: issuing one to a confidential client drops those beyond
-- its share. A family that is removed finds its tokens by the same index.

create index credentials_family_created_at_idx on auth.credentials (family, created_at desc)
  where family is not null;
drop index auth.credentials_family_idx;
