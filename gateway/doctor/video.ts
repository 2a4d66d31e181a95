// Checks that the service that carries visits' video responds: each TURN address, or Daily.
import { createSocket } from 'node:dgram'
import { connect as connectPlain, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { randomBytes } from '#database/clock.ts'
import type { VideoSettings } from '#clinical/rooms/open-video.ts'
import { fault, type Finding, ok, reasonOf } from './finding.ts'

const milliseconds = 3000

export async function videoFindings({ turn, daily }: VideoSettings): Promise<Finding[]> {
  if (daily !== undefined) return [await askDaily(daily)]
  if (turn === undefined) return [ok('video', direct)]
  return Promise.all(turn.urls.map((url, at) => askTurn(url, `TURN server ${at + 1}`)))
}

const direct =
  'Browser to browser only. Set TURN_URLS or DAILY_API_KEY to reach patients whose networks block that.'

/** Reads the key's account, because that request creates nothing. */
async function askDaily({ origin, key }: NonNullable<VideoSettings['daily']>): Promise<Finding> {
  const name = 'Daily'
  try {
    const answer = await fetch(`${origin}/`, {
      headers: { authorization: `Bearer ${key}` },
      redirect: 'error',
      signal: AbortSignal.timeout(milliseconds),
    })
    await answer.body?.cancel()
    if (answer.ok) return ok(name, 'Responds and accepts the key.')
    return fault(name, `Rejected DAILY_API_KEY with ${answer.status}.`)
  } catch (failure) {
    return fault(name, `No response: ${reasonOf(failure)}`)
  }
}

async function askTurn(url: string, name: string): Promise<Finding> {
  const [, scheme, host = '', port, transport] =
    /^(turns?):(.+?)(?::(\d+))?(?:\?transport=(tcp|udp))?$/.exec(url) ?? []
  const isTls = scheme === 'turns'
  const target = {
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(port ?? (isTls ? 5349 : 3478)),
  }
  try {
    await (isTls || transport === 'tcp' ? connected(target, isTls) : bound(target))
    return ok(name, 'Responds.')
  } catch (failure) {
    return fault(name, `No response: ${reasonOf(failure)}`)
  }
}

type Target = { host: string; port: number }

/** Over TLS, verifies the server's certificate, as browsers do. */
function connected(target: Target, isTls: boolean): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const servername = isIP(target.host) === 0 ? { servername: target.host } : {}
  const socket = isTls ? connectTls({ ...target, ...servername }) : connectPlain(target)
  socket.once(isTls ? 'secureConnect' : 'connect', () => resolve())
  socket.once('error', reject)
  return within(promise, () => socket.destroy())
}

/** A STUN Binding request, which needs no credential (RFC 8489 section 5). */
function bound({ host, port }: Target): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const request = Buffer.concat([Buffer.from('000100002112a442', 'hex'), randomBytes(12)])
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  socket.on('error', reject)
  socket.on('message', answer => {
    const isSuccess = answer.length >= 20 && answer.readUInt16BE(0) === 0x0101
    if (isSuccess && request.subarray(4).equals(answer.subarray(4, 20))) resolve()
  })
  socket.send(request, port, host, failure => {
    if (failure) reject(failure)
  })
  return within(promise, () => socket.close())
}

async function within(work: Promise<void>, close: () => void): Promise<void> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('no response in time.')), milliseconds)
  try {
    await Promise.race([work, late.promise])
  } finally {
    clearTimeout(timer)
    close()
  }
}
