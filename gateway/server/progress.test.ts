import { expect, test } from 'bun:test'
import { openProgress } from './progress.ts'

const capture = (isTransient: boolean) => {
  let text = ''
  const output = { write: (more: string) => (text += more), columns: 20 }
  return { ...openProgress(output, isTransient), text: () => text }
}

test('progress: a log keeps every line', () => {
  const { say, clear, text } = capture(false)
  say('Installing packages …')
  clear()
  expect(text()).toBe('Installing packages …\n')
})

test('progress: on a terminal, each line replaces the previous one, and the last is cleared', () => {
  const { say, clear, text } = capture(true)
  say('Building the site from its sources …')
  say('  done in 4.0 s')
  clear()
  clear()
  expect(text()).toBe('\r\u001b[KBuilding the site f\r\u001b[Kdone in 4.0 s\r\u001b[K')
})
