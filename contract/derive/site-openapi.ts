// The table of the site's API as an OpenAPI 3.1 document. It names what is served and nothing else,
// because everything in it follows from the rows.
import { pathNames } from '../operation.ts'
import type { SiteAnswer, SiteOperation } from '../site/operation.ts'
import { siteTags } from '../site/tags.ts'
import { siteVersion, sunsetDaysMin } from '../versions.ts'
import { type Node, Schemas } from './schemas.ts'
import {
  everySiteHeader,
  siteAnswerHeaders,
  siteHeaderRefs,
  siteRequestHeaders,
} from './site-headers.ts'
import { SiteRefusals } from './site-refusals.ts'

/** Who the document speaks for. */
export type SiteOwner = { readonly name: string; readonly site: string; readonly email: string }
export type SiteRows = Readonly<Record<string, SiteOperation>>

type Gathered = { readonly schemas: Schemas; readonly refusals: SiteRefusals }

export function siteOpenapi(rows: SiteRows, owner: SiteOwner): Node {
  // What a schema is like is shown where it is answered.
  const schemas = new Schemas({})
  const gathered = { schemas, refusals: new SiteRefusals(schemas) }
  const paths: Record<string, Record<string, Node>> = {}
  for (const [id, row] of Object.entries(rows)) {
    const methods = (paths[row.path] ??= {})
    methods[row.method.toLowerCase()] = operationObject(id, row, gathered)
  }
  const used = new Set(Object.values(rows).map(row => row.tag))
  return {
    openapi: '3.1.1',
    info: infoOf(owner),
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: owner.site }],
    security: [],
    tags: Object.entries(siteTags)
      .filter(([name]) => [...used].some(tag => tag === name))
      .map(([name, description]) => ({ name, description })),
    externalDocs: { url: `${owner.site}/developers`, description: 'For engineers.' },
    paths,
    components: {
      parameters: siteRequestHeaders,
      headers: siteAnswerHeaders,
      schemas: schemas.components,
      responses: gathered.refusals.components,
    },
  }
}

function infoOf({ name, site, email }: SiteOwner): Node {
  return {
    title: `${name}: site content API`,
    version: siteVersion,
    summary: 'Anonymous access to what this site says and offers.',
    description: [
      `Every page is also plain markdown: put .md behind its address, or send Accept: text/markdown. ${site}/llms.txt lists them. The clinical API is another one: ${site}/openapi/v1.json.`,
      `Nobody needs a credential. A path that does not exist below /api answers 404, and a method that a path does not take 405 with \`Allow\`.`,
      `Versions are dates. A breaking change ships as a new date, and the one before keeps working for at least ${sunsetDaysMin} days; its answers carry \`Deprecation\` and \`Sunset\`.`,
    ].join('\n\n'),
    contact: { email, url: `${site}/developers` },
    termsOfService: `${site}/terms`,
  }
}

function operationObject(id: string, row: SiteOperation, { schemas, refusals }: Gathered): Node {
  const parameter = (name: string, where: string, required: boolean, schema: unknown): Node => {
    const { description, ...rest } = schemas.refer(schema) as Node
    return { name, in: where, required, ...(description ? { description } : {}), schema: rest }
  }
  const listed = (where: 'query' | 'header', given: SiteOperation['query']): Node[] =>
    Object.entries(given?.properties ?? {}).map(([name, schema]) =>
      parameter(name, where, given?.required?.includes(name) ?? false, schema),
    )
  const shared = ['API-Version', ...(row.method === 'POST' ? ['Idempotency-Key'] : [])]
  const own = Object.keys(row.headers?.properties ?? {})
  return {
    operationId: id,
    tags: [row.tag],
    summary: row.summary.replace(/\.$/, ''),
    ...(row.description ? { description: row.description } : {}),
    parameters: [
      ...pathNames(row.path).map(name => parameter(name, 'path', true, row.params?.[name])),
      ...listed('query', row.query),
      ...listed('header', row.headers),
      // A row may say more of one of these; ACP has dates of its own.
      ...shared
        .filter(name => !own.includes(name))
        .map(name => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(row.body ? { requestBody: requestBody(row, schemas) } : {}),
    responses: { ...refusals.of(row), ...answersOf(row, schemas) },
  }
}

function requestBody({ body, examples }: SiteOperation, schemas: Schemas): Node {
  const shown = Object.entries(examples).filter(
    ([, one]) => one.body !== undefined && one.status < 400,
  )
  const named = shown.map(([name, { summary, body: value }]) => [name, { summary, value }])
  const media = {
    schema: schemas.refer(body),
    ...(named.length > 0 ? { examples: Object.fromEntries(named) } : {}),
  }
  return { required: true, content: { 'application/json': media } }
}

function answersOf(row: SiteOperation, schemas: Schemas): Node {
  const headers = siteHeaderRefs([
    ...everySiteHeader,
    ...(row.method === 'POST' ? (['Idempotency-Key'] as const) : []),
  ])
  const media = (content: SiteAnswer['content']) =>
    Object.fromEntries(
      Object.entries(content).map(([type, { schema, example }]) => [
        type,
        { schema: schemas.refer(schema), ...(example === undefined ? {} : { example }) },
      ]),
    )
  return Object.fromEntries(
    row.answers.map(({ status, description, content }) => [
      String(status),
      { description, headers, content: media(content) },
    ]),
  )
}
