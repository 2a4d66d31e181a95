import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check } from './check.ts'
import { print } from './checks/finding.ts'
import config from './site.config.ts'

/**
 * Each rule is shown one fault in a copy of the real content, so the copy proves as well that the
 * content has none.
 */
let root = ''
const article = 'content/articles/webhooks-you-can-trust.md'

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'content-'))
  await cp(import.meta.dir, join(root, 'content'), { recursive: true })
  await cp(join(import.meta.dir, '../CHANGELOG.md'), join(root, 'CHANGELOG.md'))
})

afterAll(() => rm(root, { recursive: true }))

/** What the checker says when one text in one file is replaced, and the file then put back. */
async function faults(path: string, from: string, to: string): Promise<string[]> {
  const file = Bun.file(join(root, path))
  const source = await file.text()
  expect(source).toContain(from)
  await Bun.write(
    file,
    source.replace(from, () => to),
  )
  const found = await check(root)
  await Bun.write(file, source)
  return found.map(finding => {
    expect(print(finding)).toStartWith(`${finding.path}:${finding.line}:${finding.column}  `)
    expect(finding.fix).not.toBe('')
    return `${finding.path}:${finding.line} ${finding.rule}`
  })
}

/** The line, from 1, on which a text stands in a file of the copy. */
async function lineOf(path: string, text: string): Promise<number> {
  const source = await Bun.file(join(root, path)).text()
  return source.slice(0, source.indexOf(text)).split('\n').length
}

test('the content as it lies here has no fault', async () => {
  const began = performance.now()
  expect((await check(join(import.meta.dir, '..'))).map(print)).toEqual([])
  expect(performance.now() - began).toBeLessThan(1000)
})

describe('frontmatter', () => {
  const cases: [rule: string, from: string, to: string][] = [
    ['F-unknown-key', 'tags: [webhooks', 'colour: green\ntags: [webhooks'],
    ['F-missing-key', 'class: [E]\n', ''],
    ['F-value', "published: '2026-11-21'", "published: '2026-02-30'"],
    ['F-value', 'class: [E]', 'class: [X]'],
    ['F-date', "updated: '2026-11-21'", "updated: '2026-11-01'"],
    ['F-slug', 'slug: webhooks-you-can-trust', 'slug: webhooks'],
    ['F-length', 'Webhooks you can trust: signatures, retries, dedupe', 'Webhooks'],
    [
      'F-duplicate',
      'Webhooks you can trust: signatures, retries, dedupe',
      'How to poll events without losing one',
    ],
    ['F-reference', 'author: mara-lindqvist', 'author: nobody'],
    ['F-reference', 'tags: [webhooks', 'tags: [nothing'],
    ['F-reference', 'related: [poll-without-losing-events', 'related: [no-such-article'],
    ['F-yaml', 'tags: [webhooks', 'tags: [[webhooks'],
    ['F-yaml', 'class: [E]\n', 'class: [E]\nclass: [O]\n'],
  ]
  for (const [rule, from, to] of cases) {
    test(`${rule}: ${to.split('\n')[0] || 'a key taken away'}`, async () => {
      const found = await faults(article, from, to)
      expect(found.some(each => each.startsWith(article) && each.endsWith(rule))).toBe(true)
    })
  }

  test('the line is that of the fault', async () => {
    const line = await lineOf(article, 'author:')
    const found = await faults(article, 'author: mara-lindqvist', 'author: nobody')
    expect(found).toEqual([`${article}:${line} F-reference`])
  })

  test('a fault in a YAML page has its line too', async () => {
    const line = await lineOf('content/home.yaml', 'who: Engineers')
    const found = await faults('content/home.yaml', 'who: Engineers', 'whom: Engineers')
    expect(found).toContain(`content/home.yaml:${line} F-unknown-key`)
  })
})

test('the words of a YAML page are read as those of an article', async () => {
  const line = await lineOf('content/home.yaml', 'Medical care')
  const found = await faults('content/home.yaml', 'Medical care', 'Seamless care')
  expect(found).toEqual([`content/home.yaml:${line} P-word`])
})

describe('body', () => {
  const line = () => lineOf(article, '## What arrives')
  const cases: [rule: string, text: string][] = [
    ['K-dead-link', '[gone](/blog/no-such-article)'],
    ['K-dead-link', '[its twin](/blog/sandbox-before-live.md)'],
    ['K-dead-anchor', '[gone](/blog/sandbox-before-live#no-such-heading)'],
    ['K-dead-anchor', '[gone](#no-such-heading)'],
    ['K-http', '[clear](http://example.com/)'],
    ['K-click-here', '[here](/blog)'],
    ['P-h1', '# A second title'],
    ['P-heading-level', '#### Too deep'],
    ['P-heading-stop', '## A sentence.'],
    ['P-word', 'A seamless experience'],
    ['C-claim', 'We are HIPAA certified'],
    ['S-language', '```\ncode\n```'],
    ['S-email', 'Write to ada@clinic.health today'],
    ['S-phone', 'Call +14155551234 today'],
    ['M-alt', '![](figure:retry-ladder)'],
    ['M-figure', '![a drawing that nobody drew](figure:no-such-drawing)'],
    ['B-brand', `Welcome to ${config.name}`],
  ]
  for (const [rule, text] of cases) {
    test(`${rule}: ${text.split('\n')[0]}`, async () => {
      const found = await faults(article, '## What arrives', `${text}\n\n## What arrives`)
      expect(found).toEqual([`${article}:${await line()} ${rule}`])
    })
  }

  test('what stands in code is not prose', async () => {
    const code = '```sh\n# [here](/nowhere) a seamless title\n```'
    expect(await faults(article, '## What arrives', `${code}\n\n## What arrives`)).toEqual([])
  })

  test('a link to a heading that exists, and to /ask with its question, is fine', async () => {
    const text = '[a](/blog/sandbox-before-live#the-clinician) [b](/ask?query=x) [c](#the-ladder)'
    expect(await faults(article, '## What arrives', `${text}\n\n## What arrives`)).toEqual([])
  })
})
