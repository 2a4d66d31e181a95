// `svc listen` posts events in order, signed, and only to allowed addresses. outages.test.ts tests
// `svc listen` through outages.

import { describe, expect, test } from 'bun:test'
import path from 'node:path'
import { clockAhead } from './testing/clock-ahead.ts'
import { openReceiver, type Posted } from './testing/receiver.ts'
import type { Cli } from './testing/use-cli.ts'
import { watch } from './testing/watch.ts'

const isSigned = ({ signature, body }: Posted, secret: string) => {
  const time = /t=(\d+)/.exec(signature)?.[1] ?? ''
  const digest = new Bun.CryptoHasher('sha256', secret).update(`${time}.${body}`).digest('hex')
  return signature === `t=${time},v1=${digest}`
}

export function listenSuite(cli: Cli): void {
  const env = () => ({ SVC_API_KEY: cli.platform.key })
  const trigger = async (type = 'order.shipped.v1') =>
    String((await cli.call('POST', '/v1/test/webhooks/trigger', { type }))['id'])
  const secretLine = /Listening to .* \(test mode\)\. Signing secret: (whsec_\w{32})/

  describe('listen', () => {
    test('posts each event once, in order, signed, and as the API returns it', async () => {
      const receiver = openReceiver()
      const words = ['listen', '-f', receiver.address, '--events', 'order.*']
      const child = cli.shell.start(words, { env: env() })
      const talk = watch(child.stderr)
      const lines = watch(child.stdout)
      const secret = await talk.until(secretLine)
      await trigger('case.approved.v1')
      const ids = await Promise.all([trigger(), trigger(), trigger(), trigger()])
      ids.push(await trigger('order.failed.v1'))
      const posted = await receiver.received(5)
      await lines.until(/order\.failed\.v1 .* → 500 in \d+ ms {2}received\n/)
      child.kill('SIGINT')
      expect(await child.exited).toBe(130)
      expect(posted.map(({ id }) => id)).toEqual(ids.toSorted())
      expect(posted.map(({ delivery }) => delivery)).toEqual(
        [1, 2, 3, 4, 5].map(at => `dlv_local_${at}`),
      )
      expect(posted.filter(one => isSigned(one, secret))).toHaveLength(5)
      expect(receiver.most()).toBe(1)
      const headers = { authorization: `Bearer ${cli.platform.key}` }
      const event = await fetch(`${cli.platform.base}/v1/events/${ids[0]}`, { headers })
      expect(posted.find(({ id }) => id === ids[0])?.body).toBe(await event.text())
      expect(await talk.all).toContain('5 forwarded, 1 failed; 1 of other types skipped.')
      void receiver.close()
    }, 30_000)

    test('a clock an hour ahead doesn’t renew the token again and again', async () => {
      const words = ['events', 'tail', '--verbose', '--format', 'ids']
      const child = cli.shell.start(words, { env: { ...env(), ...clockAhead } })
      const [talk, lines] = [watch(child.stderr), watch(child.stdout)]
      await talk.until(/Waiting for events/)
      for (let at = 0; at < 3; at++) await lines.until(new RegExp(await trigger()))
      child.kill('SIGINT')
      expect((await talk.all).match(/^POST \/v1\/realtime\/tokens → 201/gm)).toHaveLength(1)
    })

    test('a secret can be kept in a file; remote addresses and live keys need a flag', async () => {
      const file = path.join(cli.shell.home, 'listen-secret')
      const kept = ['listen', '--secret', `@${file}`, '--print-secret']
      const live = `svc_sk_live_${'a'.repeat(40)}`
      const ran = await cli.shell.runAll(
        [
          kept,
          kept,
          ['listen', '--print-secret'],
          ['listen', '-f', 'https://hooks.example.com'],
          ['listen', '--events', 'case.aproved.v1'],
        ],
        { env: env() },
      )
      expect(ran.map(({ code }) => code)).toEqual([0, 0, 2, 2, 2])
      expect(ran[0]?.out).toMatch(/^whsec_\w{32}\n$/)
      expect(ran[1]?.out).toBe(ran[0]?.out ?? '')
      const refused = await cli.shell.run(['listen'], { env: { SVC_API_KEY: live } })
      expect([refused.code, refused.err.includes('--live')]).toEqual([2, true])
    })
  })
}
