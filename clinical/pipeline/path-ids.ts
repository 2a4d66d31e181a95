// The hint for a path that holds an id of another kind, or none. It follows from the id's form
// alone, so it tells nothing of what exists.
import { table, type OperationId } from '#contract/api.ts'
import { nounOf } from '#contract/derive/names.ts'
import { isId, type Noun, prefixes } from '#contract/ids.ts'

const nouns = new Map(Object.entries(prefixes).map(([noun, prefix]) => [prefix as string, noun]))
const named = (noun: string) => `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun.replaceAll('_', ' ')}`

/** What to do about the first id of the path that cannot be one, or null where each can. */
export function wrongIdHint(
  operation: OperationId,
  names: Readonly<Record<string, string>>,
): string | null {
  const { path } = table[operation]
  for (const [name, value] of Object.entries(names)) {
    const wanted: Noun = nounOf(path, name)
    const prefix = prefixes[wanted]
    if (isId(prefix, value)) continue
    const form = `${prefix}_ and 26 lowercase letters and digits`
    const given = nouns.get(value.split('_', 1)[0] ?? '')
    return given === undefined || given === wanted
      ? `The id of ${named(wanted)} is ${form}. Check yours for missing or extra characters.`
      : `This path takes ${named(wanted)} id; you sent ${named(given)} id.`
  }
  return null
}
