-- Failed attempts are swept a day after the last one.
create index on auth.failed_attempts (last_at);
