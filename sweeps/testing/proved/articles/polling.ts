// The article on polling, each with its test.
import type { Proofs } from '../../proof.ts'

export const pollingArticle: Proofs = {
  'articles/poll-without-losing-events.md': [
    [
      'so a case filed while you page comes at the end and is neither skipped nor doubled',
      'clients/typescript/lists.test.ts',
      'lists: every row once and in order, while others are written',
    ],
    [
      'Each event has its own moment. No two share one',
      'clinical/sweeps/commit-order.test.ts',
      'events of one commit have distinct timestamps, and since finds each on a page of one',
    ],
    [
      'The order of ids, the order of moments and the order of commits are one order',
      'clinical/sweeps/commit-order.test.ts',
      'ids of every table sort as created_at does, and contain its millisecond',
    ],
    [
      'An event that becomes visible is later, in that order, than every event already visible',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none beside twenty writers',
    ],
    [
      'It has three decimals and ends in `Z`',
      'clinical/events/list.test.ts',
      'since is exclusive: an event is not listed since its own created_at',
    ],
    [
      "If the server's clock is set back, `last + 1 ms` wins",
      'clinical/sweeps/commit-order.test.ts',
      'events: the clock of the server is set back, and a later event is still later',
    ],
    [
      'The update locks the row until the transaction ends',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none beside twenty writers',
    ],
    [
      'So moments are handed out in commit order, which is what the three promises ask for',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none beside twenty writers',
    ],
    [
      'With the first, "strictly after" drops the event you processed and no other',
      'clinical/events/list.test.ts',
      'since is exclusive: an event is not listed since its own created_at',
    ],
    [
      'With the third, whatever commits later is found by a later poll',
      'clinical/sweeps/commit-order.test.ts',
      'events: a poller by since misses and repeats none beside twenty writers',
    ],
    [
      '`type` narrows the stream',
      'clinical/events/list.test.ts',
      'type filters by one type; a type without events is an empty list',
    ],
    [
      'An event carries the status its resource has after the transition',
      'clinical/sandbox/loop.test.ts',
      'sandbox: patient, consents, case, question, answer and approval write twelve events in order',
    ],
    [
      'We call the list of one integration, one organization and one mode a *stream*',
      'clinical/events/list.test.ts',
      'listEvents returns the events of its own tenant alone',
    ],
    [
      'One transaction in ten stayed open for 4 ms after its event.',
      'sweeps/article-claims.test.ts',
      'measurements: pages state the numbers that the benchmarks have',
    ],
    [
      '| `clock_timestamp()`, to the millisecond | 5,000 | 4,891 | 109 | 101 |',
      'sweeps/article-claims.test.ts',
      'measurements: pages state the numbers that the benchmarks have',
    ],
    [
      '| the clock row of the API | 5,000 | 5,000 | 0 | 0 |',
      'sweeps/article-claims.test.ts',
      'measurements: pages state the numbers that the benchmarks have',
    ],
    [
      'Two events in a hundred were lost, at a load that is no record.',
      'sweeps/article-claims.test.ts',
      'measurements: pages state the numbers that the benchmarks have',
    ],
    [
      '`bun run bench lost-events` in a checkout repeats it; the number of lost events',
      'sweeps/article-claims.test.ts',
      'measurements: pages state the numbers that the benchmarks have',
    ],
    [
      'With the second, the last event of a page is the latest you know.',
      'clinical/events/list.test.ts',
      'since is exclusive: an event is not listed since its own created_at',
    ],
    [
      'Then a crash repeats an event or repeats nothing, and never skips one.',
      'content/articles.test.ts',
      'poll-without-losing-events: the code returns every event once, and the time to',
    ],
  ],
}
