// Whose id somebody put into a path where the id of something else belongs. It says what the form
// of an id shows to anybody, and nothing of what exists.
import { table, type OperationId } from '#contract/api.ts'
import { nounOf } from '#contract/derive/names.ts'
import { isId, type Noun, prefixes } from '#contract/ids.ts'

const nouns = new Map(Object.entries(prefixes).map(([noun, prefix]) => [prefix as string, noun]))
const named = (noun: string) => `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun.replaceAll('_', ' ')}`

/** What to do about the first id of the path that cannot be one, or null where each can. */
export function strangeId(
  operation: OperationId,
  names: Readonly<Record<string, string>>,
): string | null {
  const { path } = table[operation]
  for (const [name, value] of Object.entries(names)) {
    const wanted: Noun = nounOf(path, name)
    const prefix = prefixes[wanted]
    if (isId(prefix, value)) continue
    const form = `${prefix}_ and 26 letters and digits`
    const given = nouns.get(value.split('_', 1)[0] ?? '')
    return given === undefined || given === wanted
      ? `The id of ${named(wanted)} is ${form}. Look for what was cut off or added.`
      : `The path wants the id of ${named(wanted)}, ${form}. It holds that of ${named(given)}.`
  }
  return null
}
