// The guide to keys, each with its test.
import type { Proofs } from '../proof.ts'

export const credentials: Proofs = {
  'docs/authentication.md': [
    [
      'A key in the address or in the body is never read',
      'sweeps/v1-credentials.test.ts',
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
    ['The API sends no CORS headers', 'sweeps/v1.test.ts', 'there is no CORS'],
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
      'sweeps/oauth.test.ts',
      'a 401 leads to a token, which works where a key does',
    ],
    [
      'A valid key is accepted all the same',
      'sweeps/v1-limits.test.ts',
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
      'sweeps/v1-tokens.test.ts',
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
      'sweeps/v1-tokens.test.ts',
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
      'sweeps/v1-limits.test.ts',
      'v1: after 60 failed authentications bad credentials get 429, valid ones are accepted',
    ],
    [
      '| a command line or a device, for a member | an access token by the device grant; test mode |',
      'sweeps/v1-tokens.test.ts',
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
    [
      'For a call without a credential, `scope` names the one that it needs',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a call without a credential, and links the resource metadata',
    ],
    [
      'The key is printed once',
      'clinical/sweeps/private.test.ts',
      'no secret that a response contained is in a dump of the database',
    ],
    [
      'When there are several, name one on each call',
      'clinical/sweeps/every-credential.test.ts',
      '${id} requires a named organization when several grant access: 400 organization_required',
    ],
    [
      'Anyone who finds a key, in a log, a repository or a paste, can end it',
      'auth/oauth/report-key.test.ts',
      '202: a valid key is revoked at once, audited, and its owners are emailed',
    ],
    [
      'No credential is needed',
      'auth/oauth/report-key.test.ts',
      '202: a valid key is revoked at once, audited, and its owners are emailed',
    ],
    [
      '| `unauthorized` | no key, a mistyped one, one revoked or expired |',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses every kind of bad key with the same response',
    ],
    [
      '| `organization_required` | several clinics granted access, none is named |',
      'clinical/sweeps/every-credential.test.ts',
      '${id} requires a named organization when several grant access: 400 organization_required',
    ],
    [
      'A key travels in one header, and nowhere else',
      'sweeps/v1-credentials.test.ts',
      'in the query as %s: 401, with or without the header',
    ],
    [
      '| your server | an API key, which lives until it is revoked | the portal, or `npm run',
      'auth/principal.test.ts',
      'that is unknown, revoked, expired or suspended is not found, and opens no tenant',
    ],
    [
      '| your server, where a stolen credential should be worth an hour | an access token',
      'auth/clients-command.test.ts',
      'clients create shows the secret once, and stores its hash',
    ],
    [
      'Scopes and mode are fixed for good.',
      'auth/rotate-key.test.ts',
      'ok: both work, the successor has the same name, scopes and organization',
    ],
    [
      'Both print the `request_id` of a refusal.',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      'It is what we need to find the call, and it holds nothing about a patient.',
      'clinical/requests/retrieve.test.ts',
      'of a patient is nowhere a value, in the audit or in the log',
    ],
    [
      'No key is changed in place',
      'auth/rotate-key.test.ts',
      'ok: both work, the successor has the same name',
    ],
  ],
}
