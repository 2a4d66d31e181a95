// The time until the gateway responds, and its memory when idle and after many requests.
import { compact, median, type Proof, type Result, rowOf, atMost } from '../harness/rounds.ts'
import type { Cluster, BenchEnvironment } from '../harness/environment.ts'
import { load, requestText } from '../harness/load.ts'
import { residentMegabytes } from '../harness/machine.ts'
import type { Options } from '../harness/options.ts'
import { targetOf } from '../report/targets.ts'

/** Growth is measured after the first tenth, during which code is still being compiled. */
const requests = 1_000_000
const secondsMax = 120

export async function startUp(options: Options, cluster: Cluster): Promise<Result> {
  return cluster.withEnvironment('start', async environment => {
    const opened: number[] = []
    const idle: number[] = []
    for (let round = 0; round <= options.rounds; round++) {
      const gateway = await environment.openGateway()
      await Bun.sleep(options.isShort ? 0 : 1000)
      if (round > 0) {
        opened.push(gateway.opened)
        idle.push(residentMegabytes(gateway.pid))
      }
      await gateway.stop()
    }
    const grown = await growth(options, environment)
    const common = { peer: null }
    return {
      rows: [
        rowOf({
          ...common,
          job: 'gateway alone, start to first answer',
          unit: 'ms',
          ours: opened,
          target: targetOf('P14'),
        }),
        rowOf({
          ...common,
          job: 'gateway, idle',
          unit: 'MB',
          ours: idle,
          target: targetOf('P15 idle'),
        }),
        rowOf({
          ...common,
          job: `gateway, after ${compact(grown.answers)} requests, in all`,
          unit: 'MB',
          ours: [grown.after],
          target: targetOf('P15 busy'),
        }),
        rowOf({
          job: `gateway, after ${compact(grown.answers)} requests`,
          unit: 'MB',
          ours: [grown.after],
          peer: { name: 'itself after a tenth of them', rounds: [grown.before] },
          target: atMost(1.1),
        }),
      ],
      notes: [`start: from ${compact(Math.min(...opened))} to ${compact(median(opened))} ms`],
      proofs: grown.proofs,
    }
  })
}

type Growth = { answers: number; before: number; after: number; proofs: Proof[] }

/** Half of the requests are pages, half are reads of the database. */
async function growth(options: Options, environment: BenchEnvironment): Promise<Growth> {
  const [tenant] = await environment.openTenants(1)
  const gateway = await environment.openGateway()
  const texts = [
    requestText('GET', '/', { accept: 'text/html' }),
    requestText('GET', '/v1/organization', { authorization: `Bearer ${tenant?.key ?? ''}` }),
  ]
  const send = (share: number) =>
    load({
      port: gateway.port,
      connections: 8,
      seconds: secondsMax * share,
      requestsMax: Math.min(requests, options.requestsMax) * share,
      texts,
    })
  const first = await send(0.1)
  const before = residentMegabytes(gateway.pid)
  const rest = await send(0.9)
  const after = residentMegabytes(gateway.pid)
  await gateway.stop()
  const answers = first.answers + rest.answers
  const found = (first.statuses['200'] ?? 0) + (rest.statuses['200'] ?? 0)
  const proofs = [{ what: 'growth: answers that are 200', expected: answers, found }]
  return { answers, before, after, proofs }
}
