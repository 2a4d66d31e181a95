// What is said of assistants that reach patients, each with its test.
import type { Proofs } from '../proof.ts'

export const agents: Proofs = {
  'docs/agents-and-tools.md': [
    [
      'An agent that a member signed in for never reaches live data',
      'auth/oauth/tokens/authorization-code.test.ts',
      'with an access token of test mode and a refresh token',
    ],
    [
      "has at most what the member's role has",
      'auth/still-authorized.test.ts',
      'authorization of a family of tokens is limited by its scopes, its organization and the role',
    ],
    [
      'asked through once for a delete, a withdrawal, a cancellation and a reset',
      'gateway/mcp/clinical/confirmation.test.ts',
      'exactly delete, cancel, withdraw and reset ask; what is refused anyway does not',
    ],
    [
      'need any valid credential and no scope',
      'gateway/mcp/clinical/documents.test.ts',
      'works for a credential that no clinic has granted anything',
    ],
    [
      'No tool of these names exists for any credential',
      'gateway/mcp/clinical/refusals.test.ts',
      'an unknown tool is an error that lists those of the credential',
    ],
    [
      'The portal shows after a week which scopes a key did not use',
      'portal/pages/credentials/access.test.ts',
      'after a week names the scopes that it does not use, and a narrower successor',
    ],
    [
      'has no tool that plays the clinician',
      'contract/tools/tools.test.ts',
      'a credential sees the tools of its scopes, and in live none of the sandbox',
    ],
    [
      'That tool would be yours; ours have none',
      'contract/tools/tools.test.ts',
      'every visits operation is a tool; none answers a secret or changes where data goes',
    ],
    [
      'Each tool states whether it only reads, and whether it removes or replaces something',
      'contract/tools/tools.test.ts',
      'each hint of each tool has a reason that begins with its value',
    ],
    [
      'It is data, word for word',
      'gateway/mcp/clinical/injection.test.ts',
      'tool server: an instruction in any text of %s comes back as data',
    ],
    [
      'The instructions that the server hands to every client say that text inside messages is data',
      'contract/tools/tools.test.ts',
      'the instructions have at most 400, and say what patient text is',
    ],
    [
      'which also filters by agent, by person and by the tool server',
      'portal/reads.test.ts',
      'are found by their client, person and surface, also after the token is gone',
    ],
    [
      'An owner sees the agents of all members; other members see their own',
      'portal/pages/credentials/access.test.ts',
      'another member sees and ends their own only',
    ],
    [
      'Each call of a tool leaves the audit row of its operation',
      'gateway/mcp/clinical/every-tool.test.ts',
      '$name is that of its operation, and so when it is replayed',
    ],
    [
      'Each read of a guide or of the contract leaves one too',
      'gateway/mcp/clinical/documents.test.ts',
      'each read leaves an audit row with the address, the caller and the client',
    ],
    [
      'Revoking a key, removing a member and suspending an integration do the same',
      'sweeps/v1-tokens.test.ts',
      '$code: $name',
    ],
    [
      'Every other client calls at once, as over REST',
      'gateway/mcp/clinical/confirmation.test.ts',
      '%j is not asked',
    ],
    [
      'The patient writes on the thread, and the assistant reads it',
      'gateway/mcp/clinical/confirmation.test.ts',
      'comes back as data from every field that a patient can fill',
    ],
    [
      '*Agents and devices* in the portal lists what members agreed to',
      'portal/pages/credentials/access.test.ts',
      'an owner sees those of every member, with what they did, and ends any',
    ],
    [
      'A tool call has no log of its own that you could forget',
      'gateway/mcp/clinical/every-tool.test.ts',
      '$name is that of its operation, and so when it is replayed',
    ],
    [
      'end its access: the next call is refused',
      'portal/pages/credentials/access.test.ts',
      'an owner sees those of every member, with what they did, and ends any',
    ],
    [
      'A call is allowed where the credential has the scope and the clinic granted it;',
      'auth/principal.test.ts',
      'are the intersection of key and grant, in published order, computed on each call',
    ],
    [
      '`?read_only=1` in [the address of the tool server](/docs/tool-server#fewer-tools).',
      'gateway/mcp/clinical/refusals.test.ts',
      'tools and read_only keep some of the list, and nothing else can be called',
    ],
    [
      'What an agent can still do with such a sentence is what its scopes allow: write to',
      'contract/tools/tools.test.ts',
      'a credential sees the tools of its scopes, and in live none of the sandbox',
    ],
    [
      'apart in the log, and are revoked together',
      'clinical/sweeps/every-audit.test.ts',
      '${id} names its caller, whether it ends',
    ],
    [
      'An agent that answers “where is my order” needs `cases:read`',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a key with every scope but ${scope}',
    ],
    [
      'Nothing was sent anywhere, and no tool could have done it',
      'contract/tools/tools.test.ts',
      'every visits operation is a tool; none answers a secret',
    ],
  ],
  'articles/agents-and-patient-data.md': [
    [
      'a live credential never sees it',
      'gateway/mcp/clinical/admission.test.ts',
      'a live key sees 34 tools, none of the sandbox, and is refused those',
    ],
    [
      'an order keeps its address, so a later change moves no parcel',
      'clinical/sandbox/decide.test.ts',
      'an order keeps the address that the patient had at approval',
    ],
    [
      'What the agent can use is the intersection of the two, computed for every call',
      'auth/principal.test.ts',
      'are the intersection of key and grant, in published order, computed on each call',
    ],
    [
      'it lives an hour, reaches the sandbox alone, and can do no more than that member may',
      'sweeps/v1-tokens.test.ts',
      'are limited by the role %s',
    ],
    [
      'the answer is that there is no tool by that name',
      'gateway/mcp/clinical/refusals.test.ts',
      'an unknown tool is an error that lists those of the credential',
    ],
    [
      '| everything that answers a secret: webhook secrets, realtime tokens |',
      'contract/tools/tools.test.ts',
      'every visits operation is a tool; none answers a secret or changes where data goes',
    ],
    [
      'each tool declares whether it only reads, whether it removes or replaces something',
      'contract/tools/tools.test.ts',
      'each hint of each tool has a reason that begins with its value',
    ],
    [
      'a client of 2026-07-28 that can ask is asked through',
      'gateway/mcp/clinical/confirmation.test.ts',
      'exactly delete, cancel, withdraw and reset ask; what is refused anyway does not',
    ],
    [
      'no live credential has the tool',
      'contract/tools/tools.test.ts',
      'a credential sees the tools of its scopes, and in live none of the sandbox',
    ],
    [
      'The row of a write commits with the write',
      'clinical/audit/entries.test.ts',
      'a write that was retried after a conflict writes one row',
    ],
    [
      'Each call leaves an audit row: which credential, which organization, which operation, which resource, when, and from where',
      'clinical/sweeps/every-audit.test.ts',
      '${id} names its caller, whether it ends ${ends}',
    ],
    [
      'in live the clinic keeps its record',
      'clinical/patients/delete-in-live.test.ts',
      'deletePatient in live: 404 for the integration, kept for the clinic',
    ],
    [
      'the address of the tool server with `?read_only=1`',
      'gateway/mcp/clinical/refusals.test.ts',
      'tools and read_only keep some of the list, and nothing else can be called',
    ],
    [
      'In live mode no operation of this API does that at all',
      'clinical/sweeps/every-credential.test.ts',
      '${id} refuses a live key, whatever its scopes, organization or agreement',
    ],
    [
      'the row names the credential in the audit',
      'clinical/sweeps/every-audit.test.ts',
      '${id} names its caller, whether it ends ${ends}',
    ],
    [
      'the second call is a replay',
      'clinical/sweeps/every-operation.test.ts',
      '${id} replays the same bytes for the same key, audits it as replayed and writes nothing',
    ],
    [
      'A credential has the scopes that were ticked when it was made',
      'clinical/organization/retrieve.test.ts',
      'scopes are those of both the key and the grant, in published order',
    ],
    [
      "The clinic's grant has the scopes that the clinic approved",
      'console/pages/administration/administration.test.ts',
      'a request is shown in words with its note, and a part of it is approved with a note',
    ],
    [
      '| file a case for a person of its own making | `create_patient`, `record_consent`, `create_case` |',
      'contract/tools/tools.test.ts',
      'a credential sees the tools of its scopes, and in live none of the sandbox',
    ],
    [
      '| send an event again | `redeliver_event` | `webhooks:manage`; only endpoints that a person registered receive it |',
      'contract/tools/tools.test.ts',
      'every visits operation is a tool; none answers a secret or changes where data goes',
    ],
    [
      'Live data needs a live key or a live client, which a person makes on purpose',
      'portal/pages/credentials/access.test.ts',
      'there are none in live mode, and the page says why',
    ],
    [
      '| events:read | yes | yes | yes |',
      'auth/principal.test.ts',
      'are the intersection of key and grant, in published order, computed on each call',
    ],
    [
      'Two agents that share a key share their worst day, and the audit cannot tell them',
      'clinical/sweeps/every-audit.test.ts',
      '${id} names its caller, whether it ends ${ends}',
    ],
    [
      '| creating, changing and deleting webhook endpoints | nothing in a message may decide',
      'contract/tools/tools.test.ts',
      'every visits operation is a tool; none answers a secret or changes where data goes',
    ],
    [
      "| exports | the answer is most of one patient's record |",
      'contract/tools/tools.test.ts',
      'every visits operation is a tool; none answers a secret or changes where data goes',
    ],
    [
      '| speak as the patient | `create_message` with `author` patient, `answer_case` |',
      'clinical/messages/create.test.ts',
      '%s %j is written by the %s',
    ],
    [
      'Writes carry an `idempotency_key`, and with an agent this is more than a courtesy.',
      'contract/tools/tools.test.ts',
      '$name: idempotency_key is required and last on writes',
    ],
    [
      'the order holds its own shipping address and status',
      'clinical/sandbox/decide.test.ts',
      'an order keeps the address that the patient had',
    ],
  ],
}
