import type { Entry } from '../entry.ts'
import { partsOf } from './blocks.ts'
import type { Finding } from '../finding.ts'

// A guide's code runs in a test (`e2e/guides.spec.ts`): first each program is written into its
// named file, then each `sh` block runs in order in one shell.

const programs: Readonly<Record<string, RegExp>> = {
  ts: /^\/\/ [\w-]+\.ts$/,
  python: /^# [\w-]+\.py$/,
}
const shown = new Set(['json', 'http', 'text'])
/** `svc` commands, which the command line's tests run (`clients/cli/guide.suite.ts`). */
const ofCommandLine = 'bash'
const known = new Set([...Object.keys(programs), ...shown, ofCommandLine, 'sh', ''])

/** Reports guide code that the test wouldn't run. */
export function checkRunning(entry: Entry): Finding[] {
  let last: 'none' | 'typed' | 'answered' = 'none'
  return partsOf(entry)
    .filter(({ kind }) => kind === 'code')
    .flatMap(({ language, line, text }) => {
      const found = (below: number, message: string, fix: string): Finding[] => [
        { path: entry.path, line: line + below, column: 1, rule: 'S-run', message, fix },
      ]
      if (!known.has(language)) {
        return found(
          0,
          `a code block must be sh, ts, python, a response, or bash with svc, not ${language}`,
          'write it as sh, ts or python',
        )
      }
      const first = text.split('\n')[1] ?? ''
      const name = programs[language]
      if (name !== undefined && !name.test(first)) {
        const begin = language === 'ts' ? '// its-name.ts' : '# its-name.py'
        return found(1, 'a program’s first line must name its file', `begin it with ${begin}`)
      }
      if (language === 'sh') last = 'typed'
      if (!shown.has(language)) return []
      const before = last
      if (before === 'typed') last = 'answered'
      if (before !== 'answered') return []
      return found(0, 'a request must have one response', 'show one after the request’s sh block')
    })
}
