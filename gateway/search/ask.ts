import { Memory } from '#database/memory.ts'
import {
  loadRanking,
  loadRankingInSteps,
  type RankedLink,
  type Ranking,
  termsOf,
} from '#content/rank.ts'

export type BookingLink = RankedLink

/** Ranked links for a question; equal questions are given the very same array. */
export type Ask = (query: string, options: { readonly limit: number }) => readonly BookingLink[]

/** A few hundred bytes each for most questions; the whole memory stays within a few megabytes. */
const cachedMax = 1024

export function loadAsk(searchJson: string): Ask {
  return askOver(loadRanking(searchJson))
}

/** For a gateway that is answering: it goes on doing so between the steps. */
export async function loadAskInSteps(searchJson: string): Promise<Ask> {
  return askOver(await loadRankingInSteps(searchJson))
}

function askOver(rank: Ranking): Ask {
  const remembered = new Memory<string, readonly BookingLink[]>(cachedMax)

  return (query, { limit }) => {
    const terms = termsOf(query)
    const key = `${limit} ${terms.join(' ')}`
    const before = remembered.get(key)
    if (before !== undefined) return before
    const links = rank(terms, limit)
    remembered.set(key, links)
    return links
  }
}
