// `svc doctor`: checks the path from this machine to the API, step by step.

import { lookup } from 'node:dns/promises'
import { causeCode } from '../../../typescript/src/errors.ts'
import type { Family } from '../arguments.ts'
import type { Context } from '../context.ts'
import { modeOf, secretOf } from '../credentials/credential.ts'
import { now } from '../environment.ts'
import { CommandError } from '../errors.ts'
import { proxyOf, send } from '../network.ts'
import { version } from '../version.ts'

type Finding = {
  readonly check: string
  readonly ok: boolean
  readonly found: string
  /** How to fix a failed check. */
  readonly todo?: string
}

const skewMaxSeconds = 60

/** A proxy resolves host names itself, so this checks only the proxy's own name. */
async function addressChecks(baseUrl: string): Promise<Finding[]> {
  const proxy = proxyOf(baseUrl)
  if (proxy === undefined) return [await addressCheck(new URL(baseUrl).hostname)]
  const found = `${proxy}, from the environment`
  const way: Finding = { check: 'proxy', ok: true, found }
  return [way, await addressCheck(new URL(proxy).hostname)]
}

async function addressCheck(host: string): Promise<Finding> {
  const check = 'address'
  try {
    const { address } = await lookup(host.replace(/^\[|\]$/g, ''))
    return { check, ok: true, found: `${host} is ${address}` }
  } catch {
    const todo = 'Check `svc config get base_url` and your network.'
    return { check, ok: false, found: `DNS lookup of ${host} failed`, todo }
  }
}

type Reached = { readonly finding: Finding; readonly date?: number }

/** Includes the TLS handshake, whose error explains a failure. */
async function connectionCheck(baseUrl: string): Promise<Reached> {
  const check = baseUrl.startsWith('https') ? 'connection and certificate' : 'connection'
  const began = now()
  try {
    const response = await send(`${baseUrl}/api/health`, { signal: AbortSignal.timeout(10_000) })
    await response.arrayBuffer()
    const date = Date.parse(response.headers.get('date') ?? '')
    const found = `responded with ${response.status} in ${now() - began} ms`
    return {
      finding: { check, ok: response.status < 500, found },
      ...(Number.isNaN(date) ? {} : { date }),
    }
  } catch (error) {
    const { name } = error as Error
    const todo = 'Check the URL, your firewall and your certificates.'
    return { finding: { check, ok: false, found: causeCode(error) ?? name, todo } }
  }
}

function clockCheck(date: number | undefined): Finding {
  const check = 'clock'
  if (date === undefined) return { check, ok: true, found: 'the server sent no Date' }
  const skew = Math.round((now() - date) / 1000)
  const found = `${Math.abs(skew)} s ${skew < 0 ? 'behind' : 'ahead of'} the server`
  return Math.abs(skew) <= skewMaxSeconds
    ? { check, ok: true, found }
    : { check, ok: false, found, todo: 'Set your clock. Webhook signatures would be refused.' }
}

const failing = (check: string, error: unknown): Finding => {
  if (!(error instanceof CommandError)) throw error
  return { check, ok: false, found: error.message, ...(error.hint ? { todo: error.hint } : {}) }
}

type Access = { readonly findings: Finding[]; readonly scopes: readonly string[] }

async function accessCheck(context: Context): Promise<Access> {
  try {
    const { body } = await context.api.call({ method: 'GET', path: '/v1/organization' })
    const { name, scopes } = body as { name: string; scopes: readonly string[] }
    const credential = await context.credential()
    const mode = credential ? modeOf(secretOf(credential)) : undefined
    const found = `${name}, ${mode ?? 'unknown'} mode, from ${context.credentialSource()}`
    return {
      findings: [
        { check: 'login', ok: true, found },
        { check: 'scopes', ok: scopes.length > 0, found: scopes.join(', ') || 'none' },
      ],
      scopes,
    }
  } catch (error) {
    return { findings: [failing('login', error)], scopes: [] }
  }
}

async function realtimeCheck(context: Context): Promise<Finding> {
  const check = 'realtime'
  const { NoChannel, openSocket } = await import('../realtime/socket.ts')
  try {
    const socket = await openSocket(context.api, () => {})
    socket.close()
    return { check, ok: true, found: socket.hello.channel }
  } catch (error) {
    if (!(error instanceof NoChannel)) return failing(check, error)
    const todo = 'A proxy may block WebSockets. `svc listen` then polls every 2 s.'
    return { check, ok: false, found: error.message, todo }
  }
}

async function doctor(context: Context): Promise<void> {
  const { settings, out } = context
  const { baseUrl } = settings
  const findings: Finding[] = [
    { check: 'settings', ok: true, found: `${settings.configFile}, profile ${settings.profile}` },
    {
      check: 'program',
      ok: true,
      found: `svc ${version}, ${process.release.name} ${process.version}`,
    },
    ...(await addressChecks(baseUrl)),
  ]
  const { finding, date } = await connectionCheck(baseUrl)
  findings.push(finding)
  if (finding.ok) {
    findings.push(clockCheck(date))
    const access = await accessCheck(context)
    findings.push(...access.findings)
    if (access.scopes.includes('realtime:subscribe')) findings.push(await realtimeCheck(context))
  }
  if (out.format === 'table') {
    for (const { check, ok, found, todo } of findings) {
      out.text(`${ok ? 'ok    ' : 'FAILED'} ${check}: ${found}\n${todo ? `       ${todo}\n` : ''}`)
    }
  } else await out.print(findings)
  const failed = findings.filter(({ ok }) => !ok).length
  if (failed > 0)
    throw new CommandError('checkFailed', `${failed} of ${findings.length} checks failed`)
}

export const doctorFamily: Family = (command, open) => {
  command.action(() => doctor(open(command)))
}
