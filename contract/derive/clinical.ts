// The text of the clinical API's document, and the conversion of its rows to operations.

import { type TSchema, Type } from 'typebox'
import { ProblemBody } from '../api/answers.ts'
import { tags } from '../tags.ts'
import { answerExample, requestExamples } from '../examples.ts'
import { invalidQuery, refusals } from '../examples/problems.ts'
import { ids } from '../examples/resources.ts'
import { schemaExamples } from '../examples/schemas.ts'
import { apiVersion, limits } from '../limits.ts'
import { deviceGrant, oauthPaths } from '../oauth.ts'
import {
  type CredentialOperation,
  everyRefusal,
  isWrite,
  modes,
  pathNames,
  refusalsOf,
} from '../operation.ts'
import {
  hintOf,
  isOn,
  type ProblemCode,
  type ProblemCodeOf,
  problems,
  type ProblemContent,
} from '../problems.ts'
import { scopes } from '../scopes.ts'
import { idOf } from '../shapes.ts'
import { type ApiDescription, openapiDocument } from './document.ts'
import { locationOf } from './location.ts'
import { readScopeOf } from './read-scopes.ts'
import { nounOf, sdkName } from './names.ts'
import { patientField } from './patient-data.ts'
import type { DocumentedBody, DocumentedOperation } from './operations.ts'
import type { RefusalTable } from './refusals.ts'
import type { Node } from './schemas.ts'
import { webhookParameters, webhooksOf } from './webhooks.ts'

export type Rows = Readonly<Record<string, CredentialOperation>>

/** Base URLs of the API and its authorization server. */
export type Addresses = { readonly api: string; readonly auth: string }

/** The URLs in the examples. A deployment replaces these URLs with its own. */
export const exampleAddresses: Addresses = {
  api: 'https://api.example.com',
  auth: 'https://auth.example.com',
}

/** Replaces the example URLs in a generated text. */
export const withAddresses = (text: string, { api, auth }: Addresses): string =>
  text
    .split(exampleAddresses.api)
    .map(part => part.replaceAll(exampleAddresses.auth, auth))
    .join(api)

const introduction = `
File consults for your patients with licensed clinicians, and follow each one until its orders are delivered.

**Credentials.** Send \`Authorization: Bearer\` with an API key, or with an access token from the
authorization server, which works wherever a key does. The prefix shows the mode: \`svc_sk_test_\` keys
and \`svc_at_test_\` tokens reach the sandbox, \`svc_sk_live_\` and \`svc_at_live_\` reach live data. The
two are separate. See /status for whether live mode is open. Never send real patient information to
test mode.

**Organizations.** A clinic grants your integration access. If several have, choose one with
\`Service-Organization\`.

**Writes.** Every POST, PATCH and DELETE needs an \`Idempotency-Key\`. Send the same key when you
retry: the request takes effect once, and you get the first response again, marked
\`Idempotent-Replayed\`. A refused request leaves its key unused. Operations without a request
body also accept \`{}\`. Unknown fields are refused.

**Lists.** \`{"data": […], "has_more": …}\`, in ascending order of ID. \`limit\` is 1 to
${limits.pageMax} and defaults to ${limits.pageDefault}; \`starting_after\` is the ID of the last item you received.

**Times.** \`YYYY-MM-DDTHH:MM:SS.sssZ\` in responses. Requests can use any RFC 3339 offset, or a
date alone for midnight UTC.

**Errors.** \`application/problem+json\` with a stable \`code\` to branch on, a \`hint\` that says
what to do next, and a \`request_id\` to give to the operator. Unknown paths return 404; methods that
a path does not support return 405 with \`Allow\`.

**Changes.** New operations, optional fields, event types and values of open enums can be added
without notice; \`x-open-enum\` marks an enum that may grow. Everything else in \`/v1\` keeps its meaning.
`.trim()

/** Joins the lines of each paragraph. The line breaks in this file's text aren't published. */
export const prose = (text: string) =>
  text
    .split('\n\n')
    .map(paragraph => paragraph.replaceAll('\n', ' '))
    .join('\n\n')

const ofDeletedPatient =
  'After the patient is deleted, repeating the request returns the same status with ' +
  '`{"id": "pat_…", "deleted": true}`, because the details are gone.'

function scopesOf(row: CredentialOperation): string {
  const readScope = readScopeOf(row)
  const part = 'the response contains only `id` and the fields you sent.'
  const also = (row.alsoNeeds ?? []).map(scope => ` and \`${scope}\``).join('')
  const needed = `${also ? 'Scopes' : 'Scope'}: \`${row.scope}\`${also}.`
  return readScope === null ? needed : `${needed} Without \`${readScope}\`, ${part}`
}

/** A row's description, followed by its scope, mode and events. */
function describe(row: CredentialOperation): string {
  const events = (row.emits ?? []).map(type => `\`${type}\``).join(', ')
  return [
    ...(row.description ? [row.description] : []),
    scopesOf(row) + (row.mode === 'test' ? ' Test mode only.' : ''),
    ...(events ? [`Events: ${events}.`] : []),
    ...(isWrite(row) && patientField(row) !== null ? [ofDeletedPatient] : []),
  ].join('\n\n')
}

function pathParameter(path: string, name: string): TSchema {
  const noun = nounOf(path, name)
  const example = new Map<string, string>(Object.entries(ids)).get(noun)
  const description = `ID of the ${noun.replaceAll('_', ' ')}.`
  return idOf(noun, { description, ...(example ? { example } : {}) })
}

function bodyOf(id: string, { body }: CredentialOperation): DocumentedBody | undefined {
  if (!body || body === 'none') return undefined
  const examples = Object.entries(requestExamples(id)).map(([name, value]) => {
    const text = name.replaceAll('_', ' ')
    return [name, { summary: `${text.charAt(0).toUpperCase()}${text.slice(1)}`, value }]
  })
  const required = (body.required ?? []).length > 0
  return { schema: body, required, examples: Object.fromEntries(examples) }
}

function successOf(row: CredentialOperation): string {
  const descriptions = { 200: 'Success.', 201: 'Created.', 202: 'Accepted.' }
  if (isWrite(row)) return descriptions[row.status]
  return (row.returns as Node)['x-list'] === true ? 'A page of results.' : 'Success.'
}

const ifNoneMatch = Type.Object({
  'If-None-Match': Type.Optional(Type.String({ description: 'The ETag of an earlier response.' })),
})

function documented(id: string, row: CredentialOperation, rows: Rows): DocumentedOperation {
  const content = {
    'application/json': { schema: row.returns, example: answerExample(id, row.returns) },
  }
  return {
    id,
    row,
    description: describe(row),
    extensions: {
      'x-sdk-name': sdkName(id, row.path),
      'x-modes': row.mode === 'test' ? ['test'] : modes,
      ...(row.emits ? { 'x-emits': row.emits } : {}),
      security: [{ bearer: [row.scope] }, { oauth2: [row.scope] }],
    },
    params: Object.fromEntries(
      pathNames(row.path).map(name => [name, pathParameter(row.path, name)]),
    ),
    headers: row.hasETag ? ifNoneMatch : undefined,
    body: bodyOf(id, row),
    answers: [
      { status: row.status, description: successOf(row), content },
      ...(row.hasETag ? [{ status: 304, description: 'Not modified.', content: {} }] : []),
    ],
    occasions: [
      ...(row.hasETag ? (['tagged'] as const) : []),
      ...(locationOf(row, Object.values(rows)) ? (['created'] as const) : []),
      ...(isWrite(row) ? (['write'] as const) : []),
    ],
    refusals: refusalsOf(row),
    errorFormat: 'problem',
  }
}

/** A refusal's body, with its fields in response order. */
export function problemBody(
  code: ProblemCode,
  refused: ProblemContent & { detail: string },
  base: string,
  isWrite = false,
): Node {
  const { status, title } = problems[code]
  return {
    type: `${base}/problems/${code}`,
    title,
    status,
    detail: refused.detail,
    code,
    request_id: ids.request,
    hint: refused.hint ?? hintOf(code, 'v1', isWrite),
    ...(refused.errors ? { errors: refused.errors } : {}),
    ...refused.members,
  }
}

const isProblemCode = (code: string): code is ProblemCodeOf<'v1'> =>
  Object.hasOwn(problems, code) && isOn(code as ProblemCode, 'v1')

const refusalTable = (base: string): RefusalTable => ({
  problems,
  bodies: { problem: { name: 'Problem', schema: ProblemBody, type: 'application/problem+json' } },
  common: new Set(everyRefusal),
  example(code, { row }) {
    if (!isProblemCode(code)) return null
    // Reads have no body, so their `invalid_request` example is about the query.
    const isOfQuery = code === 'invalid_request' && !isWrite(row)
    if (isOfQuery)
      return { component: 'invalid_query', value: problemBody(code, invalidQuery, base) }
    // Reads and writes share the other examples.
    const value = problemBody(code, refusals[code], base, code === 'invalid_request')
    return { component: code, value }
  },
})

/** How to get a credential. OpenAPI 3.1 has no flow for the device grant, so prose explains that
 *  grant. */
function securitySchemes({ auth }: Addresses): Node {
  const url = (name: keyof typeof oauthPaths) => `${auth}${oauthPaths[name]}`
  const hour = `${limits.accessTokenSeconds / 3600}-hour`
  return {
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key or an access token. Each operation lists the scope it needs.',
    },
    oauth2: {
      type: 'oauth2',
      description: [
        `The authorization server at ${auth} issues ${hour} access tokens; see ${url('metadata')}. Send them as bearer tokens.`,
        'Client credentials: for a server with a client ID and secret, which an owner or developer creates in the portal. There are no refresh tokens: request a new access token instead.',
        'Authorization code with PKCE (S256): for an agent that acts for a member of an integration, who approves it in the browser. Test mode only. Clients register themselves and send resource with the URL of this API.',
        `Device grant (RFC 8628): for a command line or a device without a browser. POST ${url('deviceAuthorization')} with client_id, scope and resource; the person confirms the code at ${url('device')}; then poll the token endpoint with the grant type ${deviceGrant}. Test mode only.`,
      ].join('\n\n'),
      flows: {
        clientCredentials: { tokenUrl: url('token'), scopes },
        authorizationCode: {
          authorizationUrl: url('authorization'),
          tokenUrl: url('token'),
          refreshUrl: url('token'),
          scopes,
        },
      },
    },
  }
}

/** An API document's text, except for its operations. */
export type DocumentTexts = Pick<
  ApiDescription,
  'name' | 'info' | 'tags' | 'schemaExamples' | 'webhooks'
>

const clinicalTexts: DocumentTexts = {
  name: 'clinical',
  info: {
    title: 'Clinical Integrations API',
    version: apiVersion,
    summary: 'Telehealth consults for your own patients, by API.',
    description: prose(introduction),
    contact: { name: 'The operator of this API', url: `${exampleAddresses.api}/about` },
  },
  tags,
  schemaExamples,
  webhooks: { of: webhooksOf, parameters: webhookParameters },
}

export function openapi(
  rows: Rows,
  addresses: Addresses = exampleAddresses,
  texts: DocumentTexts = clinicalTexts,
): Node {
  const document = exampleDocument(rows, texts)
  return addresses === exampleAddresses
    ? document
    : (JSON.parse(withAddresses(JSON.stringify(document), addresses)) as Node)
}

function exampleDocument(rows: Rows, texts: DocumentTexts): Node {
  const base = exampleAddresses.api
  return openapiDocument({
    ...texts,
    servers: [
      {
        url: '{base_url}',
        description: 'Test and live mode share one URL. The credential decides the mode.',
        variables: { base_url: { default: base, description: 'The URL of the API.' } },
      },
    ],
    security: [{ bearer: [] }, { oauth2: [] }],
    securitySchemes: securitySchemes(exampleAddresses),
    refusals: refusalTable(base),
    operations: Object.entries(rows).map(([id, row]) => documented(id, row, rows)),
  })
}
