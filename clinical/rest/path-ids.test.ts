import { expect, test } from 'bun:test'
import { callableIds, callable } from '#contract/callable.ts'
import { ids } from '#contract/examples/resources.ts'
import { pathNames } from '#contract/operation.ts'
import { wrongIdHint } from './path-ids.ts'

test('path IDs: the hint names the type of a wrong ID and the format of a malformed one', () => {
  expect(wrongIdHint(callable.getPatient.path, { id: ids.order })).toBe(
    'This path takes a patient ID; you sent an order ID.',
  )
  const cut = ids.order.slice(0, -1)
  for (const id of [cut, '123', '', 'ord_', 'constructor_1']) {
    expect(wrongIdHint(callable.getOrder.path, { id })).toBe(
      'The ID of an order is ord_ followed by 26 lowercase letters and digits. Check yours for missing or extra characters.',
    )
  }
})

test('path IDs: a well-formed ID gets no hint, and each path checks for its own type', () => {
  expect(wrongIdHint(callable.getPatient.path, { id: ids.patient })).toBeNull()
  for (const id of callableIds) {
    const names = pathNames(callable[id].path)
    const given = Object.fromEntries(names.map(name => [name, 'secret-12']))
    const hint = wrongIdHint(callable[id].path, given)
    expect([id, hint !== null]).toEqual([id, names.length > 0])
    expect(hint ?? '').not.toContain('secret')
  }
})
