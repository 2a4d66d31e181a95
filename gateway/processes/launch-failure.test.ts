import { SQL } from 'bun'
import { expect, test } from 'bun:test'
import { LaunchError } from '#database/launch-error.ts'
import { ConfigError } from '../settings/config.ts'
import { launchFailure } from './launch-failure.ts'

test('a process without its database reports in one sentence what is wrong and how to check it', async () => {
  // Nothing listens on this port.
  await using sql = new SQL('postgres://app:password@127.0.0.1:9/telehealth', { max: 1 })
  const failure: unknown = await sql`select 1`.catch((error: unknown) => error)
  const { text, exitCode } = launchFailure(failure)
  expect(text).toMatch(
    /^The database can't be used: [^\n]+\. `npm run admin -- doctor` checks it\.$/,
  )
  expect(exitCode).toBe(1)
})

test('an expired database certificate is reported as a database problem', () => {
  const failure = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' })
  expect(launchFailure(failure).text).toStartWith(
    "The database can't be used: certificate has expired. ",
  )
})

test('an invalid setting has its own exit code, and an internal error keeps its stack', () => {
  expect(launchFailure(new ConfigError('PORT'))).toEqual({ text: 'PORT', exitCode: 2 })
  expect(launchFailure(new LaunchError('full'))).toEqual({ text: 'full', exitCode: 1 })
  const fault = new TypeError('ours')
  expect(launchFailure(fault)).toEqual({ text: fault, exitCode: 1 })
})
