// Questions that readers ask, each with the pages that answer it, and measures of a search on them.
// The questions were written from a reader's task, before their author read the pages or the
// ranking. The SHA-256 of a question decides its half. An odd first byte means
// `judged/held-out.tsv`, and only its totals are ever printed. An even first byte means
// `judged/development.tsv`, used to improve rankings and pages. That half also has the 118 tuned
// questions of an earlier set, whose author knew the pages' titles.
//
// `judged/independent.tsv` was written by someone who saw neither the ranking nor, at the time, a
// page. Don't read it or tune anything with it.
//
// `judged/earlier.tsv` is the other half of the earlier set. Leave that file unread as well; its
// totals were seen while the ranking was first chosen. `judged/off-topic.tsv` has questions that no
// page answers.
//
// A line has a role, the question, and the URLs that answer it, each with a grade: 2 answers, 1
// helps. An exclamation mark after the role marks an emergency.

export type Judgment = {
  role: string
  question: string
  isEmergency: boolean
  grades: ReadonlyMap<string, number>
}

export type ReaderMeasures = {
  questions: number
  /** The share of questions whose best link is a page that answers them. */
  first: number
  /** The share of questions with such a page among the first five links. */
  among_5: number
  /** nDCG of the first five, using the grades. */
  ndcg_at_5: number
  emergencies: number
  /** The share of emergencies whose first link is their page. */
  emergencies_first: number
}

/** Ignores pages that an editor has removed, and questions without a page. */
export function readJudged(text: string, isPage: (url: string) => boolean): Judgment[] {
  const lines = text.split('\n').filter(line => line !== '')
  return lines.flatMap(line => {
    const [role = '', question = '', answers = ''] = line.split('\t')
    const grades = answers.split(', ').map(each => {
      const [url = '', grade] = each.split(' ')
      return [url, Number(grade)] as const
    })
    const known = new Map(grades.filter(([url]) => isPage(url)))
    const isEmergency = role.endsWith('!')
    return known.size === 0
      ? []
      : [{ role: role.replace('!', ''), question, isEmergency, grades: known }]
  })
}

const depth = 5

export type Scored = Judgment & { place: number; ndcg: number }

/** The position of the first best-answering page, from 1; 0 if it isn't among the first five. */
export const scoreAll = (find: (question: string) => string[], judged: readonly Judgment[]) =>
  judged.map((each): Scored => {
    const found = find(each.question).slice(0, depth)
    const best = Math.max(...each.grades.values())
    const place = found.findIndex(url => each.grades.get(url) === best) + 1
    const gained = gain(found.map(url => each.grades.get(url) ?? 0))
    const most = gain([...each.grades.values()].toSorted((one, other) => other - one))
    return { ...each, place, ndcg: gained / most }
  })

const gain = (grades: readonly number[]) =>
  grades.slice(0, depth).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0)

export function measuresOf(scored: readonly Scored[]): ReaderMeasures {
  const count = Math.max(1, scored.length)
  const mean = (value: (each: Scored) => number) =>
    Math.round((scored.reduce((sum, each) => sum + value(each), 0) / count) * 1e3) / 1e3
  const urgent = scored.filter(({ isEmergency }) => isEmergency)
  return {
    questions: scored.length,
    first: mean(({ place }) => (place === 1 ? 1 : 0)),
    among_5: mean(({ place }) => (place > 0 ? 1 : 0)),
    ndcg_at_5: mean(({ ndcg }) => ndcg),
    emergencies: urgent.length,
    emergencies_first: urgent.filter(({ place }) => place === 1).length,
  }
}
