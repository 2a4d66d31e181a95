// The site and the pages with sessions share one design.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { theme } from './theme.ts'

const site = readFileSync(path.join(import.meta.dir, '../../site/src/styles/tokens.css'), 'utf8')
const tokensOf = (css: string) =>
  new Map([...css.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]))

test('every design token on the pages equals the site’s', () => {
  const [own, wanted] = [tokensOf(theme), tokensOf(site)]
  expect(own.size).toBeGreaterThan(15)
  for (const [name, value] of own) {
    expect([name, value]).toEqual([name, wanted.get(name)])
  }
})
