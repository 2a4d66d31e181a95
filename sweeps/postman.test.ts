// The Postman collection, run by Postman's own runner against a running gateway.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import path from 'node:path'
import { operationIds, table } from '#contract/api.ts'
import { exampleAddresses } from '#contract/derive/clinical.ts'
import { loop, postman, postmanEnvironment } from '#contract/derive/postman.ts'
import { openTestGateway } from '#gateway/testing/gateway.ts'

type Item = { name: string; request?: { method: string }; item?: Item[] }
const collection = postman(table, exampleAddresses.api) as { item: Item[] }

let gateway: Awaited<ReturnType<typeof openTestGateway>>
beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())

const runner = path.join(import.meta.dir, '..', 'node_modules', 'newman', 'bin', 'newman.js')

/** Runs one folder. Returns the exit code and the output. */
async function run(folder: string, key: string) {
  const place = `${import.meta.dir}/../.data/test`
  const file = path.join(place, `collection-${process.pid}.json`)
  await Bun.write(file, JSON.stringify(collection))
  const settings = [`base_url=http://127.0.0.1:${gateway.port}`, `api_key=${key}`]
  const running = Bun.spawn(
    [
      process.execPath,
      runner,
      'run',
      file,
      '--folder',
      folder,
      '--reporters',
      'cli',
      '--color',
      'off',
      ...settings.flatMap(one => ['--env-var', one]),
    ],
    { stdout: 'pipe', stderr: 'pipe' },
  )
  const output = await new Response(running.stdout).text()
  return { code: await running.exited, output }
}

describe('Postman collection', () => {
  test('has every operation once, after the loop', () => {
    const [first, ...folders] = collection.item
    expect(first?.name).toBe('The loop')
    expect(first?.item).toHaveLength(loop.length)
    const names = folders.flatMap(folder => folder.item ?? []).map(({ name }) => name)
    expect(names.toSorted()).toEqual([...operationIds].toSorted())
  })

  test('contains no key and no installation’s host', () => {
    const text = JSON.stringify([collection, postmanEnvironment(exampleAddresses.api)])
    expect(text).not.toMatch(/svc_sk_test_\w/)
    const hosts = new Set([...text.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host = '']) => host))
    const invented = /(^|\.)example(\.com)?$/
    expect([...hosts].filter(host => !invented.test(host)).toSorted()).toEqual([
      'schema.getpostman.com',
      'www.ups.com',
    ])
  })

  test('the loop runs unattended from an empty sandbox to a delivered order', async () => {
    const { code, output } = await run('The loop', gateway.fixtures.ada.test)
    expect([code, output]).toEqual([0, output])
    expect(output.match(/√|✓/g)).toHaveLength(loop.length)
  }, 60_000)

  test('refuses to run with a live key', async () => {
    const before = gateway.lines.length
    const { code, output } = await run('The loop', gateway.fixtures.ada.live)
    expect(code).not.toBe(0)
    expect(output).toContain('uses a test key')
    expect(gateway.lines.slice(before)).toEqual([])
  }, 60_000)
})
