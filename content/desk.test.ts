import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check, inspect } from './check.ts'
import { checkUpdated } from './checks/history.ts'
import { print } from './checks/finding.ts'
import { fixAll } from './fix.ts'
import { create, slugOf } from './new.ts'
import { readContent } from './read.ts'
import { changelog } from './records.ts'
import { sarif } from './sarif.ts'

/** The editors' desk: a new file, what it is told, and what mends itself. */
let root = ''
const today = '2026-11-21'

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'desk-'))
  await cp(import.meta.dir, join(root, 'content'), { recursive: true })
  await cp(join(import.meta.dir, '../CHANGELOG.md'), join(root, 'CHANGELOG.md'))
})

afterAll(() => rm(root, { recursive: true }))

describe('bun run new', () => {
  for (const kind of ['article', 'comparison', 'doc']) {
    test(`${kind}: a draft that has no fault, and none of it shows`, async () => {
      const title = `A new ${kind} that nobody has written yet`
      const made = await create(root, kind, title, today)
      if ('refused' in made) throw new Error(made.refused)
      expect((await check(root)).map(print)).toEqual([])
      const file = Bun.file(join(root, made.path))
      const text = await file.text()
      await Bun.write(file, text.replace('draft: true', 'draft: false'))
      const rules = new Set((await check(root)).map(({ rule }) => rule))
      expect([...rules]).toEqual(['P-unwritten'])
      await file.delete()
    })
  }

  test('changelog: a line under its day, which asks whom it concerns before it shows', async () => {
    const file = Bun.file(join(root, 'CHANGELOG.md'))
    const before = await file.text()
    const titles = async () =>
      changelog
        .parse((await readContent(join(root, 'content'))).changelog.data)
        .map(each => each.title)
    for (const day of [today, '2026-11-22']) {
      const text = `A change of ${day} with a name of its own.`
      expect(await create(root, 'changelog', text, day)).toEqual({ path: 'CHANGELOG.md' })
      expect((await check(root)).map(({ rule }) => rule)).toEqual(['P-unwritten'])
      expect(await titles()).not.toContain(text)
      const asking = `WRITE: one of site, api, sdk, cli, mcp, house: ${text}`
      await Bun.write(file, (await file.text()).replace(asking, `mcp, until 2027-11-22: ${text}`))
      expect((await check(root)).map(print)).toEqual([])
      expect(await titles()).toContain(text)
      await Bun.write(file, (await file.text()).replace('mcp, until 2027-11-22:', 'poem:'))
      expect((await check(root)).map(({ rule }) => rule)).toEqual(['F-surface'])
      await Bun.write(file, (await file.text()).replace('poem:', 'house:'))
      expect(await titles()).not.toContain(text)
    }
    const days = [...(await file.text()).matchAll(/^## (.+)$/gm)].map(hit => hit[1])
    expect(days.slice(0, 2)).toEqual(['2026-11-22', '2026-11-21'])
    await Bun.write(file, before)
  })

  test('what cannot be one says why', async () => {
    expect(await create(root, 'poem', 'A title long enough', today)).toHaveProperty('refused')
    expect(await create(root, 'article', 'Short', today)).toHaveProperty('refused')
    const there = 'Webhooks you can trust'
    await Bun.write(join(root, 'content/docs/webhooks-you-can-trust.md'), '')
    expect(await create(root, 'doc', there, today)).toHaveProperty('refused')
    await rm(join(root, 'content/docs/webhooks-you-can-trust.md'))
    expect(slugOf('What’s “next”, in 2 steps?')).toBe('whats-next-in-2-steps')
  })
})

const article = 'content/articles/webhooks-you-can-trust.md'

/**
 * What is found when one text is put in the place of another, in words and in a calendar's eyes.
 */
async function found(from: string, to: string, day = today): Promise<string[]> {
  const file = Bun.file(join(root, article))
  const source = await file.text()
  await Bun.write(file, source.replace(from, to))
  const all = await inspect(root, day)
  await Bun.write(file, source)
  return all
    .filter(({ path }) => path === article)
    .map(({ rule, level }) => `${rule} ${level ?? 'error'}`)
}

describe('bun run lint:content', () => {
  const cases: [rule: string, from: string, to: string, level: string][] = [
    ['F-review', 'class: [E]', 'class: [C]', 'error'],
    ['F-checked', 'class: [E]', 'class: [L]', 'error'],
    ['F-future', "updated: '2026-11-21'", "updated: '2027-01-01'", 'error'],
    ['F-redirect', 'class: [E]', 'redirect_from: [/pricing]\nclass: [E]', 'error'],
    ['F-stale', 'class: [E]', "checked_on: '2026-04-01'\nclass: [E]", 'warning'],
    ['F-stale', 'class: [E]', "checked_on: '2025-04-01'\nclass: [E]", 'error'],
    ['C-cure', '## What arrives', 'It cures diabetes\n\n## What arrives', 'error'],
    ['C-generic', '## What arrives', 'Buy generic Ozempic\n\n## What arrives', 'error'],
    ['S-number', '## What arrives', 'Call 123-45-6789\n\n## What arrives', 'error'],
    ['S-key', '## What arrives', 'svc_sk_live_abcdefgh12345\n\n## What arrives', 'error'],
    ['S-event', '## What arrives', '`case.nodded.v1`\n\n## What arrives', 'error'],
    ['S-route', '## What arrives', '`GET /v1/parcels/{id}`\n\n## What arrives', 'warning'],
    ['S-scope', '## What arrives', '`parcels:read`\n\n## What arrives', 'warning'],
    [
      'S-field',
      '## What arrives',
      '```json\n{ "parcel_colour": 1 }\n```\n\n## What arrives',
      'warning',
    ],
    [
      'C-testimonial',
      '## What arrives',
      '> “It changed our clinic.”\n> — Ada R.\n\n## What arrives',
      'error',
    ],
    ['P-passive', '## What arrives', '## Events are sent by us\n\n## What arrives', 'warning'],
    [
      'P-grade',
      '## What arrives',
      `${'Institutional interoperability necessitates organizational deliberation regarding documentation. '.repeat(90)}\n\n## What arrives`,
      'warning',
    ],
    ['X-html', '## What arrives', '<div class="x">\n\n## What arrives', 'error'],
    ['X-block', '## What arrives', '[[nothing]]\n\n## What arrives', 'error'],
    [
      'K-bare-url',
      '## What arrives',
      'See https://example.com/x now\n\n## What arrives',
      'warning',
    ],
    ['P-sentence', '## What arrives', `${'word '.repeat(40)}end.\n\n## What arrives`, 'warning'],
    ['X-table', '## What arrives', `| ${'x'.repeat(200)} |\n\n## What arrives`, 'warning'],
  ]
  for (const [rule, from, to, level] of cases) {
    test(`${rule}, as ${level}`, async () => {
      const rules = await found(from, to)
      expect(rules).toContain(`${rule} ${level}`)
    })
  }

  test('a number near care or law has its source in its paragraph', async () => {
    const said = 'Of all cases 40 % are approved.'
    const text = `class: [L]\nchecked_on: '2026-11-21'`
    const numbers = async (line: string) => {
      const file = Bun.file(join(root, article))
      const source = await file.text()
      await Bun.write(file, source.replace('class: [E]', text))
      const rules = await found('## What arrives', `${line}\n\n## What arrives`)
      await Bun.write(file, source)
      return rules.filter(rule => rule.startsWith('C-number'))
    }
    expect(await numbers(said)).toEqual(['C-number warning'])
    expect(await numbers(`${said} [Read it](https://example.com/study).`)).toEqual([])
  })

  test('what the contract has is not refused, in whatever form its path is written', async () => {
    const lines = [
      '`GET /v1/cases/{id}`, `GET /v1/cases/$CASE` and `GET /v1/cases?status=queued`',
      '`POST /v1/cases/case_01m7wqryk2hdshyqxcd9x2kd4r/answers`, with `cases:write`',
      '```json\n{\n  "patient": "pat_…",\n  "has_more": false\n}\n```',
    ]
    const rules = await found('## What arrives', `${lines.join('\n\n')}\n\n## What arrives`)
    expect(rules).toEqual([])
  })

  test('a picture that is too large is named', async () => {
    const path = join(root, 'content/large.png')
    await Bun.write(path, new Uint8Array(400_000))
    const all = await inspect(root, today)
    await Bun.file(path).delete()
    expect(all.map(({ path: at, rule }) => [at, rule])).toContainEqual([
      'content/large.png',
      'M-size',
    ])
  })

  test('a file that was committed after the day it gives is due', async () => {
    const { articles } = await readContent(join(root, 'content'))
    const entry = articles.find(({ path }) => path === article)
    if (entry === undefined) throw new Error(`${article} is not read`)
    const on = (day: string) => checkUpdated(entry, new Map([[article, day]]))
    expect(on('2026-11-22')).toEqual([])
    expect(on('2026-11-25').map(({ rule }) => rule)).toEqual(['F-committed'])
  })

  test('SARIF names each place once, and each rule', async () => {
    const [one] = await check(root)
    expect(one).toBeUndefined()
    const place = {
      path: article,
      line: 3,
      column: 5,
      rule: 'S-key',
      message: 'a key',
      fix: 'cut it',
    }
    const { version, runs } = JSON.parse(
      sarif([place, { ...place, rule: 'P-word', level: 'warning' }]),
    )
    expect(version).toBe('2.1.0')
    expect(runs[0].tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual([
      'P-word',
      'S-key',
    ])
    expect(runs[0].results[0]).toMatchObject({
      ruleId: 'S-key',
      ruleIndex: 1,
      level: 'error',
      locations: [{ physicalLocation: { region: { startLine: 3, startColumn: 5 } } }],
    })
  })

  test('a reason on the line above lets a rule pass, and only that rule', async () => {
    // The number of excuses is held too: this one is more than are allowed.
    const said = '<!-- lint-ok C-generic: quoting the letter, see source 2 -->\nBuy generic Ozempic'
    expect(await found('## What arrives', `${said}\n\n## What arrives`)).toEqual([
      'F-excused error',
    ])
    const bare = '<!-- lint-ok C-generic: -->\nBuy generic Ozempic'
    expect(await found('## What arrives', `${bare}\n\n## What arrives`)).toEqual([
      'C-generic error',
    ])
  })

  test('--fix mends what needs no thought, and leaves the rest', async () => {
    const file = Bun.file(join(root, article))
    const source = await file.text()
    const faults = '## Ends with a stop.\n\n```\ncode\n```\n\nA seamless [a](http://example.com/)\n'
    await Bun.write(file, source.replace('slug: webhooks-you', 'slug: x-you').concat(faults))
    const left = await fixAll(root, await check(root))
    expect(left.map(({ rule }) => rule)).toEqual(['P-word'])
    const mended = await file.text()
    expect(mended).toContain('slug: webhooks-you-can-trust\n')
    expect(mended).toContain('## Ends with a stop\n\n```text\ncode\n```\n')
    expect((await check(root)).map(({ rule }) => rule)).toEqual(['P-word'])
    await Bun.write(file, source)
  })

  test('five hundred files more, and none of them is at fault', async () => {
    const source = await Bun.file(join(root, article)).text()
    const write = (at: number) =>
      Bun.write(
        join(root, `content/articles/copy-${at}.md`),
        source
          .replace(/^title: .*$/m, `title: Article ${at} of five hundred`)
          .replace(/^slug: .*$/m, `slug: copy-${at}`)
          .replace('Verify a delivery', `Number ${at}: verify a delivery`)
          .replace(', with\n  code that ran.', '.'),
      )
    await Promise.all(Array.from({ length: 500 }, (_, at) => write(at)))
    const all = await inspect(root, today)
    expect(all.filter(({ level }) => level !== 'warning').map(print)).toEqual([])
  })
})
