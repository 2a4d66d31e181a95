// Guides to who calls, for whom and with which key, each with its test.
import type { Proofs } from '../proof.ts'

export const credentials: Proofs = {
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
  ],
  'docs/authentication.md': [
    [
      'A key in the address or in the body is never read',
      'gateway/sweeps/v1-credentials.test.ts',
      'in the query as %s: 401, with or without the header',
    ],
    [
      'so a mistyped key is refused without a look into the database',
      'clinical/audit/entries.test.ts',
      'a mistyped key is refused without a query',
    ],
    [
      'We keep a hash of it, so a lost key is replaced and never recovered',
      'auth/integrations.test.ts',
      'is returned once: the database stores its hash and its last four characters',
    ],
    [
      'The old key is refused from that second on, by every gateway',
      'auth/rotate-key.test.ts',
      'is refused by the next call at every gateway, exact to the second',
    ],
    [
      'belong to your integration, and not to the credential that used them',
      'clinical/pipeline/idempotency-scope.test.ts',
      'replays to a new credential after the first was revoked',
    ],
    [
      'All of them look alike, so that the answer does not reveal whether a key once existed',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses every kind of bad key with the same response',
    ],
    ['The API sends no CORS headers', 'gateway/sweeps/v1.test.ts', 'there is no CORS'],
    [
      'A key that works is revoked at once, and the owners of its integration are emailed',
      'auth/oauth/report-key.test.ts',
      '202: a valid key is revoked at once, audited, and its owners are emailed',
    ],
    [
      'A write that was cut off before the rotation can be sent again after it',
      'clinical/pipeline/idempotency-scope.test.ts',
      'replays to a new credential after the first was revoked',
    ],
    [
      'Both work until then, so nothing is refused while you move',
      'auth/rotate-key.test.ts',
      'ok: both work, the successor has the same name, scopes and organization',
    ],
    [
      'The address in `resource_metadata` leads to the authorization server',
      'gateway/sweeps/oauth.test.ts',
      'a 401 leads to a token, which works where a key does',
    ],
    [
      'A valid key is accepted all the same',
      'gateway/sweeps/v1-limits.test.ts',
      'v1: after 60 failed authentications bad credentials get 429, valid ones are accepted',
    ],
    [
      'An operation outside the scopes says which one is missing',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a key with every scope but ${scope}',
    ],
    [
      'it is the one you act for',
      'clinical/organization/retrieve.test.ts',
      'in live it is the clinic that granted access',
    ],
    [
      'the answer is 400 `organization_required` with the list in `organizations`',
      'clinical/sweeps/every-credential.test.ts',
      '${id} requires a named organization when several grant access: 400 organization_required',
    ],
    [
      'Name a clinic that granted you nothing, and it is a 403, whether that clinic exists or not',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses an organization without a grant: 403 organization_not_granted',
    ],
    [
      'A rotation makes a successor with the same scopes, mode and organization, and gives the old key an end',
      'auth/rotate-key.test.ts',
      'ok: both work, the successor has the same name, scopes and organization',
    ],
    [
      'Send it to the authorization server, alone or in the text around it',
      'auth/oauth/report-key.test.ts',
      '202: the key may stand in other text, and several may',
    ],
    [
      'The answer is the same for everything else, so a caller learns nothing from it',
      'auth/oauth/report-key.test.ts',
      '202: the same answer for what is no key of ours, ended, or sent again',
    ],
    [
      'the role limits what an agent or a device may do for them',
      'gateway/sweeps/v1-tokens.test.ts',
      'are limited by the role %s',
    ],
    [
      'All are sent in the same way, have scopes and a mode, and are refused alike',
      'clinical/sweeps/every-token.test.ts',
      '${operation}: ${isSame}',
    ],
    [
      "which works once a clinic's grant and an accepted agreement are recorded",
      'clinical/sweeps/live-conditions.test.ts',
      'without $missing',
    ],
    [
      'Owners alone make and end keys of live mode',
      'portal/pages/credentials/keys.test.ts',
      'a developer changes no key of live mode, also not by an address of test mode',
    ],
    [
      '| an agent, for a member of your integration | an access token for a code, with PKCE; test mode |',
      'gateway/sweeps/v1-tokens.test.ts',
      'no live token of kind %s exists',
    ],
    [
      'for one organization if you like',
      'portal/pages/credentials/keys.test.ts',
      'is shown once with a call that works, and has its organization and maker',
    ],
    [
      'ends a key by itself',
      'auth/principal.test.ts',
      'that is unknown, revoked, expired or suspended is not found, and opens no tenant',
    ],
    [
      'The overlap is `now`, `1h`, `24h` or `7d`',
      'auth/keys-command.test.ts',
      'keys rotate prints a successor, and the old key works until the overlap is over',
    ],
    [
      'shows when each key was last used, to the minute',
      'auth/principal.test.ts',
      'has its use recorded at most once a minute',
    ],
    [
      "| `insufficient_scope` | the key or the clinic's grant lacks a scope | read `required_scope` and `granted_scopes` |",
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a key whose grant has every scope but ${scope}',
    ],
    [
      '| `organization_not_granted` | the named clinic, or in live mode every clinic, granted nothing |',
      'clinical/sweeps/every-credential.test.ts',
      '${id} is refused: 403 organization_not_granted',
    ],
    [
      '| `rate_limited` with the policy `auth` |',
      'gateway/sweeps/v1-limits.test.ts',
      'v1: after 60 failed authentications bad credentials get 429, valid ones are accepted',
    ],
    [
      '| a command line or a device, for a member | an access token by the device grant; test mode |',
      'gateway/sweeps/v1-tokens.test.ts',
      'no live token of kind %s exists',
    ],
    [
      'Without it, or with one that is mistyped, expired or revoked, the answer is a 401',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses every kind of bad key with the same response',
    ],
    [
      'choose a password, and add an authenticator app or a passkey',
      'auth/pages/own/passkeys.test.ts',
      'a new person adds one instead of an app, and gets recovery codes',
    ],
    [
      'It ends with its next call',
      'auth/rotate-key.test.ts',
      'is refused by the next call at every gateway, exact to the second',
    ],
  ],
}
