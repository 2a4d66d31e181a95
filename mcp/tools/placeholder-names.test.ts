import { expect, test } from 'bun:test'
import { isNobody } from './placeholder-names.ts'

test('a placeholder is nobody, however it is written', () => {
  for (const name of ['User', ' test ', 'N/A', 'AI  Assistant', 'your name']) {
    expect([name, isNobody(name, 'ada@rivera.clinic')]).toEqual([name, true])
  }
  expect(isNobody('5551234', '5551234@rivera.clinic')).toBe(true)
})

test('a person is somebody, also one whose name holds such a word', () => {
  for (const name of ['Ada', 'Botond', 'Guestavo', 'Na-ri', 'Tester-Lee', 'Никита', '李']) {
    expect([name, isNobody(name, 'ada@rivera.clinic')]).toEqual([name, false])
  }
  expect(isNobody('ada', 'ada@rivera.clinic')).toBe(false)
  expect(isNobody(7, 'ada@rivera.clinic')).toBe(false)
})
