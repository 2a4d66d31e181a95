// Guides and the contract as protocol resources.
import type { GuideSummary } from '#contract/content.ts'
import { openapiYaml } from '#contract/derive/yaml.ts'
import { didYouMean } from '#contract/messages/did-you-mean.ts'
import type { Resource, ResourceRead } from '../protocol/source.ts'
import { type Json, namesOf, partOf } from './contract-part.ts'
import { anchorsIn, sectionOf } from './guide-part.ts'
import { contractUri, guideUri } from './places.ts'
import type { Skills } from './skills.ts'

export type Contract = {
  /** Never modified. */
  readonly document: Json
  yaml(): string
}

const resourceTemplates = [
  {
    uriTemplate: guideUri('{slug}'),
    name: 'guide',
    title: 'A guide',
    description: 'One guide as Markdown. resources/list has every slug.',
    mimeType: 'text/markdown',
  },
] as const

export type Resources = {
  list(): readonly Resource[]
  readonly templates: typeof resourceTemplates
  /** If the resource doesn't exist, the message names the nearest resource. */
  read(uri: string): ResourceRead
}

type ResourceParts = {
  readonly guides: readonly GuideSummary[]
  readonly contract: Contract
  /** URIs of the contract parts that the search finds. */
  readonly parts: readonly string[]
  readonly read: (path: string) => string | undefined
  readonly skills: Skills
}

/** The pages that new users and refused callers need. */
const first = new Set(['quickstart', 'errors'])
const audience = ['assistant', 'user'] as const
const markdown = 'text/markdown'
const yaml = 'application/yaml'

export function openResources(given: ResourceParts): Resources {
  const { guides, contract, parts, read, skills } = given
  const texts = new Map(
    guides.map(guide => [guideUri(guide.slug), read(new URL(guide.markdown_url).pathname) ?? '']),
  )
  let listed: readonly Resource[] | undefined
  const answer = (uri: string, mimeType: string, text: string): ResourceRead => ({
    contents: [{ uri, mimeType, text }],
  })
  return {
    // Computed on first use, because writing the contract as YAML takes 25 ms.
    list: () => (listed ??= [...guides.map(guideOf), contractOf(contract), ...skills.resources]),
    templates: resourceTemplates,
    read(uri) {
      const skill = skills.read(uri)
      if (skill !== undefined) return skill
      const guide = texts.get(uri)
      if (guide !== undefined) return answer(uri, markdown, guide)
      const section = sectionAt(texts, uri)
      if (typeof section === 'string') return answer(uri, markdown, section)
      if (section !== undefined) return { contents: null, message: unknown(uri, section) }
      if (uri === contractUri) return answer(uri, yaml, contract.yaml())
      const part = partAt(contract, uri)
      if (part !== undefined) return answer(uri, yaml, openapiYaml(JSON.stringify(part)))
      return { contents: null, message: unknown(uri, [...texts.keys(), contractUri, ...parts]) }
    },
  }

  function guideOf({ slug, title, description, updated }: GuideSummary): Resource {
    const uri = guideUri(slug)
    return {
      uri,
      name: slug,
      title,
      description,
      mimeType: markdown,
      size: Buffer.byteLength(texts.get(uri) ?? ''),
      annotations: {
        audience,
        priority: first.has(slug) ? 0.9 : 0.5,
        lastModified: `${updated}T00:00:00Z`,
      },
    }
  }
}

const contractOf = (contract: Contract): Resource => ({
  uri: contractUri,
  name: 'v1.yaml',
  title: 'The contract of the clinical API',
  description: 'OpenAPI 3.1, large. docs_search returns the URI of one operation, schema or error.',
  mimeType: yaml,
  size: Buffer.byteLength(contract.yaml()),
  annotations: { audience, priority: 0.5 },
})

/** The text of a guide's section, or the guide's section URIs if it has no section with that name.
 *  Undefined for any other URI. */
function sectionAt(
  guides: ReadonlyMap<string, string>,
  uri: string,
): string | string[] | undefined {
  const at = uri.indexOf('#')
  const [address, anchor] = [uri.slice(0, at), decoded(uri.slice(at + 1))]
  const guide = at < 0 ? undefined : guides.get(address)
  return guide && (sectionOf(guide, anchor) ?? anchorsIn(guide).map(each => `${address}#${each}`))
}

function partAt({ document }: Contract, uri: string): Json | undefined {
  const start = `${contractUri}#`
  const names = uri.startsWith(start) ? namesOf(decoded(uri.slice(start.length))) : undefined
  return names && partOf(document, names)
}

/** Decodes percent-encoded ASCII. `decodeURIComponent` would throw on invalid input. */
const decoded = (fragment: string) =>
  fragment.replace(/%([2-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )

/** Repeats the text in a message only if it looks like a URI. */
const shown = (uri: string) => (/^[\w:/#~.%{}-]{1,150}$/.test(uri) ? `'${uri}'` : 'at this address')

function unknown(uri: string, known: readonly string[]): string {
  const docs = guideUri('')
  const isGuide = uri.startsWith(docs)
  const near = didYouMean(
    isGuide ? uri.slice(docs.length) : uri,
    known
      .filter(each => !isGuide || each.startsWith(docs))
      .map(each => (isGuide ? each.slice(docs.length) : each)),
  )
  const what = isGuide ? `No guide ${shown(uri.slice(docs.length))}.` : `No resource ${shown(uri)}.`
  return `${what} ${near === undefined ? 'resources/list has them all.' : `Did you mean '${near}'?`}`
}
