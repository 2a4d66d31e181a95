// What is said of the tool server, each with its test.
import type { Proofs } from '../proof.ts'

export const tools: Proofs = {
  'docs/tool-server.md': [
    [
      'answers the same body, and leaves the same audit row',
      'gateway/mcp/clinical/every-tool.test.ts',
      '$name is that of its operation, and so when it is replayed',
    ],
    [
      'A client that sends no credential gets 401 with the address of a document that leads it to our authorization server',
      'gateway/mcp/clinical/admission.test.ts',
      'without a credential, whatever is asked, with all that a client needs to get one',
    ],
    [
      'It registers there, or names itself by the address of a document about it',
      'sweeps/agents.test.ts',
      'is named by its document instead, which is read once, and registers nothing',
    ],
    [
      'every installation with a tool server names it in `/.well-known/api-catalog`',
      'gateway/signing/finishing.test.ts',
      'API catalog: names the tool server at MCP_URL, with its guide and its metadata',
    ],
    [
      '`structuredContent` is the body that `/v1` would answer, and `content` the same as text',
      'gateway/mcp/clinical/every-tool.test.ts',
      '$name answers as REST does',
    ],
    [
      'What the API refuses is a result with `isError` and the same problem as text',
      'gateway/mcp/clinical/refusals.test.ts',
      'the problem is the one of REST, but for its request id',
    ],
    [
      'which names the scopes that the token has and the missing one',
      'gateway/mcp/clinical/admission.test.ts',
      'a challenge names the scopes of the credential with the missing one, and no other',
    ],
    [
      'name one in the header `Service-Organization`; no argument can',
      'gateway/mcp/clinical/admission.test.ts',
      'come from the credential or the header, and never from an argument',
    ],
    [
      'The list shrinks with the scopes of the credential',
      'gateway/mcp/clinical/admission.test.ts',
      'a key without %s does not see its tools, and is refused them',
    ],
    [
      '`?tools=` keeps the named groups and `docs_search`, and `?read_only=1` leaves out every write',
      'gateway/mcp/clinical/refusals.test.ts',
      'tools and read_only keep some of the list, and nothing else can be called',
    ],
    [
      'Any other parameter is refused, so that a misspelled one does not list everything',
      'gateway/mcp/clinical/refusals.test.ts',
      'tools and read_only keep some of the list, and nothing else can be called',
    ],
    [
      'A client may run in a page of any origin, such as an inspector in your browser',
      'gateway/mcp/clinical/pages.test.ts',
      'asks first, without a credential, and may send every header of the protocol',
    ],
    [
      'its `title` is the schema of the contract that has their types',
      'gateway/mcp/docs.test.ts',
      'the title of an output schema is a schema of the contract, with each member and its type',
    ],
    [
      'A guide with the fragment of its page answers that section',
      'gateway/mcp/docs.test.ts',
      'a fragment of a guide answers that section, for every heading of every guide',
    ],
    [
      'A client with a live key sees no tool that plays the clinic',
      'gateway/mcp/clinical/admission.test.ts',
      'a live key sees 34 tools, none of the sandbox, and is refused those',
    ],
    [
      "`svc://docs/webhooks` is this site's guide as Markdown, `svc://openapi/v1.yaml` the contract",
      'gateway/mcp/docs.test.ts',
      'a guide is the published Markdown, and the contract the bytes that are served',
    ],
    [
      'with a fragment it answers one operation with the schemas that it refers to',
      'gateway/mcp/docs.test.ts',
      'a fragment answers one operation with what it refers to, and nothing else',
    ],
    [
      '| where | test mode only | the mode of the key |',
      'portal/pages/credentials/access.test.ts',
      'there are none in live mode, and the page says why',
    ],
    [
      '| Unknown tool | the operation is no tool, or is not in the list of this credential |',
      'gateway/mcp/clinical/refusals.test.ts',
      'an unknown tool is an error that lists those of the credential',
    ],
    [
      '| 405 | GET or DELETE: there is no stream and no session |',
      'gateway/mcp/clinical/refusals.test.ts',
      'only POST is answered',
    ],
    [
      '| 429 with `Retry-After` | the limit of the integration, as for `/v1` |',
      'gateway/mcp/clinical/refusals.test.ts',
      '429 with Retry-After; the calls of both surfaces are counted together',
    ],
    [
      'and answers an address for each',
      'gateway/mcp/docs.test.ts',
      'each result has a link; without a result the guides are named',
    ],
    [
      'The tool server speaks the Model Context Protocol over HTTP',
      'gateway/mcp/clinical/conformance.test.ts',
      'mcp conformance: the clinical server, %s',
    ],
    [
      'and comes back with a token of an hour that it renews itself',
      'auth/oauth/tokens/refresh-token.test.ts',
      'brings a new access token and its successor, with the same scopes',
    ],
    ['A call is one POST', 'gateway/mcp/clinical/refusals.test.ts', 'only POST is answered'],
    [
      'A write also takes `idempotency_key`: a fresh UUID for each intent, and the same one only to retry',
      'contract/tools/tools.test.ts',
      '$name: idempotency_key is required and last on writes',
    ],
    [
      'This one reads the clinic that the key acts for',
      'e2e/guides.spec.ts',
      'guide ${guide.slug}: its requests run and answer as shown',
    ],
    [
      'Without a credential the answer leads to one',
      'gateway/mcp/clinical/admission.test.ts',
      'without a credential, whatever is asked, with all that a client needs to get one',
    ],
    [
      '`docs_search` finds guides, operations, schemas, error codes and event types',
      'gateway/mcp/docs.test.ts',
      'a name in code is answered by its own page first, in each kind',
    ],
    [
      '| 401 `unauthorized` | no credential, one that has ended, or one of the API alone |',
      'gateway/mcp/clinical/admission.test.ts',
      'a revoked key, a made-up one, and a token for the API',
    ],
    [
      '| 403 `insufficient_scope` | the credential lacks the scope of this tool |',
      'gateway/mcp/clinical/admission.test.ts',
      'a key without %s does not see its tools, and is refused them',
    ],
    [
      'You sign in, choose the integration, and see each scope in words.',
      'auth/pages/consent.test.ts',
      'the page says who asks, that it is not verified, where the answer goes, and for what',
    ],
    [
      '| the browser never opens | the client asked for a scope or an address that it may',
      'auth/pages/consent.test.ts',
      'the page says who asks, that it is not verified, where the answer goes, and for what',
    ],
    [
      'you, in one integration, with what your role has',
      'sweeps/v1-tokens.test.ts',
      'are limited by the role %s',
    ],
  ],
  'comparisons/mcp-vs-rest-for-agents.md': [
    [
      'each tool is one operation of the REST API, with its scopes, its refusals and its audit row',
      'gateway/mcp/clinical/every-tool.test.ts',
      '$name is that of its operation, and so when it is replayed',
    ],
    [
      'It holds only what the credential may use',
      'gateway/mcp/clinical/admission.test.ts',
      'a key without %s does not see its tools, and is refused them',
    ],
    [
      'in ours no tool exports a chart, answers a secret or changes where data is sent',
      'contract/tools/tools.test.ts',
      'every visits operation is a tool; none answers a secret or changes where data goes',
    ],
    [
      'A test allows ours 12,000 for all 46, and at most 700 for one',
      'contract/tools/tools.test.ts',
      'the whole list has at most 12,000 tokens',
    ],
    [
      'takes the same keys and tokens',
      'gateway/mcp/clinical/admission.test.ts',
      '200: a token of kind %s',
    ],
    [
      'In live mode no operation approves or declines a case, over either interface',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a live key, whatever its scopes, organization or agreement',
    ],
    [
      'the address can name groups, as in `?tools=cases,orders`',
      'gateway/mcp/clinical/refusals.test.ts',
      'tools and read_only keep some of the list, and nothing else can be called',
    ],
    [
      'errors have stable codes with a hint',
      'clients/typescript/errors.test.ts',
      'each code of the contract has a class of its own',
    ],
    [
      "The method; GET is safe by the definition of HTTP, and the key's scopes bound the rest",
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a key with every scope but ${scope}',
    ],
    [
      "Whatever the key's scopes and the clinic's grant both allow",
      'auth/principal.test.ts',
      'are the intersection of key and grant, in published order, computed on each call',
    ],
    [
      'OAuth with a person who consents, in test mode; the client registers and signs in by',
      'sweeps/v1-tokens.test.ts',
      'no live token of kind %s exists',
    ],
    [
      "The REST API's credentials, scopes, refusals and audit",
      'gateway/mcp/clinical/every-tool.test.ts',
      '$name answers as REST does',
    ],
    [
      'A tool server is a second interface to the same operations.',
      'gateway/mcp/clinical/every-tool.test.ts',
      '$name answers as REST does',
    ],
    [
      'Its scopes are all that holds it.',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a key with every scope but ${scope}',
    ],
    [
      'The tool servers at `/mcp` and `/docs/mcp` read this site and book a call.',
      'gateway/mcp/protocol.test.ts',
      'every tool has a title and four hints, and only the booking tools write',
    ],
    [
      "Our tools carry the operations' names, such as `get_case` for `getCase`.",
      'contract/tools/tools.test.ts',
      'names are unique, of a-z and _, at most 27 characters; the sandbox has its own',
    ],
    [
      'The key is an argument, and the model has to send the same one again',
      'contract/tools/tools.test.ts',
      '$name: idempotency_key is required and last on writes',
    ],
  ],
}
