// What is said of access tokens, each with its test.
import type { Proofs } from '../proof.ts'

export const oauth: Proofs = {
  'docs/oauth.md': [
    [
      'The secret is printed once, and we keep a hash of it',
      'auth/clients-command.test.ts',
      'clients create shows the secret once, and stores its hash',
    ],
    [
      'It registers itself and has no secret',
      'auth/oauth/clients/registration.test.ts',
      'gets an id and no secret, and is stored as it is answered',
    ],
    [
      'Two secrets work at once, so one replaces the other without an outage',
      'auth/clients-command.test.ts',
      'clients add-secret and revoke-secret replace a secret; there are two at most',
    ],
    [
      'Revoking the client ends all its tokens',
      'auth/clients-command.test.ts',
      'clients revoke ends a client',
    ],
    [
      'Used twice, it ends every token that came of it',
      'auth/oauth/tokens/authorization-code.test.ts',
      'used twice: the second fails, and the tokens of the first end',
    ],
    [
      'If the answer is lost, the same refresh token brings the same successor',
      'auth/oauth/tokens/refresh-token.test.ts',
      'brings the same successor again to a client that lost the answer',
    ],
    [
      '`slow_down` means five more seconds between polls',
      'auth/oauth/tokens/device-code.test.ts',
      'slow_down, and five seconds more each time',
    ],
    [
      '`scope` may ask for fewer scopes than the client has',
      'auth/oauth/tokens/client-credentials.test.ts',
      'has the scopes and resources that were asked for',
    ],
    [
      '`resource` with the address of one limits it to that one',
      'auth/oauth/tokens/client-credentials.test.ts',
      'has the scopes and resources that were asked for',
    ],
    [
      '*End all tokens* for those that a leaked secret got',
      'portal/pages/credentials/clients.test.ts',
      'all tokens of a client end with the next call, and it gets new ones',
    ],
    [
      'Its tokens need what a live key needs, when they are made and at each call',
      'clinical/sweeps/live-conditions.test.ts',
      'without $missing',
    ],
    [
      'The page shows the name that the agent gave itself, which no one has verified, where the answer goes, each scope in words',
      'auth/pages/consent.test.ts',
      'the page says who asks, that it is not verified, where the answer goes, and for what',
    ],
    [
      'Without it the token is for the tool server, and the API answers 401',
      'auth/oauth/tokens/authorization-code.test.ts',
      'at the tool server unless it asks for another resource',
    ],
    [
      'A member gives what their role has, and all that is asked for or nothing',
      'auth/pages/consent.test.ts',
      'a role without a scope can only deny, whatever the form says',
    ],
    [
      'A redirect address uses https, or http at `127.0.0.1`, `[::1]` or `localhost` with any port',
      'auth/oauth/clients/registration.test.ts',
      'of a machine of its own may use loopback addresses and private-use schemes',
    ],
    [
      "Cursor's own scheme is accepted as well",
      'auth/oauth/clients/registration.test.ts',
      'of an editor with a scheme of its own is native, whatever it calls itself',
    ],
    [
      'approve the request as a whole or deny it',
      'auth/pages/device.test.ts',
      'a role that lacks a scope: Approve is off with the reason, and the form cannot force it',
    ],
    [
      'Each works once and brings its successor',
      'auth/oauth/tokens/refresh-token.test.ts',
      'an old one after ten seconds, and everything of its family',
    ],
    [
      '`POST /api/auth/oauth2/introspect` tells a confidential client whether a token of its integration is active',
      'auth/oauth/tokens/revocation.test.ts',
      'describes a token of the own integration',
    ],
    [
      "| a client revokes a token of its own | that token; an agent's or a device's with all of its family |",
      'auth/oauth/tokens/revocation.test.ts',
      'of an access token of an agent ends its family',
    ],
    [
      '| the member ends the access on the first page after signing in | all that this agent or device has |',
      'auth/pages/account.test.ts',
      'ending one ends its family and tokens, with an audit row, and leaves those of others',
    ],
    [
      '| the member leaves the integration | all that acts for them there |',
      'auth/accounts/members.test.ts',
      'a member who is removed takes what acts for them along, in the same transaction',
    ],
    [
      '| an hour passes | the access token |',
      'sweeps/v1-tokens.test.ts',
      'unauthorized: a second after it expires, and not a second before',
    ],
    [
      '| the client is revoked, or the integration suspended | all its tokens |',
      'sweeps/v1-tokens.test.ts',
      '$code: $name',
    ],
    ['Each takes effect with the next call', 'sweeps/v1-tokens.test.ts', '$code: $name'],
    [
      '| 401 `invalid_client` | the id is unknown or revoked, or the secret is wrong |',
      'auth/oauth/tokens/client-credentials.test.ts',
      'an unknown client and a wrong secret get the same answer',
    ],
    [
      '| 400 `invalid_scope` | the client, or no credential at all, has that scope |',
      'auth/oauth/tokens/client-credentials.test.ts',
      'a scope that the client lacks',
    ],
    [
      '| 400 `invalid_target` | `resource` is missing for a device, or is not ours |',
      'auth/oauth/tokens/device-code.test.ts',
      'a request without a resource, for another one, or for an unknown scope',
    ],
    [
      '| 401 `unauthorized` at the API | the token has ended, or is limited to the tool server |',
      'sweeps/v1-tokens.test.ts',
      '401: a token for the tool server alone',
    ],
    [
      'A 401 leads to the same document',
      'sweeps/oauth.test.ts',
      'a 401 leads to a token, which works where a key does',
    ],
    [
      'There is no refresh token',
      'auth/oauth/tokens/client-credentials.test.ts',
      'lives one hour, has all scopes of the client, and is stored as an HMAC',
    ],
    [
      'it answers an access token and a refresh token',
      'auth/oauth/tokens/device-code.test.ts',
      'gets a token of the member and a refresh token, once it is approved',
    ],
    [
      'A token works at the API and at [the tool server](/docs/tool-server)',
      'auth/oauth/tokens/revocation.test.ts',
      'describes a token of the own integration',
    ],
    [
      'A program that is done gives its token back',
      'auth/oauth/tokens/revocation.test.ts',
      'of a token of a confidential client ends that one only',
    ],
    [
      '- Agents and devices in live mode',
      'sweeps/v1-tokens.test.ts',
      'no live token of kind %s exists',
    ],
    [
      '| your server | client credentials | test or live | your integration | asking again |',
      'auth/oauth/tokens/client-credentials.test.ts',
      'of a live client names its mode, with an agreement and a grant',
    ],
    [
      'The API names its authorization server, so no address of it has to be configured',
      'auth/oauth/metadata.test.ts',
      'name each resource byte for byte, and its authorization server',
    ],
    [
      'A command line or a box shows a code, and a person confirms it elsewhere (RFC 8628)',
      'auth/oauth/tokens/device-code.test.ts',
      'gets a token of the member and a refresh token, once it is approved',
    ],
    [
      'The tokens of agents and devices come with a refresh token',
      'auth/oauth/tokens/device-code.test.ts',
      'gets a token of the member and a refresh token, once it is approved',
    ],
    [
      'A native app may use a scheme with a dot in it, such as `com.example.app`',
      'auth/oauth/clients/registration.test.ts',
      'of a machine of its own may use loopback addresses and private-use schemes',
    ],
    [
      '| 400 `invalid_grant` | a code or refresh token was used, has expired, or belongs to another client |',
      'auth/oauth/tokens/refresh-token.test.ts',
      'of another client, expired, mistyped, or none',
    ],
    [
      '| 400 `unauthorized_client` | a client without a secret asked for client credentials, or a live one is not allowed |',
      'auth/oauth/tokens/client-credentials.test.ts',
      'the grant, when it registered itself',
    ],
    [
      '| an agent with a browser beside it | authorization code with PKCE | test | the member who agreed | a refresh token |',
      'auth/oauth/tokens/authorization-code.test.ts',
      'with an access token of test mode and a refresh token',
    ],
    [
      '| a command line, or a box without a browser | device grant | test | the member who approved | a refresh token |',
      'auth/oauth/tokens/device-code.test.ts',
      'gets a token of the member and a refresh token, once it is approved',
    ],
    [
      'Tokens are opaque, and every call looks its own up',
      'clinical/pipeline/cached-credential.test.ts',
      'cached credential: %s refuses the next call, which reads, writes and discloses nothing',
    ],
    [
      'Errors of the authorization server are those of RFC 6749, with `error` and `error_description`',
      'auth/oauth/tokens/client-credentials.test.ts',
      'an unknown client and a wrong secret get the same answer',
    ],
    [
      'An access token goes wherever [a key](/docs/authentication) goes',
      'clinical/sweeps/every-token.test.ts',
      '${operation}: ${isSame}',
    ],
    [
      '`--mode live` makes a client for live mode.',
      'auth/clients-command.test.ts',
      'clients create shows the secret once, and stores its hash',
    ],
    [
      'Once you allow it, the agent prints the clinic and its scopes.',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      'Instead of registering, an agent may use the https address of a document about it as',
      'sweeps/agents.test.ts',
      'is named by its document instead, which is read once, and registers nothing',
    ],
    [
      "| 403 `insufficient_scope` at the API | the token, the clinic's grant, or the",
      'sweeps/v1-tokens.test.ts',
      'are limited by the role %s',
    ],
    [
      'there are no ID tokens, and no user info',
      'auth/oauth/outside-clients.test.ts',
      'finds the server without OpenID',
    ],
    [
      'A key does what client credentials do, and lives until it is revoked',
      'clinical/sweeps/every-token.test.ts',
      '${operation}: ${isSame}',
    ],
    [
      'Live data needs a live client or a live key',
      'sweeps/v1-tokens.test.ts',
      'no live token of kind %s exists',
    ],
  ],
}
