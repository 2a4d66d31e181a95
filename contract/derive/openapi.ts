// The table as an OpenAPI 3.1 document. Everything in it follows from the rows, so it cannot
// promise an operation, a field or a refusal that the API does not have.

import { ProblemBody } from '../api/answers.ts'
import { apiVersion, limits } from '../limits.ts'
import { answerHeaders, requestHeaders } from './headers.ts'
import { type Gathered, operationObject, type Rows } from './operations.ts'
import { Refusals } from './refusals.ts'
import { type Node, Schemas } from './schemas.ts'
import { tags } from './tags.ts'

/** Where the examples live. A deployment puts its own address in its place. */
export const exampleBase = 'https://api.example.com'

const introduction = `
File consults for your patients with licensed clinicians, and follow each one to the parcel at the
door.

**Credentials.** Send \`Authorization: Bearer\` and an API key or an access token. A key's mode is
in its prefix: \`svc_sk_test_\` keys reach the sandbox, \`svc_sk_live_\` keys reach the clinic. Test and
live never see each other. Real patient information must never be sent to test mode.

**Organizations.** A clinic grants your integration access. When several have, name one with
\`Service-Organization\`.

**Writes.** Every POST, PATCH and DELETE carries an \`Idempotency-Key\`. Send the same key when you
retry: the effect happens once and the first answer comes again, marked \`Idempotent-Replayed\`. A
refused request leaves its key unused. An operation without a request body also takes \`{}\`. A field
that is not listed is refused.

**Lists.** \`{"data": […], "has_more": …}\`, ascending by id. \`limit\` is 1 to
${limits.pageMax} and defaults to ${limits.pageDefault}; \`starting_after\` is the id of the last item you saw.

**Times.** \`YYYY-MM-DDTHH:MM:SS.sssZ\` in answers. Requests may use any RFC 3339 offset, or a bare
date for midnight UTC.

**Refusals.** \`application/problem+json\` with a stable \`code\` to branch on, a \`hint\` that
says what to do next, and the \`request_id\` to quote to support. A path that does not exist answers 404, a
method that a path does not have answers 405 with \`Allow\`.

**Changes.** New operations, optional fields, event types and values of open lists arrive without
notice; \`x-open-enum\` marks a list that may grow. What exists keeps its meaning within \`/v1\`.
`.trim()

/** One line a paragraph: the breaks above are only for this file. */
const prose = (text: string) =>
  text
    .split('\n\n')
    .map(paragraph => paragraph.replaceAll('\n', ' '))
    .join('\n\n')

function pathsOf(gathered: Gathered): Node {
  const paths: Record<string, Record<string, Node>> = {}
  for (const [id, row] of Object.entries(gathered.rows)) {
    const methods = (paths[row.path] ??= {})
    methods[row.method.toLowerCase()] = operationObject(id, row, gathered)
  }
  return paths
}

export function openapi(rows: Rows, base: string = exampleBase): Node {
  const gathered = { rows, schemas: new Schemas(), refusals: new Refusals(base) }
  const paths = pathsOf(gathered)
  gathered.schemas.refer(ProblemBody)
  const used = new Set(Object.values(rows).map(row => row.tag))
  const document = {
    openapi: '3.1.1',
    info: {
      title: 'Clinical Integrations API',
      version: apiVersion,
      summary: 'Telehealth consults for your own patients, by API.',
      description: prose(introduction),
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [
      {
        url: '{base_url}',
        description: 'Test and live share one address: the key decides.',
        variables: { base_url: { default: base, description: 'The address of the API.' } },
      },
    ],
    security: [{ bearer: [] }],
    tags: Object.entries(tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key, or an OAuth 2.0 access token. Each operation names the scope it needs.',
        },
      },
      parameters: requestHeaders,
      headers: answerHeaders,
      schemas: gathered.schemas.components,
      ...gathered.refusals.components,
    },
  }
  // Addresses in examples are the example's own.
  return base === exampleBase
    ? document
    : (JSON.parse(JSON.stringify(document).replaceAll(exampleBase, base)) as Node)
}
