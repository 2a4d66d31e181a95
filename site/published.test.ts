import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { article, comparison, guideSummary, overview, pricing } from '#contract/content.ts'
import { buildSite } from './build/build.ts'

/** Checks the build's catalog against the schemas of the gateway's lists and tools. */
const dist = join(import.meta.dir, 'dist')
const read = (path: string) => Bun.file(join(dist, path)).text()
const json = async (path: string) => JSON.parse(await read(path))

beforeAll(async () => {
  await buildSite(() => {})
}, 120_000)

function faults(schema: TSchema, value: unknown): string[] {
  return Compile(schema)
    .Errors(value)
    .map(({ instancePath, message }) => `${instancePath} ${message}`)
}

describe('catalog', () => {
  test('an article with its body matches the API’s schema', async () => {
    const all = await json('catalog/articles.json')
    expect(all.length).toBeGreaterThan(10)
    for (const { questions, ...rest } of all) {
      expect(questions.length).toBeGreaterThan(2)
      expect(faults(article, { ...rest, body_markdown: '' })).toEqual([])
    }
  })

  test('a comparison with its body matches the API’s schema', async () => {
    const all = await json('catalog/comparisons.json')
    expect(all.length).toBeGreaterThan(5)
    for (const { published, ...rest } of all) {
      expect(published).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(faults(comparison, { ...rest, body_markdown: '' })).toEqual([])
    }
  })

  test('guides match their schema, in sidebar order', async () => {
    const all = await json('catalog/guides.json')
    expect(all.length).toBeGreaterThan(20)
    for (const guide of all) expect(faults(guideSummary, guide)).toEqual([])
    expect(all[0].slug).toBe('quickstart')
  })

  test('every markdown_url is a file in the build', async () => {
    for (const list of ['articles', 'comparisons', 'guides']) {
      for (const { markdown_url } of await json(`catalog/${list}.json`)) {
        expect(await read(new URL(markdown_url).pathname)).toStartWith('---\ntitle: ')
      }
    }
  })

  test('overview and prices match their schemas', async () => {
    expect(faults(overview, await json('catalog/overview.json'))).toEqual([])
    expect(faults(pricing, await json('catalog/pricing.json'))).toEqual([])
  })
})
