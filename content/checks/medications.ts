import { type Entry, valueOf } from '../entry.ts'
import { partsOf } from './blocks.ts'
import { type Finding, place } from '../finding.ts'

/** Brand names of medications that telehealth patients ask for most. */
const names =
  'Addyi Adderall Botox Cialis Contrave Lexapro Levitra Mounjaro Ozempic Propecia Prozac Qsymia Retin-A ' +
  'Rogaine Rybelsus Saxenda Trulicity Valtrex Viagra Victoza Vyvanse Wegovy Xanax Zepbound Zoloft'
const made = new RegExp(`\\b(${names.split(' ').join('|')})\\b`, 'g')

/** Requires a source for a brand name. */
export function checkMedications(entry: Entry): Finding[] {
  const sources = valueOf(entry, 'sources')
  const isSourced = Array.isArray(sources) && sources.length > 0
  const named = isSourced
    ? []
    : partsOf(entry)
        .filter(({ kind }) => kind === 'text')
        .flatMap(part =>
          [...part.text.matchAll(/^.*$/gm)]
            .filter(([line]) => !line.includes('](https://'))
            .flatMap(line =>
              [...line[0].matchAll(made)].map(hit => ({
                path: entry.path,
                ...part.place(line.index + hit.index),
                rule: 'C-medication',
                message: `the brand name ${hit[0]} needs a source`,
                fix: "use the generic name, or link to the maker's or the FDA's page",
              })),
            ),
        )
  return [...named, ...checkNotice(entry), ...checkDirections(entry)]
}

/**
 * Reports a dose or directions on a sales page, because doses and directions belong in a
 * prescription.
 */
function checkDirections(entry: Entry): Finding[] {
  if (!/^content\/(home\.yaml|pages\/)/.test(entry.path)) return []
  const said =
    /\b(?:default_)?directions"|\b(?:inject|inhale|take|apply) \d[\d.]* ?(?:mg|mcg|mL|puffs?|tablets?|capsules?)\b/gi
  return [...entry.source.matchAll(said)].map(hit => ({
    path: entry.path,
    ...place(entry.source, hit.index, 1),
    rule: 'C-directions',
    message: "a sales page must not show a medication's dose or directions",
    fix: 'shorten the sample, or link to the guide that has it',
  }))
}

/** Reports a compounded drug named only in the frontmatter, because only the text adds the
 *  notice. */
function checkNotice(entry: Entry): Finding[] {
  const word = /\bcompounded\b/i
  const hit = word.exec(entry.source)
  if (hit === null || word.test(entry.body)) return []
  return [
    {
      path: entry.path,
      ...place(entry.source, hit.index, 1),
      rule: 'C-compounded',
      message: '“compounded” must not appear where no notice is shown',
      fix: "put it in a page's text, which then shows the notice about compounded drugs",
    },
  ]
}
