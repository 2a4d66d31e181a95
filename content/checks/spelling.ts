import config from '../site.config.ts'
import type { Entry } from '../entry.ts'
import { partsOf } from './blocks.ts'
import type { Finding } from '../finding.ts'

type Spelling = readonly [wrong: RegExp, right: string | ((hit: RegExpExecArray) => string)]

const spellings: readonly Spelling[] = [
  [/\bHIPPA\b/gi, 'HIPAA'],
  [/\b(?:Javascript|java script|Java Script)\b/g, 'JavaScript'],
  [/\b(?:Typescript|type script|Type Script)\b/g, 'TypeScript'],
  [/\bGit[Hh]ub\b(?<!GitHub)/g, 'GitHub'],
  [/\bPost(?:gresql|greSql|GreSQL|gresSQL)\b/g, 'PostgreSQL'],
  [/\bOpen[- ]?A(?:PI|pi)\b(?<!OpenAPI)/g, 'OpenAPI'],
  [/\bweb[- ]hook(?=s?\b)/g, 'webhook'],
  [/\btele[- ]health\b/g, 'telehealth'],
  [
    /\b(\d{1,2}) (January|February|March|April|May|June|July|August|September|October|November|December)\b( \d{4}\b)?/g,
    ([, day, month, year]) => `${month} ${day}${year === undefined ? '' : `,${year}`}`,
  ],
  ...ourName(config.name),
]

/** The company name without spaces, hyphenated or in capitals. */
function ourName(name: string): Spelling[] {
  const words = name.split(' ')
  if (words.length === 1) return []
  const wrong = [words.join(''), words.join('-'), name.toUpperCase()].map(each =>
    RegExp.escape(each),
  )
  return [[new RegExp(`(?<![\\w.@/-])(?:${wrong.join('|')})(?![\\w.@/-])`, 'g'), '{brand}']]
}

/** Checks the spelling of product names in running text. */
export function checkSpelling(entry: Entry): Finding[] {
  return partsOf(entry)
    .filter(({ kind }) => kind === 'text')
    .flatMap(part => {
      const text = part.text.replaceAll(/`[^`\n]*`|\]\([^)\s]*\)|https?:\S+/g, all =>
        ' '.repeat(all.length),
      )
      return spellings.flatMap(([wrong, replacement]) =>
        [...text.matchAll(wrong)].map(hit => {
          const right = typeof replacement === 'string' ? replacement : replacement(hit)
          const where = part.place(hit.index)
          const edit = { ...where, length: hit[0].length, text: right }
          const message = `“${hit[0]}” must be written ${right}`
          return {
            path: entry.path,
            ...where,
            rule: 'B-spelling',
            message,
            fix: `write ${right}`,
            edit,
          }
        }),
      )
    })
}
