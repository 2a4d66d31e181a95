import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { SearchPage } from '#site/src/machine/search.ts'

/** Third-party documents, with questions and the documents that answer each question. */
type Collection = {
  name: string
  pages: SearchPage[]
  asked: { question: string; answers: ReadonlySet<string> }[]
}

const folder = path.join(import.meta.dir, '../../.data/collections')
const read = (name: string) => readFileSync(path.join(folder, name), 'latin1')

const pageOf = (url: string, title: string, text: string): SearchPage => ({
  url,
  title,
  description: '',
  questions: [],
  text,
})

/** The Cranfield aerodynamics abstracts: `cran.all.1400`, `cran.qry` and `cranqrel`. */
function cranfield(): Collection {
  const fieldsOf = (record: string) =>
    new Map(
      record
        .split(/^\.(?=[TABW]\s*$)/m)
        .map(part => [part.charAt(0), part.slice(1).trim()] as const),
    )
  const recordsOf = (name: string) =>
    read(name)
      .split(/^\.I +\d+\s*$/m)
      .slice(1)
      .map(fieldsOf)
  const answers = new Map<number, Set<string>>()
  for (const line of read('cranqrel').split('\n')) {
    const [query = 0, document = 0, code = 0] = line.trim().split(/\s+/).map(Number)
    if (code !== 0) answers.set(query, (answers.get(query) ?? new Set()).add(`/${document}`))
  }
  return {
    name: 'Cranfield',
    pages: recordsOf('cran.all.1400').map((fields, at) =>
      pageOf(`/${at + 1}`, fields.get('T') ?? '', fields.get('W') ?? ''),
    ),
    asked: recordsOf('cran.qry').map((fields, at) => ({
      question: fields.get('W') ?? '',
      answers: answers.get(at + 1) ?? new Set(),
    })),
  }
}

/** The Perl FAQ, `perlfaq1.pod` to `perlfaq9.pod`. Documents are the answers without their
 *  questions. */
function perlFaq(): Collection {
  const files = readdirSync(folder)
    .filter(name => /^perlfaq\d\.pod$/.test(name))
    .sort()
  const entries = files.flatMap(name =>
    read(name)
      .split(/^=head2 /m)
      .slice(1),
  )
  const parts = entries.map((entry, at) => {
    const [question = '', ...answer] = entry.split('\n')
    return { url: `/${at + 1}`, question, text: answer.join('\n').replace(/^=head1[\s\S]*/m, '') }
  })
  return {
    name: 'Perl FAQ',
    pages: parts.map(({ url, text }) => pageOf(url, '', text)),
    asked: parts.map(({ url, question }) => ({ question, answers: new Set([url]) })),
  }
}

/** Returns the collections whose files are in `.data/collections/`. bench/README.md lists their
 *  sources. */
export const collections = (): Collection[] => [
  ...(existsSync(path.join(folder, 'cranqrel')) ? [cranfield()] : []),
  ...(existsSync(path.join(folder, 'perlfaq1.pod')) ? [perlFaq()] : []),
]

/** nDCG of the first ten results with equal grades, for the questions that have an answer. */
export async function ndcgOf(
  { asked }: Collection,
  find: (question: string) => Promise<string[]> | string[],
): Promise<number> {
  const discount = (at: number) => 1 / Math.log2(at + 2)
  const answered = asked.filter(({ answers }) => answers.size > 0)
  let sum = 0
  for (const { question, answers } of answered) {
    const found = (await find(question)).slice(0, 10)
    const gained = found.map((url, at) => (answers.has(url) ? discount(at) : 0))
    const most = Array.from({ length: Math.min(10, answers.size) }, (_, at) => discount(at))
    const total = (all: number[]) => all.reduce((one, other) => one + other, 0)
    sum += total(gained) / total(most)
  }
  return sum / answered.length
}
