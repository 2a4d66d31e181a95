import type { Finding } from './finding.ts'

/**
 * At how many places an editor may say that a rule does not hold. It rises in a commit of its own,
 * which an owner approves; it is lowered when one is mended.
 */
const excusedMax = 0

/** Every place beyond that number, each by its line. */
export function checkExcused(
  excused: ReadonlyMap<string, ReadonlyMap<number, unknown>>,
): Finding[] {
  const places = [...excused].flatMap(([path, lines]) =>
    [...lines.keys()].map(below => ({ path, line: below - 1 })),
  )
  return places.slice(excusedMax).map(({ path, line }) => ({
    path,
    line,
    column: 1,
    rule: 'F-excused',
    message: `excuse ${places.length} of ${excusedMax} that are allowed`,
    fix: 'mend what it excuses, or have an owner raise excusedMax in content/checks/excused.ts',
  }))
}
