import type { Finding } from '../finding.ts'

/**
 * The number of `lint-ok` comments that may disable a rule. An owner approves each increase;
 * removing a comment lowers it.
 */
const excusedMax = 0

/** Reports every comment beyond `excusedMax`. */
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
    message: `at most ${excusedMax} lint-ok comments are allowed, and there are ${places.length}`,
    fix: 'fix the error, or have an owner raise excusedMax in content/checks/excused.ts',
  }))
}
