// The agreement accepted in the portal.
import { expect, test } from 'bun:test'
import { currentAgreement } from './agreement.ts'
import config from './site.config.ts'

test('the agreement: names its version and both parties, and has no placeholders left', () => {
  const { version, text } = currentAgreement()
  expect(text).toContain(`version ${version}`)
  expect(text).toContain(config.legalName)
  expect(text).not.toMatch(/[{}]/)
})
