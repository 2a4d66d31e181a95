// Every request that a hint names exists, and callers who get the hint may send it.

import { expect, test } from 'bun:test'
import path from 'node:path'
import { type CallableId, callableIds, callable } from '#contract/callable.ts'
import { hintOf, problemCodesOf } from '#contract/problems.ts'
import { siteTable } from '#contract/site/table.ts'
import { caseTransitions, orderTransitions, visitTransitions } from '#contract/states.ts'
import { toolServers } from '#contract/mcp/servers.ts'
import { nextCalls } from '#clinical/pipeline/next-calls.ts'

const modules = ['contract', 'clinical', 'gateway', 'auth', 'http', 'booking', 'mcp'] as const
const root = path.dirname(import.meta.dir)

/** A route or template without its parameters' names. */
const withoutNames = (route: string) => route.replaceAll(/\{\w+\}|\$\{[^}]*\}/g, '{}')
const routesOf = (rows: readonly { method: string; path: string }[]) =>
  new Set(rows.map(row => withoutNames(`${row.method} ${row.path}`)))

const rows = callableIds.map(id => callable[id])
const served = routesOf([...rows, ...Object.values(siteTable)])
/** Requests that a hint may name to a live key. */
const inLive = routesOf(rows.filter(row => row.mode === 'both'))

const call = /\b(?:GET|POST|PATCH|PUT|DELETE) \/[\w/{}$.-]*[\w}]/g

/** The text of every file without its comments. */
async function* sources(folders: readonly string[]): AsyncGenerator<[string, string]> {
  for (const folder of folders) {
    for await (const file of new Bun.Glob(`${folder}/**/*.ts`).scan(root)) {
      if (/\.(test|suite)\.ts$|\/testing\//.test(file)) continue
      const text = await Bun.file(path.join(root, file)).text()
      yield [file, text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')]
    }
  }
}

test('every request named in our sentences is served', async () => {
  const unknown: string[] = []
  let named = 0
  for await (const [file, text] of sources(modules)) {
    for (const [found] of text.matchAll(call)) {
      named++
      if (!served.has(withoutNames(found))) unknown.push(`${file}: ${found}`)
    }
  }
  expect(unknown).toEqual([])
  expect(named).toBeGreaterThan(20)
})

test('every tool named in the tool servers’ texts exists', async () => {
  const servers = toolServers({ name: '', site: 'https://example.com', say: word => word })
  const tools = new Set<string>(servers.product.tools.map(({ name }) => name))
  const unknown: string[] = []
  for await (const [file, text] of sources(['mcp', 'contract/mcp'])) {
    for (const [found] of text.matchAll(/\b(?:get|list|book)_[a-z_]+\b/g)) {
      if (!tools.has(found)) unknown.push(`${file}: ${found}`)
    }
  }
  expect(unknown).toEqual([])
})

test('hints for every caller name requests that exist in both modes', () => {
  const hints = problemCodesOf('v1').flatMap(code => [
    hintOf(code, 'v1', false),
    hintOf(code, 'v1', true),
  ])
  const calls = hints.flatMap(hint => hint.match(call) ?? [])
  expect(calls.filter(found => !inLive.has(withoutNames(found)))).toEqual([])
  expect(calls.length).toBeGreaterThan(5)
  const ofSite = problemCodesOf('site').flatMap(
    code => hintOf(code, 'site', false).match(call) ?? [],
  )
  expect(ofSite.filter(found => !served.has(withoutNames(found)))).toEqual([])
})

test('only sandbox controls and the sandbox waiting room name sandbox controls', async () => {
  const named: string[] = []
  for await (const [file, text] of sources(['clinical'])) {
    if (/ \/v1\/test\//.test(text)) named.push(file)
  }
  expect(named.sort()).toEqual([
    'clinical/sandbox/pharmacy.ts',
    'clinical/waiting-room/waiting-room-page.ts',
  ])
})

for (const [noun, transitions] of [
  ['case', caseTransitions],
  ['order', orderTransitions],
  ['visit', visitTransitions],
] as const) {
  test(`a refused move of a ${noun} names the requests that its status allows`, () => {
    const all = Object.entries(transitions)
    const statuses = new Set(all.flatMap(([, { from, to }]) => [...from, ...(to ? [to] : [])]))
    let hints = 0
    for (const [move, { from, by }] of all) {
      for (const status of statuses) {
        if ((from as readonly string[]).includes(status)) continue
        hints++
        const hint = nextCalls(noun, transitions, move, status)
        const allowed = callable[by as CallableId].mode === 'test' ? served : inLive
        const calls = hint.match(call) ?? []
        expect(calls.filter(found => !allowed.has(withoutNames(found)))).toEqual([])
        if (calls.length === 0) expect(hint).toMatch(/is final; no API call|Only the clinic can/)
      }
    }
    expect(hints).toBeGreaterThan(5)
  })
}
