// Runs every method's documentation example with the packed library against the API.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openTestGateway } from '#gateway/testing/gateway.ts'
import { documentedCall, exampleValues } from '#clinical/testing/example-values.ts'
import { type OperationId, operationIds, table } from '#contract/api.ts'
import { sdkName } from '#contract/derive/names.ts'
import { model } from '../generate/model.ts'
import type { OperationModel } from '../generate/operations.ts'
import { installedPackage, sdk } from './testing/package.ts'

let gateway: Awaited<ReturnType<typeof openTestGateway>>
let svc: InstanceType<typeof sdk.Svc>
beforeAll(async () => {
  gateway = await openTestGateway()
  const baseUrl = `http://localhost:${gateway.port}`
  svc = new sdk.Svc({ apiKey: gateway.fixtures.ada.test, baseUrl, maxRetries: 0 })
})
afterAll(async () => {
  await gateway.close()
})

type Group = Readonly<Record<string, unknown>>

/** The value at a dotted name. */
const memberOf = (root: object, name: string): unknown =>
  name.split('.').reduce<unknown>((at, word) => (at as Group | undefined)?.[word], root)

test('methods: one for each of the 65 operations', () => {
  const names = operationIds.map(id => sdkName(id, table[id].path))
  expect(names).toHaveLength(65)
  expect(names.filter(name => typeof memberOf(svc, name) !== 'function')).toEqual([])
})

test('names: the class, package and variables follow the company’s slug', () => {
  const { slug } = model
  expect(typeof memberOf(sdk, slug.charAt(0).toUpperCase() + slug.slice(1))).toBe('function')
})

/** A method's example from the package's type declarations, where editors read it. */
async function documentedExample({ resource, verb }: OperationModel): Promise<string> {
  const { folder } = await installedPackage()
  const file = `node_modules/@svc/sdk/esm/types/generated/resources/${resource
    .map(word => word.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`))
    .join('-')}.d.ts`
  const text = readFileSync(path.join(folder, file), 'utf8')
  const before = text.slice(0, text.indexOf(`\n    ${verb}(`))
  const code = before.slice(before.lastIndexOf('```ts\n') + 6, before.lastIndexOf('```'))
  return code.replaceAll(/^ *\* ?/gm, '')
}

const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (svc: unknown, console: unknown) => Promise<void>

test.each(model.operations.map(one => [[...one.resource, one.verb].join('.'), one] as const))(
  'example: %s',
  async (name, operation) => {
    const { fixtures } = gateway
    const id = operation.id as OperationId
    const call = await documentedCall(id, fixtures, fixtures.ada.test)
    const code = await documentedExample(operation)
    expect(code).toContain(`svc.${name}(`)
    const prepared = exampleValues(id, call).reduce(
      (text, [from, to]) => text.replaceAll(`'${from}'`, `'${to}'`),
      code,
    )
    const statuses: number[] = []
    const silence = svc.on('response', ({ status }) => void statuses.push(status))
    gateway.at(call.at)
    await new AsyncFunction('svc', 'console', prepared)(svc, { log: () => {} })
    gateway.at(undefined)
    silence()
    expect(statuses[0]).toBe(operation.status)
  },
)
