import { LRUCache } from 'lru-cache'
import { termsOf } from '#content/ranking/question.ts'
import { loadRanking, type RankedLink, type Ranking } from '#content/ranking/rank.ts'

export type BookingLink = RankedLink

/** Ranked links for a question; equal questions get the same array instance. */
export type Ask = (query: string, options: { readonly limit: number }) => readonly BookingLink[]

/** Most answers take a few hundred bytes, so the cache takes at most a few megabytes. */
const cachedMax = 1024

export function loadAsk(searchJson: string): Ask {
  return askOver(loadRanking(searchJson))
}

export function askOver(rank: Ranking): Ask {
  const cache = new LRUCache<string, readonly BookingLink[]>({ max: cachedMax })

  return (query, { limit }) => {
    const terms = termsOf(query)
    const key = `${limit} ${terms.join(' ')}`
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    const links = rank(terms, limit)
    cache.set(key, links)
    return links
  }
}
