// The guide to limits, lists and versions, each with its test.
import type { Proofs } from '../proof.ts'

export const limits: Proofs = {
  'docs/limits-and-versions.md': [
    [
      'A slash at the end is redirected with 308 to the path without it',
      'sweeps/v1-paths.test.ts',
      'redirects each operation with 308, which keeps method and query',
    ],
    [
      'a date that we do not serve is refused',
      'clinical/sweeps/every-request.test.ts',
      '${id} refuses an unknown API-Version',
    ],
    [
      'They are the same in both modes, and each mode counts for itself',
      'clinical/pipeline/rate-limits.test.ts',
      'rate limits: keys of one integration share its budget, and each mode has its own',
    ],
    [
      'bad ones get 429 instead of 401; a valid key is accepted from any address',
      'sweeps/v1-limits.test.ts',
      'v1: after 60 failed authentications bad credentials get 429, valid ones are accepted',
    ],
    [
      'Each answer to a valid key says what is left',
      'sweeps/v1.test.ts',
      'a read has all common headers',
    ],
    [
      'It begins with its first request and does not slide',
      'http/counter.test.ts',
      'counter: a window begins with the first call of its key, and each key has its own',
    ],
    [
      'Over the limit the answer is 429 `rate_limited` with `Retry-After`, never 0',
      'sweeps/v1-limits.test.ts',
      'v1: 429 with Retry-After and five headers, for the integration that exceeded its quota',
    ],
    [
      "A write's `Idempotency-Key` is still unused",
      'clinical/pipeline/idempotency-scope.test.ts',
      'a write that the rate limit refused can be sent again',
    ],
    [
      'a row that is created while you page comes at the end, and nothing is skipped or doubled',
      'clinical/testing/pages.suite.ts',
      '${list} neither skips nor repeats when rows are added while it is read',
    ],
    [
      'The id is a position: it works even when its row is gone',
      'clinical/testing/pages.suite.ts',
      '${list} takes a cursor whose row does not exist as a position',
    ],
    [
      'A parameter that an operation does not have is an error',
      'clinical/sweeps/every-request.test.ts',
      '${id} refuses an unknown query parameter',
    ],
    [
      'A body is one JSON object in UTF-8, sent as `application/json`, without compression',
      'sweeps/v1-input.test.ts',
      'a content encoding is refused',
    ],
    [
      'A body that has a name twice in one object is refused with `invalid_json`',
      'http/json-body.test.ts',
      'json-body: refuses a name that is repeated in one object: %s',
    ],
    [
      'A path that exists under another method is a 405',
      'sweeps/v1-paths.test.ts',
      '405 for another method; 404 for an unknown path, two slashes or an empty id',
    ],
    [
      "A key's integration is what is counted, so a second key brings no second budget",
      'clinical/pipeline/rate-limits.test.ts',
      'rate limits: keys of one integration share its budget, and each mode has its own',
    ],
    [
      '| `invalid_request` at `API-Version:` | a date that we do not serve |',
      'clinical/sweeps/every-request.test.ts',
      '${id} refuses an unknown API-Version',
    ],
    [
      '| `unsupported_media_type` | no JSON, another charset, or a compressed body |',
      'sweeps/v1-input.test.ts',
      'Content-Type: %s answers %i',
    ],
    [
      'A pointer that begins with `?` names a parameter, and one that begins with `#` leads into your body',
      'clinical/sweeps/every-request.test.ts',
      '${id} reports all faults at once: the version, then parameters, then members',
    ],
    [
      'A refused request counts, and so does a replay',
      'clinical/pipeline/rate-limits.test.ts',
      'rate limits: a refused request counts, and so does a replay',
    ],
    [
      'An upper-case letter or a percent sign makes another path, and that is a 404',
      'sweeps/v1.test.ts',
      'v1: 404 for inexact paths',
    ],
    [
      'Every list has the same form: `data`, oldest first, and `has_more`',
      'clinical/testing/pages.suite.ts',
      '${list} ascends by id, and holds each item once at any page size',
    ],
    [
      'Send the last id you saw as `starting_after`',
      'clinical/testing/pages.suite.ts',
      '${list} says whether more items follow, also when the page holds the last one',
    ],
    [
      'Keep the filters the same from the first page to the last',
      'clinical/testing/pages.suite.ts',
      '${list} applies its filters on every page',
    ],
    [
      'The second one is what curl sends when no content type is set',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      'A larger one is refused',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    ['Paths are exact', 'sweeps/v1.test.ts', 'v1: 404 for inexact paths'],
    ['and every answer names it', 'sweeps/v1.test.ts', 'a read has all common headers'],
    [
      '| `rate_limited` | the window is spent |',
      'sweeps/v1-limits.test.ts',
      'v1: 429 with Retry-After and five headers, for the integration that exceeded its quota',
    ],
    [
      '| `method_not_allowed` | the path takes other methods | read `Allow` |',
      'sweeps/v1-paths.test.ts',
      '405 for another method; 404 for an unknown path, two slashes or an empty id',
    ],
    [
      'There is no total, and no page number',
      'clients/typescript/lists.test.ts',
      'lists: a loop asks for full pages with every filter, await for one page as the API has it',
    ],
    [
      '`q` requests in a window of `w` seconds; `r` are left, and in `t` seconds the window ends',
      'sweeps/v1-limits.test.ts',
      'v1: 429 with Retry-After and five headers, for the integration that exceeded its quota',
    ],
    [
      '`/v1` is the interface.',
      'contract/contract.test.ts',
      '%s: keeps the conventions of its method, scope and mode',
    ],
    [
      'The id is the first member of every resource',
      'clinical/patients/create.test.ts',
      'returns the patient with its members in the order',
    ],
  ],
}
