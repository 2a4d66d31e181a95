import { type Entry, valueOf } from '../read.ts'
import { partsOf } from './blocks.ts'
import { type Finding, place } from './finding.ts'

/** Makers' names of medications that telehealth programmes are asked for most. */
const names =
  'Addyi Adderall Botox Cialis Contrave Lexapro Levitra Mounjaro Ozempic Propecia Prozac Qsymia Retin-A ' +
  'Rogaine Rybelsus Saxenda Trulicity Valtrex Viagra Victoza Vyvanse Wegovy Xanax Zepbound Zoloft'
const made = new RegExp(`\\b(${names.split(' ').join('|')})\\b`, 'g')

/** A maker's name says more than its substance, so readers are led to who says it. */
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
                message: `${hit[0]} is a maker's name, and nobody is quoted for it`,
                fix: 'name the substance, or link where its maker or the FDA says this',
              })),
            ),
        )
  return [...named, ...unnoticed(entry)]
}

/** The notice about compounded drugs follows from the text; words beside it bring none. */
function unnoticed(entry: Entry): Finding[] {
  const word = /\bcompounded\b/i
  const hit = word.exec(entry.source)
  if (hit === null || word.test(entry.body)) return []
  return [
    {
      path: entry.path,
      ...place(entry.source, hit.index, 1),
      rule: 'C-compounded',
      message: 'compounded stands where no notice about it is shown',
      fix: 'say it in the text of a page, which then shows that such drugs are not FDA-approved',
    },
  ]
}
