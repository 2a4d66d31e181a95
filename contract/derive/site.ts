// The text of the site API's document, and the conversion of its rows to operations.

import { siteProblemExample } from '../examples/site-problems.ts'
import { isWrite } from '../operation.ts'
import { errorBodies } from '../site/errors.ts'
import { type SiteOperation, siteRefusalsOf } from '../site/operation.ts'
import { isOn, type ProblemCode, type ProblemCodeOf, problems } from '../problems.ts'
import { siteTags } from '../site/tags.ts'
import { siteVersion, sunsetDaysMin } from '../versions.ts'
import { openapiDocument } from './document.ts'
import type { DocumentedBody, DocumentedOperation } from './operations.ts'
import type { RefusalTable } from './refusals.ts'
import type { Node } from './schemas.ts'

/** The document's publisher. */
type Owner = { readonly name: string; readonly site: string; readonly email: string }

function infoOf({ name, site, email }: Owner): Node {
  return {
    title: `${name}: site content API`,
    version: siteVersion,
    summary: 'Read this site’s content and book a call, without a credential.',
    description: [
      `Every page is also available as Markdown: append .md to its URL, or send Accept: text/markdown. ${site}/llms.txt lists them. The clinical API is separate: ${site}/openapi/v1.json.`,
      `No credential is needed. Unknown paths below /api return 404; methods that a path does not support return 405 with \`Allow\`.`,
      `Versions are dates. A breaking change gets a new date, and the previous version works for at least ${sunsetDaysMin} more days; its responses have \`Deprecation\` and \`Sunset\`.`,
    ].join('\n\n'),
    contact: { name, email, url: `${site}/developers` },
    termsOfService: `${site}/terms`,
  }
}

/** A body is optional if an example without one is accepted. */
function bodyOf({ body, examples }: SiteOperation): DocumentedBody | undefined {
  if (!body) return undefined
  const accepted = Object.entries(examples).filter(([, { status }]) => status < 400)
  const sent = accepted.filter(([, example]) => example.body !== undefined)
  const named = sent.map(([name, { summary, body: value }]) => [name, { summary, value }])
  const required = sent.length === accepted.length
  return { schema: body, required, examples: Object.fromEntries(named) }
}

const documented = (id: string, row: SiteOperation): DocumentedOperation => ({
  id,
  row,
  description: row.description,
  params: row.params ?? {},
  headers: row.headers,
  body: bodyOf(row),
  answers: row.answers,
  occasions: isWrite(row) ? ['write'] : [],
  refusals: siteRefusalsOf(row),
  errorFormat: row.form,
})

const isProblemCode = (code: string): code is ProblemCodeOf<'site'> =>
  Object.hasOwn(problems, code) && isOn(code as ProblemCode, 'site')

const refusalTable: RefusalTable = {
  problems,
  bodies: {
    problem: { name: 'Problem', ...errorBodies.problem },
    acp: { name: 'Acp', ...errorBodies.acp },
    jsonrpc: { name: 'Rpc', ...errorBodies.jsonrpc },
  },
  common: new Set(),
  // For the other formats, rows have their own examples.
  example: (code, { errorFormat }) =>
    errorFormat === 'problem' && isProblemCode(code) ? { value: siteProblemExample(code) } : null,
}

export const siteOpenapi = (rows: Readonly<Record<string, SiteOperation>>, owner: Owner): Node =>
  openapiDocument({
    name: 'site',
    info: infoOf(owner),
    servers: [{ url: owner.site }],
    security: [],
    externalDocs: { url: `${owner.site}/developers`, description: 'For engineers.' },
    tags: siteTags,
    // Each response has its own example.
    schemaExamples: {},
    refusals: refusalTable,
    operations: Object.entries(rows).map(([id, row]) => documented(id, row)),
  })
