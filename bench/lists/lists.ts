// Reads the typed lists over HTTP, from first page to last, compared with an echo server.
import { startEcho } from '../ask/ask.ts'
import { allAnswered, costLine } from '../harness/meter.ts'
import { requestText } from '../harness/load.ts'
import type { Options } from '../harness/options.ts'
import { interleave, type Result, rowOf } from '../harness/rounds.ts'
import { atLeast } from '../targets.ts'
import { type Server, startSiteGateway, withClosers } from '../harness/server.ts'
import { writeSite } from '../harness/site.ts'
import { openSides } from '../harness/sides.ts'

const articles = 100
const connections = 8

/** Requests for every page of the list with this page size, like a crawler's. */
async function pagesOf({ port }: Server, limit: number): Promise<string[]> {
  const texts: string[] = []
  let path: string | undefined = `/api/articles?limit=${limit}`
  while (path !== undefined) {
    texts.push(requestText('GET', path))
    const answer: Response = await fetch(`http://127.0.0.1:${port}${path}`)
    await answer.arrayBuffer()
    path = /^<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return texts
}

export async function listPages(options: Options): Promise<Result> {
  return withClosers(async onClose => {
    const site = await writeSite(articles)
    onClose(() => site.remove())
    const gateway = await startSiteGateway({ site: site.folder })
    onClose(() => gateway.stop())
    const echo = await startEcho()
    onClose(() => echo.stop())
    const { side, loads } = openSides(options, connections)
    const [two, twenty] = [await pagesOf(gateway, 2), await pagesOf(gateway, 20)]
    const runs = await interleave(options.rounds, {
      two: side(gateway, two),
      twenty: side(gateway, twenty),
      echo: side(echo, twenty),
    })
    const rates = (name: keyof typeof runs) => (runs[name] ?? []).map(run => run.perSecond)
    const common = {
      unit: '/s',
      target: atLeast(0.25),
      peer: { name: 'an echo in Bun.serve', rounds: rates('echo') },
    }
    return {
      rows: [
        rowOf({ ...common, job: '/api/articles through HTTP, by 2', ours: rates('two') }),
        rowOf({ ...common, job: '  by 20', ours: rates('twenty') }),
      ],
      notes: [
        costLine('/api/articles by 2', runs['two'] ?? []),
        costLine('  by 20', runs['twenty'] ?? []),
        costLine('  echo', runs['echo'] ?? []),
      ],
      proofs: [
        allAnswered('/api/articles and echo', '200', loads),
        {
          what: 'pages of the list, by 2 and by 20',
          expected: 55,
          found: two.length + twenty.length,
        },
      ],
    }
  })
}
