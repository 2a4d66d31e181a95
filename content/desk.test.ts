import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check, inspect } from './check.ts'
import { print } from './checks/finding.ts'
import { fixAll } from './fix.ts'
import { create, slugOf } from './new.ts'

/** The editors' desk: a new file, what it is told, and what mends itself. */
let root = ''
const today = '2026-11-21'

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'desk-'))
  await cp(import.meta.dir, join(root, 'content'), { recursive: true })
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
    ['S-event', '## What arrives', '`case.nodded.v1`\n\n## What arrives', 'warning'],
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

  test('a reason on the line above lets a rule pass, and only that rule', async () => {
    const said = '<!-- lint-ok C-generic: quoting the letter, see source 2 -->\nBuy generic Ozempic'
    expect(await found('## What arrives', `${said}\n\n## What arrives`)).toEqual([])
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

  test('five hundred files in less than two seconds', async () => {
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
    const began = performance.now()
    const all = await inspect(root, today)
    expect(performance.now() - began).toBeLessThan(2000)
    expect(all.filter(({ level }) => level !== 'warning').map(print)).toEqual([])
  })
})
