// The guide to who calls, for whom and in which mode, each with its test.
import type { Proofs } from '../proof.ts'

export const concepts: Proofs = {
  'docs/concepts.md': [
    [
      'the text, its SHA-256, the time and the address are kept',
      'auth/agreements/agreements.test.ts',
      'stores who, as what, from where, and the SHA-256 of the text that was read',
    ],
    [
      'A request with a field or parameter that we do not know is refused',
      'clinical/sweeps/every-request.test.ts',
      '${id} refuses an unknown member of the body',
    ],
    [
      'A test key that asks for a live case gets the same 404 as for a case that never was',
      'clinical/sweeps/every-request.test.ts',
      '${id} does not find an id of test mode with a live key, as an unknown one',
    ],
    [
      'refuse a live key with `forbidden`, whatever its scopes',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a live key, whatever its scopes, organization or agreement',
    ],
    [
      'It is computed anew for each call',
      'auth/principal.test.ts',
      'are the intersection of key and grant, in published order, computed on each call',
    ],
    [
      'A clinic that takes a scope back does so for your next request',
      'clinical/pipeline/live-in-traffic.test.ts',
      '%s refuses the next call on both gateways',
    ],
    [
      'A write scope does not imply its read scope',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a key with every scope but ${scope}',
    ],
    [
      'They share no rows',
      'database/isolation.test.ts',
      'has no access to any table of the other mode',
    ],
    [
      '`scopes` in `GET /v1/organization` is the last column',
      'clinical/organization/retrieve.test.ts',
      'scopes are those of both the key and the grant, in published order',
    ],
    [
      'When a clinic revokes its grant, the next call for it answers `organization_not_granted`',
      'clinical/console/administration.test.ts',
      'an integration whose grant is revoked is refused by the next call, and the clinic keeps its patients',
    ],
    [
      'ticks each when it is there',
      'portal/pages/organization/go-live.test.ts',
      'the four conditions tick themselves, each when it is there',
    ],
    [
      'a later thing has the greater id and the later `created_at`, without ties',
      'clinical/sweeps/commit-order.test.ts',
      'ids of every table sort as created_at does, and contain its millisecond',
    ],
    [
      'Two clinics that granted you access are two streams',
      'clinical/sweeps/two-tenants.test.ts',
      'rows under the grant of one clinic are not visible under the grant of another',
    ],
    [
      '[idempotency keys](/docs/idempotency-and-retries) belong to a stream',
      'clinical/pipeline/idempotency-scope.test.ts',
      'is a separate key in another organization of the same integration',
    ],
    [
      '`{ "data": […], "has_more": false }`, oldest first',
      'clinical/testing/pages.suite.ts',
      '${list} ascends by id, and holds each item once at any page size',
    ],
    [
      '| `patients:write` | no | yes | no |',
      'auth/principal.test.ts',
      'are the intersection of key and grant, in published order, computed on each call',
    ],
    [
      '| `not_found` | the id belongs to another mode, clinic or integration, or to nothing |',
      'clinical/sweeps/two-tenants.test.ts',
      'an id of another tenant is not found, with the same response as an unknown id',
    ],
    [
      '| `pat_` | a patient | the stream |',
      'gateway/sweeps/table-claims.test.ts',
      'concepts: the guide lists every prefix of an id that an answer can hold',
    ],
    [
      'A member that has no value is `null`, and is still there',
      'clinical/patients/create.test.ts',
      'returns the patient with its members in the order of the schema',
    ],
    [
      'Each key and each access token has exactly one, and shows it',
      'gateway/sweeps/v1-credentials.test.ts',
      '401: a test key that is relabeled as a live key',
    ],
    [
      'Test mode holds what you created and nothing else',
      'clinical/sweeps/two-tenants.test.ts',
      'an id of another tenant is not found, with the same response as an unknown id',
    ],
    [
      '[Live mode](/docs/live) needs a live key, a grant by a clinic, and a business associate agreement in force',
      'clinical/sweeps/live-conditions.test.ts',
      'without $missing',
    ],
    [
      'Lists of ids end in `_ids`, but for `files` of a case',
      'gateway/sweeps/table-claims.test.ts',
      'concepts: names of moments and of lists of ids follow what the guide says',
    ],
    [
      'with names in `snake_case`',
      'gateway/sweeps/table-claims.test.ts',
      'concepts: names of moments and of lists of ids follow what the guide says',
    ],
    [
      '- Moments are UTC with three decimals',
      'clinical/sweeps/server-settings.test.ts',
      'dates and timestamps read the same under another DateStyle and time zone',
    ],
  ],
}
