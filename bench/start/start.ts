// How soon the gateway answers, and how much memory it holds: idle, and after many requests.
import { compact, median, type Proof, type Result, rowOf, atMost } from '../harness/rounds.ts'
import type { Cluster, AppContext } from '../harness/environment.ts'
import { load, requestText } from '../harness/load.ts'
import { residentMegabytes } from '../harness/machine.ts'
import type { Options } from '../harness/options.ts'

/** Growth is judged from the tenth part on: before it, code is still being compiled. */
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
          id: 'P14',
          job: 'gateway alone, start to first answer',
          unit: 'ms',
          ours: opened,
          target: atMost(300),
        }),
        rowOf({
          ...common,
          id: 'P15',
          job: 'gateway, idle',
          unit: 'MB',
          ours: idle,
          target: atMost(200),
        }),
        rowOf({
          id: 'P15',
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

/** Half of them pages, half reads that reach the database. */
async function growth(options: Options, environment: AppContext): Promise<Growth> {
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
