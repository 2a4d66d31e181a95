import { expect, test } from 'bun:test'
import { operationIds, table } from '#contract/api.ts'
import { ids } from '#contract/examples/resources.ts'
import { pathNames } from '#contract/operation.ts'
import { wrongIdHint } from './path-ids.ts'

test('an id of another kind is named, and so is one that was cut off', () => {
  expect(wrongIdHint('getPatient', { id: ids.order })).toBe(
    'This path takes a patient id; you sent an order id.',
  )
  const cut = ids.order.slice(0, -1)
  for (const id of [cut, '123', '', 'ord_', 'constructor_1']) {
    expect(wrongIdHint('getOrder', { id })).toBe(
      'The id of an order is ord_ and 26 lowercase letters and digits. Check yours for missing or extra characters.',
    )
  }
})

test('nothing is said of an id that could be one, and every path knows its own', () => {
  expect(wrongIdHint('getPatient', { id: ids.patient })).toBeNull()
  for (const id of operationIds) {
    const names = pathNames(table[id].path)
    const given = Object.fromEntries(names.map(name => [name, 'secret-12']))
    const hint = wrongIdHint(id, given)
    expect([id, hint !== null]).toEqual([id, names.length > 0])
    expect(hint ?? '').not.toContain('secret')
  }
})
