import { join } from 'node:path'
import type { Finding } from './checks/finding.ts'

/** What a rule would have an editor type, where that can be known from the line alone. */
const mechanical: Readonly<Record<string, (line: string, finding: Finding) => string>> = {
  'F-slug': (_, { fix }) => fix.replace(/^write /, ''),
  'P-heading-stop': line => line.replace(/\.\s*$/, ''),
  'S-language': line => `${line.trimEnd()}text`,
  'K-http': line => line.replaceAll('](http://', '](https://'),
}

/** Mends what can be mended without a thought, and answers with what is left for a person. */
export async function fixAll(root: string, found: Finding[]): Promise<Finding[]> {
  const can = found.filter(({ rule }) => mechanical[rule] !== undefined)
  for (const path of new Set(can.map(finding => finding.path))) {
    const file = Bun.file(join(root, path))
    const lines = (await file.text()).split('\n')
    for (const finding of can.filter(each => each.path === path)) {
      const mend = mechanical[finding.rule]
      const line = lines[finding.line - 1]
      if (mend !== undefined && line !== undefined) lines[finding.line - 1] = mend(line, finding)
    }
    await Bun.write(file, lines.join('\n'))
  }
  return found.filter(finding => !can.includes(finding))
}
