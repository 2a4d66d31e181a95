// `svc explain`, `svc docs` and `svc open`.

import MiniSearch from 'minisearch'
import type { Family } from '../arguments.ts'
import type { Context } from '../context.ts'
import { openInBrowser } from '../browser.ts'
import { CommandError, usage } from '../errors.ts'
import { company } from '../contract.ts'
import { problems } from '../problems.ts'
import { guides } from '../offline.ts'
import { operations } from '../operations/operation.ts'
import { loggedRequest } from './logs.ts'
import { nearest } from '../nearest.ts'

/** The site for the configured API, so `svc open docs` opens a local platform's own pages. */
const siteOf = ({ settings }: Context) =>
  settings.baseUrl === company.api ? company.site : settings.baseUrl

const errorPage = (context: Context, code: string) =>
  `${siteOf(context)}/docs/errors#${encodeURIComponent(code)}`

async function explainCode(context: Context, code: string): Promise<void> {
  const { out } = context
  const found = problems.find(one => one.code === code)
  if (!found) {
    const other = nearest(
      code,
      problems.map(one => one.code),
    )
    throw new CommandError(
      'notFound',
      `unknown error code: ${code}`,
      other ? `Did you mean ${other}?` : 'See `svc docs errors` for all codes.',
    )
  }
  const all = await operations()
  const by = all.filter(({ refuses }) => refuses.includes(code)).map(({ words }) => words.join(' '))
  const { status, title, hint } = found
  const page = errorPage(context, code)
  if (out.format !== 'table') return out.print({ ...found, commands: by, page })
  const everywhere = by.length === all.length
  const where = everywhere ? 'every operation' : by.map(one => `svc ${one}`).join(', ')
  out.text(`${title} (${code}, ${status})\n\n${hint}\n\nReturned by ${where}.\n${page}\n`)
}

async function explain(context: Context, what: string): Promise<void> {
  if (!what.startsWith('req_')) return explainCode(context, what)
  await context.mode()
  const request = await loggedRequest(context, what)
  await context.out.print(request)
  const { code } = request as { code: string | null }
  if (code !== null && context.out.format === 'table') {
    context.out.text('\n')
    await explainCode(context, code)
  }
}

export const explainFamily: Family = (command, open) => {
  command
    .argument('<what>', 'error code or request ID')
    .addHelpText('after', '\nExample:\n  svc explain consent_required\n')
    .action((what: string) => explain(open(command), what))
}

const resultsMax = 8

async function search({ out }: Context, words: readonly string[]): Promise<void> {
  const index = new MiniSearch({
    idField: 'slug',
    fields: ['title', 'description', 'questions', 'body'],
    storeFields: ['slug', 'title', 'description'],
    searchOptions: {
      boost: { title: 4, questions: 3, description: 2 },
      prefix: true,
      fuzzy: 0.2,
    },
  })
  index.addAll((await guides()).map(one => ({ ...one, questions: one.questions.join(' ') })))
  const found = index.search(words.join(' ')).slice(0, resultsMax)
  if (found.length === 0) throw new CommandError('notFound', 'no guide matches')
  const rows = found.map(({ slug, title, description }) => ({ slug, title, description }) as object)
  await out.list(rows, ['slug', 'title'])
  out.say(`To read one: svc docs ${String((rows[0] as { slug: string }).slug)}`)
}

async function read({ out }: Context, slug: string | undefined): Promise<void> {
  const all = await guides()
  if (slug === undefined) {
    return out.list(
      all.map(({ slug, title }) => ({ slug, title })),
      ['slug', 'title'],
    )
  }
  const found = all.find(one => one.slug === slug)
  if (found) return out.text(`# ${found.title}\n\n${found.body.trim()}\n`)
  const other = nearest(
    slug,
    all.map(one => one.slug),
  )
  throw new CommandError(
    'notFound',
    `unknown guide: ${slug}`,
    other ? `Did you mean ${other}?` : 'Run `svc docs` to list all guides.',
  )
}

export const docsFamily: Family = (command, open) => {
  command
    .argument('[words...]', 'guide name, or: search <words>')
    .addHelpText('after', '\nExamples:\n  svc docs search missed events\n  svc docs webhooks\n')
    .action((words: readonly string[]) => {
      const [first, ...rest] = words
      const context = open(command)
      if (first !== 'search') return read(context, first)
      if (rest.length === 0) throw usage('enter words to search for')
      return search(context, rest)
    })
}

const pages: Readonly<Record<string, string>> = {
  docs: '/docs',
  api: '/docs/api',
  status: '/status',
  changelog: '/changelog',
}

async function open_(context: Context, what = 'docs'): Promise<void> {
  const code = what.startsWith('errors/') ? what.slice('errors/'.length) : undefined
  const path = pages[what]
  if (path === undefined && code === undefined) {
    throw usage(
      `unknown page: ${what}`,
      `Choose from ${Object.keys(pages).join(', ')}, errors/<code>.`,
    )
  }
  const url = code === undefined ? `${siteOf(context)}${path}` : errorPage(context, code)
  // Without an interactive terminal, prints the URL instead of opening it.
  if (!context.isInteractive || !(await openInBrowser(url))) context.out.text(`${url}\n`)
  else context.out.say(`Opened ${url}`)
}

export const openFamily: Family = (command, open) => {
  command
    .argument('[page]', `${Object.keys(pages).join(', ')}, or errors/<code>`)
    .addHelpText('after', '\nExample:\n  svc open errors/consent_required\n')
    .action((page: string | undefined) => open_(open(command), page))
}
