import { expect, test } from 'bun:test'
import { isPlaceholderName } from './placeholder-names.ts'

test('mcp: recognizes placeholder names in any case and spacing', () => {
  for (const name of ['User', ' test ', 'N/A', 'AI  Assistant', 'your name']) {
    expect([name, isPlaceholderName(name, 'ada@rivera.clinic')]).toEqual([name, true])
  }
  expect(isPlaceholderName('5551234', '5551234@rivera.clinic')).toBe(true)
})

test('mcp: accepts names that contain a placeholder word', () => {
  for (const name of ['Ada', 'Botond', 'Guestavo', 'Na-ri', 'Tester-Lee', 'Никита', '李']) {
    expect([name, isPlaceholderName(name, 'ada@rivera.clinic')]).toEqual([name, false])
  }
  expect(isPlaceholderName('ada', 'ada@rivera.clinic')).toBe(false)
  expect(isPlaceholderName(7, 'ada@rivera.clinic')).toBe(false)
})
