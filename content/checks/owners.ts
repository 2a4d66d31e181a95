import { join } from 'node:path'
import config from '../site.config.ts'
import { type Entry, valueOf } from '../entry.ts'
import { type Content, readContent } from '../read.ts'
import type { Finding } from '../finding.ts'

export const ownersPath = '.github/CODEOWNERS'

type Owner = keyof typeof config.owners

/** Each path's reviewers. */
const byPath: readonly (readonly [path: string, ...owners: Owner[]])[] = [
  ['/content/', 'editors'],
  ['/content/checks/excused.ts', 'editors', 'counsel'],
  ['/content/consent.json', 'counsel'],
  ['/content/agreement/', 'counsel', 'security'],
  ['/content/legal/', 'counsel', 'security'],
  ['/content/pages/privacy.md', 'counsel', 'security'],
  ['/content/pages/terms.md', 'counsel', 'security'],
  ['/content/pages/security.md', 'security'],
  ['/content/pages/pricing.md', 'finance'],
  ['/content/pricing.json', 'finance'],
]

const byClass: readonly (readonly [letter: string, owner: Owner])[] = [
  ['C', 'clinicians'],
  ['L', 'counsel'],
]

/** An article's reviewers by class, besides the editors. */
function readersOf(entry: Entry): Owner[] {
  const letters = valueOf(entry, 'class')
  return byClass.flatMap(([letter, owner]) =>
    Array.isArray(letters) && letters.includes(letter) ? [owner] : [],
  )
}

/** The people responsible for a page. */
export const ownersOf = (entry: Entry): Owner[] => {
  const readers = readersOf(entry)
  return readers.length === 0 ? ['editors'] : readers
}

/**
 * The CODEOWNERS file, which assigns reviewers on a code host. The file is generated from the
 * articles' classes, and the last line that matches a path applies.
 */
export function ownersFile({ articles }: Content): string {
  const classed = articles.flatMap(entry => {
    const owners = readersOf(entry)
    return owners.length === 0 ? [] : [[`/${entry.path}`, ...owners] as const]
  })
  const lines = [...byPath, ...classed].map(([path, ...owners]) =>
    [path, ...owners.map(owner => config.owners[owner])].join(' '),
  )
  return [
    "# Who reviews a change before it's merged. `npm run check -- content --fix` writes this file from the",
    '# classes of the articles and from content/site.config.ts.',
    ...lines,
    '',
  ].join('\n')
}

export async function checkOwners(root: string, content: Content): Promise<Finding[]> {
  const file = Bun.file(join(root, ownersPath))
  // The file is optional.
  if (!(await file.exists())) return []
  const [have, want] = [await file.text(), ownersFile(content)]
  if (have === want) return []
  const lines = want.split('\n')
  const at = have.split('\n').findIndex((line, index) => line !== lines[index])
  const message = `it must have the line “${lines[Math.max(0, at)] ?? ''}”`
  const fix = 'npm run check -- content --fix writes it'
  return [
    { path: ownersPath, line: Math.max(0, at) + 1, column: 1, rule: 'F-owners', message, fix },
  ]
}

/** Updates CODEOWNERS, if the file exists. */
export async function writeOwners(root: string): Promise<void> {
  const file = Bun.file(join(root, ownersPath))
  if (await file.exists()) await file.write(ownersFile(await readContent(join(root, 'content'))))
}
