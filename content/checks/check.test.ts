import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { check, checkContent } from './check.ts'
import { print } from '../finding.ts'
import { parseMarkdown, parseYaml } from '../entry.ts'
import {
  content,
  contract,
  copy,
  foundInBody,
  findingsOf,
  heading,
} from '../testing/article-copies.ts'

const rules = (text: string) =>
  foundInBody(text).map(({ rule, level }) => `${rule} ${level ?? 'error'}`)

test('content: the repository has no error', async () => {
  expect((await check(join(import.meta.dir, '../..'))).map(print)).toEqual([])
})

test('content: five hundred error-free articles have no findings', () => {
  const many = Array.from({ length: 500 }, (_, at) => {
    const { slug, text } = copy(at)
    return parseMarkdown(`content/articles/${slug}.md`, text)
  })
  expect(findingsOf(many).flat().map(print)).toEqual([])
}, 60_000)

/** The findings for the home page with one text replaced. */
function foundAtHome(from: string, to: string): string[] {
  const { path, source } = content.home
  expect(source).toContain(from)
  const line = source.slice(0, source.indexOf(from)).split('\n').length
  const home = parseYaml(path, source.replace(from, to))
  const calendar = { today: undefined, committed: new Map() }
  return checkContent({ ...content, home }, contract, calendar)
    .filter(found => found.path === path)
    .map(found => `${found.rule} ${found.line - line}`)
}

test('a YAML page is checked like an article, with lines', () => {
  expect(foundAtHome('who: Engineers', 'whom: Engineers')).toEqual(['F-unknown-key 0'])
  expect(foundAtHome('Medical care', 'Seamless care')).toEqual(['P-word 0'])
})

test('a sales page must not show a medication’s directions', () => {
  expect(foundAtHome('"plan": null', '"directions": "None"')).toEqual(['C-directions 0'])
  expect(foundAtHome('Medical care', 'Inject 1 mg')).toEqual(['C-directions 0'])
})

describe('the checks report nothing', () => {
  test('in code for rules about prose', () => {
    expect(rules('```sh\n# [here](/nowhere) a seamless title\n```')).toEqual([])
  })

  test('for a link to an existing heading, or to /ask with a question', () => {
    const links =
      '[a](/blog/sandbox-before-live#the-clinician) [b](/ask?query=x) [c](#the-retry-schedule)'
    expect(rules(links)).toEqual([])
  })

  test('for names and paths from the contract, with ids, variables or braces', () => {
    const lines = [
      '`GET /v1/cases/{id}`, `GET /v1/cases/$CASE` and `GET /v1/cases?status=queued`',
      '`POST /v1/cases/case_01m7wqryk2hdshyqxcd9x2kd4r/answers`, with `cases:write`',
      '```json\n{\n  "patient": "pat_…",\n  "has_more": false\n}\n```',
      'The tools `get_pricing`, `create_patient` and `book_discovery_call`; `npm start`.',
      'A field of yours, `case_color`, and `list_price()` of your own.',
    ]
    const found = rules(lines.join('\n\n'))
    expect(found).toEqual(['S-tool warning'])
  })
})

test('a number in a text about care or law must have a source in its paragraph', () => {
  const said = 'Of all cases 40 % are approved.'
  const numbers = (line: string) => {
    const { slug, text } = copy(0)
    const law = text
      .replace('class: [E]', "class: [L]\nchecked_on: '2026-11-21'")
      .replace('## What arrives', `${line}\n\n## What arrives`)
    const [found = []] = findingsOf([parseMarkdown(`content/articles/${slug}.md`, law)])
    return found.filter(({ rule }) => rule === 'C-number').map(print)
  }
  expect(numbers(said)).toEqual([expect.stringContaining(':14  C-number  warning: 40 % must have')])
  expect(numbers(`${said} [Read it](https://example.com/study).`)).toEqual([])
})

test('a lint-ok comment with a reason disables one rule on the next line', () => {
  // The number of `lint-ok` comments is limited, and this comment exceeds the limit.
  const said = '<!-- lint-ok C-generic: quoting the letter, see source 2 -->\nBuy generic Ozempic'
  expect(rules(said)).toEqual(['F-excused error'])
  const bare = '<!-- lint-ok C-generic: -->\nBuy generic Ozempic'
  expect(rules(bare)).toEqual(['C-generic error'])
})

test('a link to a former URL or to a draft is reported with its fix', () => {
  const { text } = copy(1)
  const moved = parseMarkdown(
    'content/articles/copy-1.md',
    text.replace('class: [E]', 'redirect_from: [/blog/before]\nclass: [E]'),
  )
  const draft = parseMarkdown(
    'content/articles/copy-2.md',
    copy(2).text.replace('class: [E]', 'draft: true\nclass: [E]'),
  )
  const body = '[a](/blog/before#the-retry-schedule)\n\n[b](/blog/copy-2)\n\n## What arrives'
  const linking = parseMarkdown(
    'content/articles/copy-0.md',
    copy(0).text.replace('## What arrives', body),
  )
  const [found = []] = findingsOf([linking, moved, draft])
  expect(found.map(({ rule, message, fix }) => [rule, message, fix])).toEqual([
    [
      'K-dead-link',
      '/blog/before#the-retry-schedule is an old URL of /blog/copy-1',
      'write /blog/copy-1',
    ],
    ['K-dead-link', '/blog/copy-2 is a draft', 'publish it too, or remove the link'],
  ])
  expect(found[0]?.edit).toMatchObject({ length: '/blog/before'.length, text: '/blog/copy-1' })
})

/** The findings for an article's copy with some texts replaced. */
function foundWith(...changes: [from: string, to: string][]): string[] {
  const { slug, text } = copy(0)
  const changed = changes.reduce((whole, [from, to]) => {
    expect(whole).toContain(from)
    return whole.replace(from, () => to)
  }, text)
  const [found = []] = findingsOf([parseMarkdown(`content/articles/${slug}.md`, changed)])
  return found.map(({ rule, line, column }) => `${rule} ${line}:${column}`)
}

describe('a medication', () => {
  const sources = /^sources:\n(?: .*\n)+/m.exec(copy(0).text)?.[0] ?? ''
  const named: [string, string] = ['## What arrives', 'Some take Ozempic.\n\n## What arrives']

  test('may be called by its brand name only with a source', () => {
    expect(foundWith(named)).toEqual([])
    expect(foundWith([sources, ''], named)).toEqual(['C-medication 24:11'])
    const linked = 'Some take Ozempic ([its label](https://labels.example.com)).\n\n## What arrives'
    expect(foundWith([sources, ''], ['## What arrives', linked])).toEqual([])
  })

  test('a compounded drug may be named only if the notice is shown', () => {
    const title: [string, string] = [
      'title: Article 0 of many that differ',
      'title: Compounded drugs',
    ]
    expect(foundWith(title)).toEqual(['C-compounded 2:8'])
    expect(foundWith(title, ['## What arrives', 'It is compounded.\n\n## What arrives'])).toEqual(
      [],
    )
  })
})

test('a screenshot must be marked as showing made-up people', () => {
  const image = '![The queue of a clinic](/pictures/queue.png "1280x800")'
  const link: [string, string] = ['## What arrives', `${image}\n\n## What arrives`]
  const record = (text: string, more = ''): [string, string] => {
    const line = `{ file: /pictures/queue.png, text: '${text}'${more} }`
    return ['class: [E]', `pictures:\n  - ${line}\nclass: [E]`]
  }
  expect(foundWith(link, record('Waiting: four minutes'))).toEqual([])
  expect(foundWith(link, record('Ada Rivera, born 1988-03-14'))).toEqual(['M-invented 33:1'])
  expect(foundWith(link, record('Ada Rivera, born 1988-03-14', ', invented: true'))).toEqual([])
  expect(foundWith(link, record('None'), ['queue of a', 'screenshot of a'])).toEqual([
    'M-invented 33:1',
  ])
})

test('a question in the frontmatter must be answered in one section', () => {
  const question = '  - How do I verify a webhook signature in my webhook handler?'
  const ask = (asked: string) => foundWith([question, `  - ${asked}`])
  expect(ask('Which insurer reimburses a refrigerated parcel?')).toEqual(['X-unanswered 19:5'])
  expect(ask('Which header holds the signature of a delivery?')).toEqual([])
  // Two thirds of the terms that count are enough; half aren't.
  expect(ask('Which signature verifies an elephant?')).toEqual([])
  expect(ask('Which signature verifies an elephant or a walrus?')).toEqual(['X-unanswered 19:5'])
  expect(
    foundWith([question, '  - Who pays for the lunch?'], ['class:', 'draft: true\nclass:']),
  ).toEqual([])
})

test('an unclosed code block is reported where it begins', () => {
  const [before = ''] = copy(0).text.split(heading)
  const start = before.split('\n').length
  const fences = (text: string) =>
    foundInBody(text)
      .filter(({ rule }) => rule === 'S-fence')
      .map(({ line, column }) => `${line - start}:${column}`)
  expect(fences('Text.\n\n```sh\nls\n\nMore text.')).toEqual(['2:1'])
  expect(fences('```sh\nls\n```\n\n~~~text\nls')).toEqual(['4:1'])
  expect(fences('````md\n```sh\nls\n```\n````')).toEqual([])
})

test('an overlong page is reported', () => {
  expect(foundInBody('A word of it. '.repeat(5000)).map(({ rule }) => rule)).toContain('X-long')
})

describe('a guide’s code', () => {
  const guide = (body: string) => {
    const entry = content.docs.find(({ name }) => name === 'files')
    const head = `${entry?.source.split('\n---\n')[0]}\n---\n\n`
    const source = head + body
    const doc = parseMarkdown(entry?.path ?? '', source)
    const docs = content.docs.map(each => (each.name === 'files' ? doc : each))
    const around = { today: undefined, committed: new Map() }
    return checkContent({ ...content, docs }, contract, around)
      .filter(({ path, rule }) => path === entry?.path && rule.startsWith('S-'))
      .map(({ rule, line }) => `${rule} ${line - head.split('\n').length + 1}`)
  }

  test('must be in a form that the test can run', () => {
    const typed = '```sh\nls\n```\n\n```text\na\n```\n'
    expect(guide(typed)).toEqual([])
    expect(guide(`${typed}\n\`\`\`text\nb\n\`\`\`\n`)).toEqual(['S-run 9'])
    expect(guide('```ts\nconst a = 1\n```\n')).toEqual(['S-run 2'])
    expect(guide('```ts\n// a.ts\nconst a = 1\n```\n')).toEqual([])
    expect(guide('```ruby\nputs 1\n```\n')).toEqual(['S-run 1'])
  })

  test('must name operations and codes from the contract', () => {
    const entry = content.docs.find(({ name }) => name === 'files')
    const source = entry?.source
      .replace('  - createFile\n', '  - createParcel\n')
      .replace(/^errors:\n {2}- \w+$/m, 'errors:\n  - parcel_lost')
    const doc = parseMarkdown(entry?.path ?? '', source ?? '')
    const around = { today: undefined, committed: new Map() }
    const found = checkContent({ ...content, docs: [doc] }, contract, around)
    const named = found.filter(({ message }) => /parcel/i.test(message)).map(({ rule }) => rule)
    expect(named.sort()).toEqual(['S-error', 'S-operation'])
  })
})

test('a former URL must not be the page’s own or belong to two pages', () => {
  const { slug, text } = copy(0)
  const own = (name: string, from: string) =>
    parseMarkdown(
      `content/articles/${name}.md`,
      text.replace(slug, name).replace('class: [E]', `redirect_from: [${from}]\nclass: [E]`),
    )
  const pages = [own('one', '/blog/one'), own('two', '/blog/old'), own('three', '/blog/old')]
  const found = findingsOf(pages).map(
    each => each.filter(({ rule }) => rule === 'F-redirect').length,
  )
  expect(found).toEqual([1, 0, 1])
})

test('a removed page must not exist, and its replacement must be a page', () => {
  const each = (path: string, instead: string) =>
    `- path: ${path}\n  title: A page that was taken down\n  on: '2026-11-21'\n` +
    `  why: It said what is no longer true.\n  instead: ${instead}\n`
  const gone = parseYaml(
    'content/gone.yaml',
    [
      each('/blog/sandbox-before-live', 'null'),
      each('/blog/old', '/blog/no-such-page'),
      each('/blog/older', '/blog/before'),
      each('/blog/oldest', '/docs/webhooks#rotate'),
    ].join(''),
  )
  const { text } = copy(1)
  const moved = parseMarkdown(
    'content/articles/copy-1.md',
    text.replace('class: [E]', 'redirect_from: [/blog/before, /blog/old]\nclass: [E]'),
  )
  const around = { today: undefined, committed: new Map() }
  const all = { ...content, articles: [...content.articles, moved], gone }
  const found = checkContent(all, contract, around).filter(({ rule }) => rule === 'F-redirect')
  expect(found.map(({ path, line, rule }) => `${path}:${line} ${rule}`).sort()).toEqual(
    [
      'content/articles/copy-1.md:10 F-redirect',
      'content/gone.yaml:1 F-redirect',
      'content/gone.yaml:15 F-redirect',
      'content/gone.yaml:10 F-redirect',
    ].sort(),
  )
})
