// The IDs that the sandbox has returned in this tab. These IDs replace the examples' IDs, so
// readers can try one operation after another without copying anything.

/** IDs by prefix, newest last. */
export type Ids = Readonly<Record<string, readonly string[]>>

const shape = /^([a-z]+_)[0-7][0-9a-hjkmnp-tv-z]{25}$/
const keptMax = 4

/**
 * Adds the ID of a response's resource, and the IDs of a list's items. Deleted resources are
 * forgotten, and a reset forgets everything.
 */
export function withIdsOf(known: Ids, answer: unknown): Ids {
  if (memberOf(answer, 'reset') === true) return {}
  const data = memberOf(answer, 'data')
  const ids = new Map(Object.entries(known))
  for (const one of [answer, ...(Array.isArray(data) ? data : [])]) {
    const id = memberOf(one, 'id')
    const prefix = typeof id === 'string' ? shape.exec(id)?.[1] : undefined
    if (typeof id !== 'string' || prefix === undefined) continue
    const others = (ids.get(prefix) ?? []).filter(other => other !== id)
    const kept = memberOf(one, 'deleted') === true ? others : [...others, id]
    ids.set(prefix, kept.slice(-keptMax))
  }
  return Object.fromEntries(ids)
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined

/**
 * An example with the reader's own IDs: the newest IDs of each kind, as many as the example has.
 */
export function withYourIds(example: string, ids: Ids): string {
  const anyId = /"([a-z]+_)[0-7][0-9a-hjkmnp-tv-z]{25}"/g
  const written = [...new Set([...example.matchAll(anyId)].map(([text]) => text))]
  const places = new Map<string, string[]>()
  for (const text of written) {
    const prefix = text.slice(1, text.indexOf('_') + 1)
    places.set(prefix, [...(places.get(prefix) ?? []), text])
  }
  let result = example
  for (const [prefix, texts] of places) {
    const yours = (ids[prefix] ?? []).slice(-texts.length)
    if (yours.length < texts.length) continue
    texts.forEach((text, at) => (result = result.replaceAll(text, `"${yours[at]}"`)))
  }
  return result
}

export const newest = (ids: Ids, prefix: string): string => ids[prefix]?.at(-1) ?? ''
