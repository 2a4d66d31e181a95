import { topicTerm } from './question.ts'
import { termsIn } from './terms.ts'

type NamedGuide = { slug: string; nav: string }

/** A name and each of its words. */
const namesIn = (words: string) => {
  const terms = termsIn(words)
  return [topicTerm(terms), ...terms.map(term => topicTerm([term]))]
}

/**
 * Each guide's topics: its name in the sidebar, its URL, and their words. A topic belongs to one
 * guide; a word in a URL comes before a word in a name.
 */
export function topicsOf<Guide extends NamedGuide>(guides: readonly Guide[]): Map<Guide, string[]> {
  const owners = new Map<string, Guide>()
  for (const from of ['slug', 'nav'] as const)
    for (const guide of guides)
      for (const topic of namesIn(guide[from])) if (!owners.has(topic)) owners.set(topic, guide)
  const topics = [...owners.keys()]
  return new Map(
    guides.map(guide => [guide, topics.filter(topic => owners.get(topic) === guide).sort()]),
  )
}
