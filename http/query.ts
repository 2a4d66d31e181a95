import { Problem } from '#contract/problems.ts'
import type { HttpRequest } from './http-request.ts'

/**
 * Reads a request's parameters. Throws for repeated and unknown parameters: a response that ignored
 * a misspelled parameter would answer a different query.
 */
export function readQuery<Name extends string>(
  { url }: Pick<HttpRequest, 'url'>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const read: Partial<Record<Name, string>> = {}
  for (const [name, value] of url.searchParams) {
    const parameter = names.find(one => one === name)
    if (parameter === undefined) throw unknown(name, names)
    if (read[parameter] !== undefined) {
      throw new Problem('invalid_request', {
        detail: `${parameter} must appear only once.`,
        hint: `Send ${parameter} once.`,
      })
    }
    read[parameter] = value
  }
  return read
}

const shownMax = 40

function unknown(name: string, names: readonly string[]) {
  const shown = name.slice(0, shownMax).replaceAll(/[^\x20-\x7e]/g, '?')
  const meant = names.find(one => isNear(name.toLowerCase(), one))
  return new Problem('invalid_request', {
    detail: `${JSON.stringify(shown)} must not be present: this path has no such parameter.`,
    hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}This path accepts ${names.join(' and ')}.`,
  })
}

/** Whether one name is a prefix of the other, or they differ by one replaced, missing or extra
 *  letter. */
function isNear(one: string, other: string): boolean {
  if (one.length > 2 && (other.startsWith(one) || one.startsWith(other))) return true
  let same = 0
  while (same < other.length && one[same] === other[same]) same++
  const rest = (text: string, skipped: number) => text.slice(same + skipped)
  return (
    rest(one, 1) === rest(other, 1) ||
    rest(one, 0) === rest(other, 1) ||
    rest(one, 1) === rest(other, 0)
  )
}
