import { Memory } from '#database/memory.ts'
import {
  loadRanking,
  loadRankingInSteps,
  type RankedLink,
  type Ranking,
  termsOf,
} from '#content/rank.ts'

export type BookingLink = RankedLink

/** Ranked links for a question; equal questions get the same array instance. */
export type Ask = (query: string, options: { readonly limit: number }) => readonly BookingLink[]

/** Bounds the memory to a few megabytes: most entries have a few hundred bytes. */
const cachedMax = 1024

export function loadAsk(searchJson: string): Ask {
  return askOver(loadRanking(searchJson))
}

/** Loads in steps, so that a running gateway can answer requests in between. */
export async function loadAskInSteps(searchJson: string): Promise<Ask> {
  return askOver(await loadRankingInSteps(searchJson))
}

function askOver(rank: Ranking): Ask {
  const cache = new Memory<string, readonly BookingLink[]>(cachedMax)

  return (query, { limit }) => {
    const terms = termsOf(query)
    const key = `${limit} ${terms.join(' ')}`
    const hit = cache.get(key)
    if (hit !== undefined) return hit
    const links = rank(terms, limit)
    cache.set(key, links)
    return links
  }
}
