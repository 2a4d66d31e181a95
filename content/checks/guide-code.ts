import type { Entry } from '../read.ts'
import { partsOf } from './blocks.ts'
import type { Finding } from './finding.ts'

// What a guide gives to type runs in every test of the house (`e2e/guides.spec.ts`): each `sh`
// block in order, in one shell, and before them each program, written into the file that it names.

const programs: Readonly<Record<string, RegExp>> = {
  ts: /^\/\/ [\w-]+\.ts$/,
  python: /^# [\w-]+\.py$/,
}
const shown = new Set(['json', 'http', 'text'])
const known = new Set([...Object.keys(programs), ...shown, 'sh', ''])

/** Code of a guide that nobody would run. */
export function checkRunning(entry: Entry): Finding[] {
  let last: 'none' | 'typed' | 'answered' = 'none'
  return partsOf(entry)
    .filter(({ kind }) => kind === 'code')
    .flatMap(({ language, line, text }) => {
      const found = (below: number, message: string, fix: string): Finding[] => [
        { path: entry.path, line: line + below, column: 1, rule: 'S-run', message, fix },
      ]
      if (!known.has(language)) {
        return found(0, `no test runs ${language}`, 'write it as sh, ts or python')
      }
      const first = text.split('\n')[1] ?? ''
      const name = programs[language]
      if (name !== undefined && !name.test(first)) {
        const begin = language === 'ts' ? '// its-name.ts' : '# its-name.py'
        return found(1, 'a program that no test can find', `begin it with ${begin}`)
      }
      if (language === 'sh') last = 'typed'
      if (!shown.has(language)) return []
      const before = last
      if (before === 'typed') last = 'answered'
      if (before !== 'answered') return []
      return found(0, 'a second answer to one request', 'show one, after the sh block that asks')
    })
}
