// `svc listen` as a developer has it for hours: in order, signed, across lost connections and
// tokens that end.

import { describe, expect, test } from 'bun:test'
import path from 'node:path'
import { rivera } from '#contract/examples.ts'
import { openProxy } from './testing/proxy.ts'
import type { Cli } from './testing/use-cli.ts'
import { watch } from './testing/watch.ts'

/** The long form: with the usual times. */
const minutes = Number(process.env['LISTEN_MINUTES'] ?? 0)
const writingMs = Math.max(3500, minutes * 60_000)

type Posted = { type: string; id: string; signature: string; delivery: string; body: string }

function openReceiver() {
  const posted: Posted[] = []
  let slowMs = 0
  let check = () => {}
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const body = await request.text()
      const header = (name: string) => request.headers.get(`service-${name}`) ?? ''
      const [type, id] = [header('event-type'), header('event-id')]
      posted.push({
        type,
        id,
        signature: header('signature'),
        delivery: header('delivery-id'),
        body,
      })
      check()
      await Bun.sleep(slowMs)
      return new Response('received', { status: type === 'order.failed.v1' ? 500 : 200 })
    },
  })
  return {
    posted,
    address: `localhost:${server.port}/webhooks`,
    beSlow: (ms: number) => void (slowMs = ms),
    received: (count: number) =>
      new Promise<Posted[]>(resolve => {
        check = () => posted.length >= count && resolve(posted)
        check()
      }),
    close: () => server.stop(true),
  }
}

const isSigned = ({ signature, body }: Posted, secret: string) => {
  const time = /t=(\d+)/.exec(signature)?.[1] ?? ''
  const digest = new Bun.CryptoHasher('sha256', secret).update(`${time}.${body}`).digest('hex')
  return signature === `t=${time},v1=${digest}`
}

export function listenSuite(cli: Cli): void {
  const env = () => ({ SVC_API_KEY: cli.platform.key })
  const trigger = async (type = 'order.shipped.v1') =>
    String((await cli.call('POST', '/v1/test/webhooks/trigger', { type }))['id'])
  type Events = { data: { id: string }[] }
  const eventsAfter = async (id: string): Promise<string[]> => {
    const path = `/v1/events?limit=100&starting_after=${id}`
    const { data } = (await cli.call('GET', path)) as unknown as Events
    const ids = data.map(event => event.id)
    return ids.length < 100 ? ids : [...ids, ...(await eventsAfter(ids.at(-1) ?? ''))]
  }
  let changed = 0
  /** Writes so many events about one patient, whose changes no limit counts; their ids. */
  const writeEvents = async (patient: string, count: number): Promise<string[]> => {
    const { data } = (await cli.call('GET', '/v1/events?limit=100')) as unknown as Events
    const last = (await eventsAfter(data.at(-1)?.id ?? '')).at(-1) ?? data.at(-1)?.id ?? ''
    for (let at = 0; at < count; at++) {
      const phone = `+1415555${String(++changed).padStart(4, '0')}`
      await cli.call('PATCH', `/v1/patients/${patient}`, { phone })
    }
    return eventsAfter(last)
  }
  const newPatient = async () => String((await cli.call('POST', '/v1/patients', rivera))['id'])
  const secretLine = /Listening on test channel of .*\. Signing secret: (whsec_\w{32})/

  describe('listen', () => {
    test('posts each event once, in order, signed, and as the API returns it', async () => {
      const receiver = openReceiver()
      receiver.beSlow(20)
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
      const headers = { authorization: `Bearer ${cli.platform.key}` }
      const event = await fetch(`${cli.platform.base}/v1/events/${ids[0]}`, { headers })
      expect(posted.find(({ id }) => id === ids[0])?.body).toBe(await event.text())
      expect(await talk.all).toContain('5 forwarded, 1 failed; 1 of other types skipped.')
      void receiver.close()
    }, 30_000)

    test('a lost connection: what was missed is counted, or filled in order and once', async () => {
      const patient = await newPatient()
      const receiver = openReceiver()
      const proxy = await openProxy(cli.platform.base)
      const address = ['--base-url', proxy.base]
      const filling = cli.shell.start(
        ['listen', '-f', receiver.address, '--backfill', ...address],
        {
          env: env(),
        },
      )
      const counting = cli.shell.start(['listen', ...address], { env: env() })
      const talks = [watch(filling.stderr), watch(counting.stderr)]
      const lines = watch(filling.stdout)
      for (const talk of talks) await talk.until(secretLine)
      const before = await writeEvents(patient, 2)
      await receiver.received(2)
      proxy.cut()
      for (const talk of talks) await talk.until(/Connection lost/)
      const during = await writeEvents(patient, 150)
      proxy.join()
      await talks[0]?.until(/Filled 150 events while disconnected\./)
      await talks[1]?.until(/Missed 150 events while disconnected\./)
      const after = await writeEvents(patient, 2)
      const posted = await receiver.received(154)
      await lines.until(new RegExp(`${after[1]}  → 200`))
      // Now events come while those that were missed are being read.
      proxy.cut()
      await talks[0]?.until(/Connection lost[^]*Connection lost/)
      const all = [...before, ...during, ...after, ...(await writeEvents(patient, 120))]
      proxy.join()
      const again = talks[0]?.until(/Filled 150[^]*Filled \d+ events/)
      const isOver = async () => (await Promise.race([again, undefined])) !== undefined
      while (!(await isOver())) all.push(...(await writeEvents(patient, 5)))
      await receiver.received(all.length)
      await lines.until(new RegExp(`${all.at(-1)}  → 200`))
      for (const child of [filling, counting]) child.kill('SIGINT')
      expect(posted.map(({ id }) => id)).toEqual(all)
      const shown = (await lines.all).trim().split('\n')
      expect(shown.filter(line => line.startsWith('↻')).length).toBeGreaterThanOrEqual(150 + 120)
      expect(await talks[1]?.all).toMatch(/svc events list --since \d{4}-/)
      proxy.close()
      void receiver.close()
    }, 30_000)

    test(
      'a token that ends is renewed beforehand, and no event is lost or doubled',
      async () => {
        const patient = await newPatient()
        const place = path.join(cli.shell.home, 'renewing')
        const entry = path.join(import.meta.dir, 'testing/renewing.ts')
        await Bun.build({ entrypoints: [entry], outdir: place, target: 'node', format: 'esm' })
        const child = Bun.spawn([cli.shell.node, path.join(place, 'renewing.js')], {
          env: { ...cli.shell.env, ...env(), ...(minutes > 0 ? {} : { RENEW_MS: '500' }) },
          stdout: 'pipe',
          stderr: 'pipe',
        })
        const lines = watch(child.stdout)
        await lines.until(/subscribed/)
        const ids: string[] = []
        for (const end = Date.now() + writingMs; Date.now() < end;) {
          ids.push(...(await writeEvents(patient, 5)))
          if (minutes > 0) await Bun.sleep(1000)
        }
        await lines.until(new RegExp(ids.at(-1) ?? ''))
        child.kill()
        const shown = (await lines.all).trim().split('\n').slice(1)
        expect(shown).toEqual(ids)
        const asked = await cli.call(
          'GET',
          '/preview/requests?operation=createRealtimeToken&limit=100',
        )
        expect(asked.data.length).toBeGreaterThan(minutes > 0 ? minutes / 60 : 4)
      },
      30_000 + minutes * 70_000,
    )

    test('a secret can be kept in a file; addresses elsewhere and live keys need a flag', async () => {
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
