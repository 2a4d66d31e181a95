// The guides and the contract for programs: a search over both, and each as a resource. The search
// and the resources use the files that the site serves, and the site's search.
import { emergencyNotice, soundsLikeEmergency } from '#content/ranking/emergency.ts'
import { termsOf } from '#content/ranking/question.ts'
import { boundedScore, type Ranking } from '#content/ranking/rank.ts'
import { sectionFinder } from '#content/ranking/sections.ts'
import type { GuideSummary } from '#contract/content.ts'
import type { DocKind } from '#contract/tools/docs-search.ts'
import { excerptOf } from './excerpt.ts'
import { type Place, placesOf } from './places.ts'
import type { Skills } from './skills.ts'
import { type Contract, openResources, type Resources } from './resources.ts'

type DocResult = {
  readonly kind: DocKind
  readonly title: string
  readonly uri: string
  /** The URL of the page for people. */
  readonly url: string
  readonly heading?: string
  readonly excerpt: string
  /** Relevance from 0 to 1. */
  readonly score: number
}

type DocResults = { readonly query: string; readonly results: readonly DocResult[] }

/** The blocks of a tool result other than the JSON. */
type DocBlock =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'resource_link'
      readonly uri: string
      readonly name: string
      readonly title: string
    }

export type Docs = Resources & {
  readonly skills: Skills
  search(query: string, kind?: DocKind, limit?: number): DocResults
  /** A link for each result, or the guides' titles if there is no result. */
  blocks(found: DocResults): readonly DocBlock[]
}

export type DocsParts = {
  /** The guides, in sidebar order. */
  readonly guides: readonly GuideSummary[]
  readonly contract: Contract
  /** The ranking over all of the site's pages. */
  readonly rank: Ranking
  /** Reads a file from the build, such as `/docs/webhooks.md`. */
  readonly read: (path: string) => string | undefined
  /** The pages' origin. */
  readonly site: string
  readonly skills: Skills
}

const resultsDefault = 5

export function openDocs({ guides, contract, rank, read, site, skills }: DocsParts): Docs {
  const places = placesOf(guides, contract.document)
  const names = new Map([...places.values()].map(({ uri, name }) => [uri, name]))
  const sectionAt = sectionFinder(read)
  type Link = ReturnType<Ranking>[number]
  const resultOf = (link: Link, { kind, uri }: Place): DocResult => {
    const section = kind === 'guide' ? sectionAt(link.url, link.found) : null
    // An operation or schema is described by its first sentence.
    const isDescribed = kind === 'operation' || kind === 'schema'
    const markdown = isDescribed ? undefined : read(`${link.url}.md`)
    const text = markdown && excerptOf(markdown, section?.heading, link.found)
    return {
      kind,
      title: link.title,
      uri,
      url: new URL(section?.url ?? link.url, site).href,
      ...(section === null ? {} : { heading: section.heading }),
      excerpt: text || link.description,
      score: boundedScore(link.score, 1),
    }
  }
  return {
    ...openResources({ guides, contract, parts: [...names.keys()], read, skills }),
    skills,
    search(query, kind, limit = resultsDefault) {
      const results: DocResult[] = []
      for (const link of rank(termsOf(query), Infinity)) {
        const place = places.get(link.url)
        if (place === undefined || (kind !== undefined && place.kind !== kind)) continue
        results.push(resultOf(link, place))
        if (results.length >= limit) break
      }
      return { query, results }
    },
    blocks({ query, results }) {
      if (soundsLikeEmergency(query)) return [{ type: 'text', text: emergencyNotice }]
      if (results.length > 0) {
        return results.map(({ uri, title }) => {
          return { type: 'resource_link', uri, name: names.get(uri) ?? uri, title }
        })
      }
      const titles = guides.map(({ title }) => title).join('; ')
      return [{ type: 'text', text: `Nothing matched. Guides: ${titles}.` }]
    },
  }
}
