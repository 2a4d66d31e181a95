import { type Entry, valueOf } from '../entry.ts'
import { partsOf } from './blocks.ts'
import { type Finding, place } from '../finding.ts'

/** Brand names of medications that telehealth patients ask for most. */
const names =
  'Addyi Adderall Botox Cialis Contrave Lexapro Levitra Mounjaro Ozempic Propecia Prozac Qsymia Retin-A ' +
  'Rogaine Rybelsus Saxenda Trulicity Valtrex Viagra Victoza Vyvanse Wegovy Xanax Zepbound Zoloft'
const made = new RegExp(`\\b(${names.split(' ').join('|')})\\b`, 'g')

/** A brand name needs a source. */
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
                message: `the brand name ${hit[0]} must have a source`,
                fix: 'name the substance, or link the page of its maker or of the FDA',
              })),
            ),
        )
  return [...named, ...checkNotice(entry), ...checkDirections(entry)]
}

/** A page that sells names no dose and no directions: those are for a prescription. */
function checkDirections(entry: Entry): Finding[] {
  if (!/^content\/(home\.yaml|pages\/)/.test(entry.path)) return []
  const said =
    /\b(?:default_)?directions"|\b(?:inject|inhale|take|apply) \d[\d.]* ?(?:mg|mcg|mL|puffs?|tablets?|capsules?)\b/gi
  return [...entry.source.matchAll(said)].map(hit => ({
    path: entry.path,
    ...place(entry.source, hit.index, 1),
    rule: 'C-directions',
    message: 'a page that sells must not show the directions or the dose of a medication',
    fix: 'shorten the sample, or link the guide that has it',
  }))
}

/** Words in the text trigger the notice about compounded drugs; words in the frontmatter don't. */
function checkNotice(entry: Entry): Finding[] {
  const word = /\bcompounded\b/i
  const hit = word.exec(entry.source)
  if (hit === null || word.test(entry.body)) return []
  return [
    {
      path: entry.path,
      ...place(entry.source, hit.index, 1),
      rule: 'C-compounded',
      message: 'compounded must not be written where no notice is shown',
      fix: 'write it in the text of a page, which then shows that such drugs are not FDA-approved',
    },
  ]
}
