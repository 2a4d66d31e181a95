// The table as a Postman collection (schema 2.1). The first folder is the loop from a patient to a
// delivered parcel, and runs unattended on an empty sandbox. Every operation follows in its tag's
// folder.

import type { OperationId } from '../api.ts'
import { tags } from '../tags.ts'
import { answerExample, requestExamples } from '../examples.ts'
import { ids, privacyConsent } from '../examples/resources.ts'
import { isWrite, type CredentialOperation, pathNames } from '../operation.ts'
import { prefixes } from '../ids.ts'
import { problems } from '../problems.ts'
import { refusals } from '../examples/problems.ts'
import { problemBody, type Rows } from './clinical.ts'
import { nounOf } from './names.ts'
import type { Node } from './schemas.ts'

type Step = readonly [OperationId, example?: string]

/** A whole consult. Each step uses IDs from the steps before it. */
export const loop: readonly Step[] = [
  ['getOrganization'],
  ['createPatient', 'patient'],
  ['recordConsent', 'telehealth'],
  ['recordConsent', 'privacy'],
  ['createCase', 'case'],
  ['decideCase', 'ask'],
  ['answerCase', 'answer'],
  ['listMessages'],
  ['decideCase', 'approve'],
  ['getPrescription'],
  ['shipCase', 'with_a_parcel'],
  ['deliverCase'],
  ['getOrder'],
  ['listCaseEvents'],
]

/** The variable with the last ID of a kind: `{{patient_id}}`. */
const variableOf = (noun: string) => `${noun}_id`

const kinds = Object.fromEntries(Object.entries(prefixes).map(([noun, prefix]) => [prefix, noun]))

/** Replaces the examples' IDs with variables, except medication catalog IDs. */
function withVariables(text: string): string {
  const consents = text.replaceAll(privacyConsent, '{{privacy_consent_id}}')
  return Object.entries(ids).reduce(
    (all, [noun, id]) =>
      noun === 'medication' ? all : all.replaceAll(id, `{{${variableOf(noun)}}}`),
    consents,
  )
}

/** Fails and skips the request, because a failed script alone doesn't stop the request. */
const liveKeyGuard = [
  "const key = pm.variables.get('api_key') || ''",
  "if (key.startsWith('svc_sk_live_')) {",
  "  pm.test('uses a test key, because it creates made-up patients', () =>",
  "    pm.expect.fail('The value of api_key is a live key, so nothing was sent.'))",
  '  pm.execution.skipRequest()',
  '}',
]

/** Stores each ID under its kind, for later requests. */
const idStore = [
  `const kinds = ${JSON.stringify(kinds)}`,
  'const keep = id => {',
  "  const noun = typeof id === 'string' && kinds[id.split('_').slice(0, -1).join('_')]",
  '  if (noun) pm.collectionVariables.set(`${noun}_id`, id)',
  '}',
  'if (pm.response.code < 300) {',
  '  const body = pm.response.json()',
  "  if (body.kind === 'privacy') pm.collectionVariables.set('privacy_consent_id', body.id)",
  '  else keep(body.id)',
  '  for (const list of [body.prescription_ids, body.order_ids]) keep((list || [])[0])',
  '  const first = (body.data || [])[0]',
  '  if (first) keep(first.id)',
  '}',
]

const script = (listen: string, exec: readonly string[]): Node => ({
  listen,
  script: { type: 'text/javascript', exec },
})

function urlOf(row: CredentialOperation): Node {
  const path = row.path
    .split('/')
    .slice(1)
    .map(segment => (segment.startsWith('{') ? pathVariable(row.path, segment) : segment))
  const query = Object.entries(row.query?.properties ?? {}).map(([key, schema]) => ({
    key,
    value: '',
    description: (schema as { description?: string }).description ?? '',
    disabled: row.query?.required?.includes(key) !== true,
  }))
  return {
    raw: `{{base_url}}/${path.join('/')}`,
    host: ['{{base_url}}'],
    path,
    ...(query.length > 0 ? { query } : {}),
  }
}

function pathVariable(path: string, segment: string): string {
  const noun = nounOf(path, segment.slice(1, -1))
  return noun === 'medication' ? ids.medication : `{{${variableOf(noun)}}}`
}

function requestOf(id: string, row: CredentialOperation, example: unknown): Node {
  const json = isWrite(row) && row.body !== 'none'
  return {
    method: row.method,
    header: isWrite(row)
      ? [
          { key: 'Idempotency-Key', value: '{{$guid}}' },
          { key: 'Content-Type', value: 'application/json' },
        ]
      : [],
    url: urlOf(row),
    description: [row.summary, row.description].filter(Boolean).join('\n\n'),
    ...(json
      ? { body: { mode: 'raw', raw: withVariables(JSON.stringify(example ?? {}, null, 2)) } }
      : {}),
  }
}

/** The operation's response and its own errors, without the ones that all operations share. */
function responsesOf(id: string, row: CredentialOperation, base: string): Node[] {
  const saved = (name: string, code: number, body: unknown, type: string): Node => ({
    name,
    code,
    status: name,
    header: [{ key: 'Content-Type', value: type }],
    body: JSON.stringify(body, null, 2),
  })
  const own = [
    ...(pathNames(row.path).length > 0 ? (['not_found'] as const) : []),
    ...(row.refuses ?? []),
  ]
  return [
    saved('Answered', row.status, answerExample(id, row.returns), 'application/json'),
    ...own.map(code =>
      saved(
        problems[code].title,
        problems[code].status,
        problemBody(code, refusals[code], base),
        'application/problem+json',
      ),
    ),
  ]
}

function itemOf(id: string, row: CredentialOperation, base: string, example?: string): Node {
  const examples = requestExamples(id)
  const body = example === undefined ? Object.values(examples)[0] : examples[example]
  const suffix = example === undefined ? '' : ` (${example.replaceAll('_', ' ')})`
  return {
    name: `${id}${suffix}`,
    event: [
      script('test', [
        `pm.test('returns ${row.status}', () => pm.response.to.have.status(${row.status}))`,
      ]),
    ],
    request: requestOf(id, row, body),
    response: responsesOf(id, row, base),
  }
}

/** Builds the collection for these rows. `base` is used only in saved responses. */
export function postman(rows: Rows, base: string): Node {
  const stepOf = ([id, example]: Step) => {
    const row = rows[id]
    if (!row) throw new Error(`The loop has ${id}, which is not an operation`)
    return itemOf(id, row, base, example)
  }
  const folders = Object.entries(tags).flatMap(([tag, description]) => {
    const of = Object.entries(rows).filter(([, row]) => row.tag === tag)
    return of.length === 0
      ? []
      : [{ name: tag, description, item: of.map(([id, row]) => itemOf(id, row, base)) }]
  })
  return {
    info: {
      name: 'Clinical Integrations API',
      description:
        'Set `base_url` and a test key in `api_key`, and run the folder “The loop”: it files a ' +
        'consult, approves it, and follows its order to delivery. IDs are saved in variables. ' +
        'The API reference lists the errors each operation can return.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }] },
    event: [script('prerequest', liveKeyGuard), script('test', idStore)],
    variable: [
      ...Object.keys(ids).map(noun => ({ key: variableOf(noun), value: '' })),
      { key: 'privacy_consent_id', value: '' },
    ],
    item: [
      {
        name: 'The loop',
        description: 'From a patient to a delivered order. Run it as often as you like.',
        item: loop.map(stepOf),
      },
      ...folders,
    ],
  }
}

/** The collection's environment, which contains no key and no live server's URL. */
export const postmanEnvironment = (base: string): Node => ({
  name: 'Sandbox',
  values: [
    { key: 'base_url', value: base, type: 'default', enabled: true },
    { key: 'api_key', value: '', type: 'secret', enabled: true },
  ],
  _postman_variable_scope: 'environment',
})
