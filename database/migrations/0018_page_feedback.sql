-- Answers to “Was this page helpful?”, counted by page, day and answer. A single answer has no row,
-- so nothing is stored of the person who gave it: no address, no program, no time of the day.

create table site.page_feedback (
  page text collate "C" not null check (length(page) between 1 and 200),
  day date not null,
  answer text collate "C" not null
    check (answer in ('yes', 'missing', 'unclear', 'wrong', 'other')),
  count int not null default 1 check (count > 0),
  primary key (page, day, answer)
);
grant select, insert, update (count) on site.page_feedback to app_site;
