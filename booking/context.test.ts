import { expect, test } from 'bun:test'
import { agentText, decided, dryRunId } from './context.ts'

test('booking: a decision whose facts change is repeated, twelve times at most', async () => {
  let attempts = 0
  const never = async () => {
    attempts++
    return null
  }
  await expect(decided(never)).rejects.toThrow('a call changed in each of 12 attempts')
  expect(attempts).toBe(12)
  let changes = 11
  expect(await decided(async () => (changes-- > 0 ? null : 'decided'))).toBe('decided')
})

test('booking: the name of an agent is one line of at most 200 characters', () => {
  expect(agentText('Agent/2\r\n(tests)')).toBe('Agent/2 (tests)')
  expect(agentText(`A${'x'.repeat(199)}`)).toBe(`A${'x'.repeat(199)}`)
  expect(agentText(`A${'x'.repeat(200)}`)).toBe(`A${'x'.repeat(199)}`)
  expect(agentText(null)).toBeNull()
})

test('booking: the id of a dry run has no moment, and a retry gets the same one', () => {
  const id = dryRunId('bkg', 'ada@example.com')
  expect(id).toMatch(/^bkg_0{10}[0-9a-z]{16}$/)
  expect(dryRunId('bkg', 'ada@example.com')).toBe(id)
  expect(dryRunId('bkg', 'eve@example.com')).not.toBe(id)
  expect(dryRunId('clb', 'ada@example.com')).toBe(id.replace('bkg', 'clb'))
})
