// The quickstart, and the guide to who calls, for whom and in which mode, each with its test.
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
      'sweeps/table-claims.test.ts',
      'concepts: the guide lists every prefix of an id that an answer can hold',
    ],
    [
      'A member that has no value is `null`, and is still there',
      'clinical/patients/create.test.ts',
      'returns the patient with its members in the order of the schema',
    ],
    [
      'Each key and each access token has exactly one, and shows it',
      'sweeps/v1-credentials.test.ts',
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
      'sweeps/table-claims.test.ts',
      'concepts: names of moments and of lists of ids follow what the guide says',
    ],
    [
      'with names in `snake_case`',
      'sweeps/table-claims.test.ts',
      'concepts: names of moments and of lists of ids follow what the guide says',
    ],
    [
      '- Moments are UTC with three decimals',
      'clinical/sweeps/server-settings.test.ts',
      'dates and timestamps read the same under another DateStyle and time zone',
    ],
    [
      'It is a list of scopes',
      'clinical/organization/retrieve.test.ts',
      'scopes are those of both the key and the grant, in published order',
    ],
    [
      'The path never names an integration or a clinic, and a body never does',
      'clinical/sweeps/hostile.test.ts',
      'no request body sets a field that the server owns, nor pollutes a prototype',
    ],
    [
      'What a call may do is the intersection of two lists: the scopes of the key, and the scopes that the organization granted',
      'clinical/organization/retrieve.test.ts',
      'scopes are those of both the key and the grant, in published order',
    ],
    [
      '`/v1/cases` means the cases of the caller',
      'clinical/cases/list.test.ts',
      'lists no case of another integration or of the other mode',
    ],
    [
      'It may list cases, and nothing of patients',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a key with every scope but ${scope}',
    ],
    [
      'The two modes have the same routes, the same checks and the same events',
      'clinical/sweeps/both-modes.test.ts',
      'the same calls in both modes differ in the six published ways, and in nothing else',
    ],
    [
      'Otherwise the answer would reveal that the id exists',
      'clinical/sweeps/two-tenants.test.ts',
      'no operation writes for an id of another tenant, nor reveals that it exists',
    ],
    [
      'The prefix of an id says what it names, and the rest sorts by time',
      'clinical/sweeps/commit-order.test.ts',
      'ids of every table sort as created_at does, and contain its millisecond',
    ],
    [
      '*Organizations* shows what each clinic granted, and which scopes it did not',
      'portal/pages/organization/grants.test.ts',
      'a grant of fewer scopes says which were not given',
    ],
    [
      'Your patients, cases and events belong to it',
      'clinical/sweeps/two-tenants.test.ts',
      'calls of four tenants at once, on few connections, each read their own rows alone',
    ],
    [
      '- A **grant** is what one organization lets one integration do in one mode',
      'clinical/sweeps/two-tenants.test.ts',
      'rows under the grant of one clinic are not visible under the grant of another',
    ],
    [
      '`kind` is `DIRECT` for every organization',
      'clinical/organization/retrieve.test.ts',
      'in test mode it is the sandbox organization, with members in the order of the schema',
    ],
    [
      'A key with `patients:write` alone can create a patient, and cannot read anyone',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a key with every scope but ${scope}',
    ],
    [
      '| `insufficient_scope` | the key or the grant lacks `required_scope` |',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a key whose grant has every scope but ${scope}',
    ],
    [
      "| `organization_not_granted` | no clinic has granted this key's mode anything, or not the clinic you named |",
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses an organization without a grant: 403 organization_not_granted',
    ],
    [
      '| `forbidden` | a live key under `/v1/test` |',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a live key, whatever its scopes, organization or agreement',
    ],
    [
      '| there is a live key | an owner makes one under *Keys* |',
      'portal/pages/organization/go-live.test.ts',
      'the four conditions tick themselves, each when it is there',
    ],
    [
      'Its clinicians decide the cases that you file, and its id begins with `org_`.',
      'clinical/organization/retrieve.test.ts',
      'in test mode it is the sandbox organization, with members in the order of the schema',
    ],
    [
      '`svc_sk_test_…` or `svc_sk_live_…`, `svc_at_test_…` or `svc_at_live_…`.',
      'auth/tokens.test.ts',
      'is a fixed text for fixed bytes, so that secret scanners can verify the format',
    ],
    [
      '| `events:read` | yes | no | no |',
      'auth/principal.test.ts',
      'are the intersection of key and grant, in published order, computed on each call',
    ],
    [
      'It cannot poll events either, because the clinic granted no such thing.',
      'auth/principal.test.ts',
      'are the intersection of key and grant, in published order, computed on each call',
    ],
    [
      '| the first live call was made | call `GET /v1/organization` with it |',
      'portal/pages/organization/go-live.test.ts',
      'the four conditions tick themselves, each when it is there',
    ],
    [
      'It holds API keys and clients, and clinics give their permission to it',
      'clinical/organization/retrieve.test.ts',
      'scopes are those of both the key and the grant',
    ],
    [
      'An [access token](/docs/oauth) goes wherever a key goes',
      'clinical/sweeps/every-token.test.ts',
      '${operation}: ${isSame}',
    ],
    [
      '`cases:write` | no | yes | no',
      'auth/principal.test.ts',
      'are the intersection of key and grant',
    ],
    [
      'It cannot write, because the key leaves writing out',
      'auth/principal.test.ts',
      'are the intersection of key and grant',
    ],
    [
      'usually means the wrong key: the other mode, or another clinic',
      'clinical/sweeps/two-tenants.test.ts',
      'an id of another tenant is not found',
    ],
  ],
}
