import { inspect } from '#content/checks/check.ts'
import type { Finding } from '#content/finding.ts'

/** Whether a file can't be rendered or would lose a link. Other findings appear next to the
 *  page. */
export const isBlocking = ({ rule, level }: Pick<Finding, 'rule' | 'level'>) =>
  level !== 'warning' && /^[FK]-(?!renamed|owners|future|stale)/.test(rule)

/** The files for which `npm run site` keeps showing the last good version. */
export async function blockedFiles(root: string): Promise<Set<string>> {
  return new Set((await inspect(root)).filter(isBlocking).map(({ path }) => path))
}
