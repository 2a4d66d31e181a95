// Calls one tool through the complete gateway, in both protocol versions, compared with servers
// that use the protocol's own libraries and have only that tool, and with a bare echo server.
import path from 'node:path'
import { freePort } from '#database/embedded/postmaster.ts'
import { allAnswered, costLine } from '../harness/meter.ts'
import { startEcho } from '../ask/ask.ts'
import { bareName, startBare } from '../harness/bare.ts'
import { requestText } from '../harness/load.ts'
import type { Options } from '../harness/options.ts'
import { interleave, type Result, rowOf } from '../harness/rounds.ts'
import { type Server, startSiteGateway, startServer, withClosers } from '../harness/server.ts'
import { writeSite } from '../harness/site.ts'
import type { PeerSettings } from './tool-peer.ts'
import { openSides } from '../harness/sides.ts'
import { targetOf, type TargetId } from '../targets.ts'

const connections = 8
const [common, newest] = [
  { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'get_overview',
  },
]
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** The tool call in the format of that version's clients. */
function callText(isModern: boolean): string {
  const params = { name: 'get_overview', arguments: {}, ...(isModern ? { _meta: meta } : {}) }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  return requestText('POST', '/mcp', { ...common, ...(isModern ? newest : {}) }, body)
}

export async function toolCalls(options: Options): Promise<Result> {
  return withClosers(async onClose => {
    const site = await writeSite(10)
    onClose(() => site.remove())
    const file = path.join(site.folder, 'catalog', 'overview.json')
    const start = async (opening: Promise<Server>): Promise<Server> => {
      const server = await opening
      onClose(() => server.stop())
      return server
    }
    const ours = await start(startSiteGateway({ site: site.folder }))
    const next = await start(startPeer('next', file))
    const former = await start(startPeer('former', file))
    const echo = await start(startEcho())
    const { side, loads } = openSides(options, connections)
    const [plain, modern] = [[callText(false)], [callText(true)]]
    const bare = await start(startBare(ours, callText(false)))
    const runs = await interleave(options.rounds, {
      ours: side(ours, plain),
      oursModern: side(ours, modern),
      next: side(next, plain),
      nextModern: side(next, modern),
      former: side(former, plain),
      echo: side(echo, plain),
      bare: side(bare, plain),
    })
    const rates = (name: string) => (runs[name] ?? []).map(run => run.perSecond)
    const row = (job: string, name: string, peer: string, title: string, target: TargetId | null) =>
      rowOf({
        unit: '/s',
        job,
        ours: rates(name),
        peer: { name: title, rounds: rates(peer) },
        target: target === null ? null : targetOf(target),
      })
    return {
      rows: [
        row('tools/call, 2025-11-25', 'ours', 'next', 'McpServer of server 2.4', 'P12 new library'),
        row(
          'tools/call, 2026-07-28',
          'oursModern',
          'nextModern',
          'McpServer of server 2.4',
          'P12 new library',
        ),
        row('tools/call, 2025-11-25', 'ours', 'former', 'McpServer of sdk 1.x', 'P12 old library'),
        row('tools/call, 2025-11-25', 'ours', 'echo', 'an echo in Bun.serve', null),
        row('tools/call, 2025-11-25', 'ours', 'bare', bareName, null),
      ],
      notes: Object.entries(runs).map(([name, all]) => costLine(name, all)),
      proofs: [allAnswered('every side', '200', loads)],
    }
  })
}

async function startPeer(line: PeerSettings['line'], file: string): Promise<Server> {
  const port = await freePort()
  const settings: PeerSettings = { port, line, file }
  const command = [process.execPath, path.join(import.meta.dir, 'tool-peer.ts')]
  return startServer({ command, port, input: JSON.stringify(settings) })
}
