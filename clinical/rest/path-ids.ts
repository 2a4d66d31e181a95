// The hint for a path with another resource type's ID, or a malformed ID. It depends only on the
// ID's format, so it doesn't disclose which IDs exist.
import { nounOf } from '#contract/derive/names.ts'
import { idForm, isId, type Noun, prefixes } from '#contract/ids.ts'

const nouns = new Map(Object.entries(prefixes).map(([noun, prefix]) => [prefix as string, noun]))
const named = (noun: string) => `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun.replaceAll('_', ' ')}`

/** Returns the hint for the path's first ID with a wrong format; null if all formats are right.
 *  `path` is the template. */
export function wrongIdHint(path: string, names: Readonly<Record<string, string>>): string | null {
  for (const [name, value] of Object.entries(names)) {
    const wanted: Noun = nounOf(path, name)
    const prefix = prefixes[wanted]
    if (isId(prefix, value)) continue
    const given = nouns.get(value.split('_', 1)[0] ?? '')
    return given === undefined || given === wanted
      ? `The ID of ${named(wanted)} is ${idForm(prefix)}. Check yours for missing or extra characters.`
      : `This path takes ${named(wanted)} ID; you sent ${named(given)} ID.`
  }
  return null
}
