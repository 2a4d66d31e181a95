import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { check, checkContent } from './check.ts'
import { print } from './checks/finding.ts'
import { parseMarkdown, parseYaml } from './read.ts'
import { content, contract, copy, foundInBody, judge } from './sample-copies.ts'

const rules = (text: string) =>
  foundInBody(text).map(({ rule, level }) => `${rule} ${level ?? 'error'}`)

test('the content as it lies here has no fault', async () => {
  expect((await check(join(import.meta.dir, '..'))).map(print)).toEqual([])
})

test('five hundred files more, and none of them is at fault', () => {
  const many = Array.from({ length: 500 }, (_, at) => {
    const { slug, text } = copy(at)
    return parseMarkdown(`content/articles/${slug}.md`, text)
  })
  expect(judge(many).flat().map(print)).toEqual([])
}, 30_000)

/** What is found in the home page when one text in it is another. */
function foundAtHome(from: string, to: string): string[] {
  const { path, source } = content.home
  expect(source).toContain(from)
  const line = source.slice(0, source.indexOf(from)).split('\n').length
  const home = parseYaml(path, source.replace(from, to))
  const calendar = { today: undefined, committed: new Map<string, string>() }
  return checkContent({ ...content, home }, contract, calendar)
    .filter(found => found.path === path)
    .map(found => `${found.rule} ${found.line - line}`)
}

test('a page in YAML is read as an article is, and its faults have lines', () => {
  expect(foundAtHome('who: Engineers', 'whom: Engineers')).toEqual(['F-unknown-key 0'])
  expect(foundAtHome('Medical care', 'Seamless care')).toEqual(['P-word 0'])
})

describe('nothing is found', () => {
  test('in code where a rule is about prose', () => {
    expect(rules('```sh\n# [here](/nowhere) a seamless title\n```')).toEqual([])
  })

  test('in a link to a heading that is there, and to /ask with its question', () => {
    const links = '[a](/blog/sandbox-before-live#the-clinician) [b](/ask?query=x) [c](#the-ladder)'
    expect(rules(links)).toEqual([])
  })

  test('in what the contract has, in whatever form its path is written', () => {
    const lines = [
      '`GET /v1/cases/{id}`, `GET /v1/cases/$CASE` and `GET /v1/cases?status=queued`',
      '`POST /v1/cases/case_01m7wqryk2hdshyqxcd9x2kd4r/answers`, with `cases:write`',
      '```json\n{\n  "patient": "pat_…",\n  "has_more": false\n}\n```',
      'The tools `get_pricing`, `create_patient` and `book_discovery_call`; `npm start`.',
      'A field of yours, `case_colour`, and `list_price()` of your own.',
    ]
    const found = rules(lines.join('\n\n'))
    expect(found).toEqual(['S-tool warning'])
  })
})

test('a number near care or law has its source in its paragraph', () => {
  const said = 'Of all cases 40 % are approved.'
  const numbers = (line: string) => {
    const { slug, text } = copy(0)
    const law = text
      .replace('class: [E]', "class: [L]\nchecked_on: '2026-11-21'")
      .replace('## What arrives', `${line}\n\n## What arrives`)
    return judge([parseMarkdown(`content/articles/${slug}.md`, law)])[0]?.map(print)
  }
  expect(numbers(said)).toEqual([expect.stringContaining(':14  C-number  warning: 40 % without')])
  expect(numbers(`${said} [Read it](https://example.com/study).`)).toEqual([])
})

test('a reason on the line above lets a rule pass, and only that rule', () => {
  // The number of excuses is held too: this one is more than are allowed.
  const said = '<!-- lint-ok C-generic: quoting the letter, see source 2 -->\nBuy generic Ozempic'
  expect(rules(said)).toEqual(['F-excused error'])
  const bare = '<!-- lint-ok C-generic: -->\nBuy generic Ozempic'
  expect(rules(bare)).toEqual(['C-generic error'])
})

test('a link to where a page was, or to one that waits, says so', () => {
  const { text } = copy(1)
  const moved = parseMarkdown(
    'content/articles/copy-1.md',
    text.replace('class: [E]', 'redirect_from: [/blog/before]\nclass: [E]'),
  )
  const draft = parseMarkdown(
    'content/articles/copy-2.md',
    copy(2).text.replace('class: [E]', 'draft: true\nclass: [E]'),
  )
  const body = '[a](/blog/before#the-ladder)\n\n[b](/blog/copy-2)\n\n## What arrives'
  const linking = parseMarkdown(
    'content/articles/copy-0.md',
    copy(0).text.replace('## What arrives', body),
  )
  const [found = []] = judge([linking, moved, draft])
  expect(found.map(({ rule, message, fix }) => [rule, message, fix])).toEqual([
    [
      'K-dead-link',
      '/blog/before#the-ladder is an old address of /blog/copy-1',
      'write /blog/copy-1',
    ],
    ['K-dead-link', '/blog/copy-2 is a draft', 'publish it too, or remove the link'],
  ])
  expect(found[0]?.edit).toMatchObject({ length: '/blog/before'.length, text: '/blog/copy-1' })
})
