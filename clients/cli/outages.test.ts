// `svc listen` through lost connections and expiring tokens. With LISTEN_MINUTES, also for hours.

import { expect } from 'bun:test'
import path from 'node:path'
import { until } from '#http/testing/until.ts'
import { openProxy } from './testing/proxy.ts'
import { openReceiver } from './testing/receiver.ts'
import { useCli } from './testing/use-cli.ts'
import { waitsWith } from './testing/waits.ts'
import { watch } from './testing/watch.ts'
import { openWriter } from './testing/writer.ts'

/**
 * The number of minutes for the long run of `listen`, in which `listen` uses its normal timings.
 */
const minutes = Number(process.env['LISTEN_MINUTES'] ?? 0)
const timeoutMs = 300_000 + minutes * 70_000
const waits = waitsWith(useCli())

const secretLine = /Listening to .* \(test mode\)\. Signing secret: (whsec_\w{32})/
waits(
  'listen: what a lost connection missed is counted, or filled in order and once',
  async (own, env) => {
    const { shell, platform } = own
    const { write } = await openWriter(own)
    const receiver = openReceiver()
    const proxy = await openProxy(platform.base)
    const address = ['--base-url', proxy.base]
    const filling = shell.start(['listen', '-f', receiver.address, '--backfill', ...address], {
      env,
    })
    const counting = shell.start(['listen', ...address], { env })
    const talks = [watch(filling.stderr), watch(counting.stderr)]
    const lines = watch(filling.stdout)
    for (const talk of talks) await talk.until(secretLine)
    const before = await write(2)
    await receiver.received(2)
    proxy.cut()
    for (const talk of talks) await talk.until(/Connection lost/)
    const during = await write(101)
    void proxy.join()
    await talks[0]?.until(/Delivered 101 events missed while disconnected\./)
    await talks[1]?.until(/Missed 101 events while disconnected\./)
    const after = await write(2)
    const posted = await receiver.received(105)
    await lines.until(new RegExp(`${after[1]}  → 200`))
    // New events arrive now, while missed events are being read.
    proxy.cut()
    await talks[0]?.until(/Connection lost[^]*Connection lost/)
    const all = [...before, ...during, ...after, ...(await write(101))]
    await proxy.join()
    const again = talks[0]?.until(/Delivered 101[^]*Delivered \d+ events/)
    const isOver = async () => (await Promise.race([again, undefined])) !== undefined
    while (!(await isOver())) all.push(...(await write(5)))
    await receiver.received(all.length)
    await lines.until(new RegExp(`${all.at(-1)}  → 200`))
    for (const child of [filling, counting]) child.kill('SIGINT')
    expect(posted.map(({ id }) => id)).toEqual(all)
    const shown = (await lines.all).trim().split('\n')
    expect(shown.filter(line => line.startsWith('↻')).length).toBeGreaterThanOrEqual(101 + 101)
    const messages = await talks[1]?.all
    const command = /svc (events list --since \S+ --all)/.exec(messages ?? '')?.[1] ?? ''
    const missed = await shell.run([...command.split(' '), '--format', 'ids'], { env })
    expect(missed.out.split('\n').slice(0, 101)).toEqual(during)
    proxy.close()
    void receiver.close()
  },
  timeoutMs,
)

waits(
  'listen: a token that ends is renewed beforehand, and no event is lost or doubled',
  async (own, env) => {
    const { shell, call } = own
    const { write } = await openWriter(own)
    const place = path.join(shell.home, 'renewing')
    const entry = path.join(import.meta.dir, 'testing/renewing.ts')
    await Bun.build({ entrypoints: [entry], outdir: place, target: 'node', format: 'esm' })
    const child = Bun.spawn([shell.node, path.join(place, 'renewing.js')], {
      env: { ...shell.env, ...env, ...(minutes > 0 ? {} : { RENEW_MS: '200' }) },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const lines = watch(child.stdout)
    await lines.until(/subscribed/)
    const tokens = async () => {
      const path = '/preview/requests?operation=createRealtimeToken&limit=100'
      return (await call('GET', path)).data.length
    }
    const ids: string[] = []
    const end = Date.now() + minutes * 60_000
    while (Date.now() < end || (await tokens()) <= (minutes > 0 ? minutes / 60 : 4)) {
      ids.push(...(await write(5)))
      await lines.until(new RegExp(ids.at(-1) ?? ''))
      const next = Date.now() + (minutes > 0 ? 1000 : 0)
      await until(() => Date.now() >= next)
    }
    child.kill()
    const shown = (await lines.all).trim().split('\n').slice(1)
    expect(shown).toEqual(ids)
  },
  timeoutMs,
)

if (minutes > 0) {
  waits(
    `listen: ${minutes} minutes with an outage of ten in each half an hour`,
    async own => {
      const { shell, platform, call } = own
      const { write } = await openWriter(own)
      const receiver = openReceiver()
      const proxy = await openProxy(platform.base)
      const args = ['listen', '-f', receiver.address, '--backfill', '--base-url', proxy.base]
      const child = shell.start(args, { env: { SVC_API_KEY: platform.key } })
      const [talk, lines] = [watch(child.stderr), watch(child.stdout)]
      await talk.until(secretLine)
      const ids: string[] = []
      const started = Date.now()
      let [isCut, outages] = [false, 0]
      while (Date.now() < started + minutes * 60_000) {
        const minute = (Date.now() - started) / 60_000
        if (minute % 30 >= 20 && !isCut) {
          proxy.cut()
          outages++
        } else if (minute % 30 < 20 && isCut) void proxy.join()
        isCut = minute % 30 >= 20
        ids.push(...(await write(1)))
        const next = Date.now() + 2000
        await until(() => Date.now() >= next)
      }
      void proxy.join()
      const posted = await receiver.received(ids.length)
      await lines.until(new RegExp(`${ids.at(-1)}  → 200`))
      child.kill('SIGINT')
      expect(posted.map(({ id }) => id)).toEqual(ids)
      const filled = (await talk.all).match(/Delivered \d+ events/g) ?? []
      expect(filled.length).toBeGreaterThanOrEqual(outages)
      const path = '/preview/requests?operation=createRealtimeToken&limit=100'
      const tokens = (await call('GET', path)).data.length
      console.log(
        `${ids.length} events, ${outages} outages, ${tokens} tokens; ${filled.join(', ')}`,
      )
      proxy.close()
      void receiver.close()
    },
    timeoutMs,
  )
}
