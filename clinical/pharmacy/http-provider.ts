// Transmits prescriptions over HTTP: one signed POST to the pharmacy's address, which responds with
// its reference for the order (docs/pharmacies.md).

import { pharmacyLimits, transmissionType } from '#contract/pharmacy/protocol.ts'
import { resolveAddress } from '#http/outgoing/addresses.ts'
import type { Outgoing } from '#http/outgoing/get.ts'
import { kindOfFailure, type Limit, limitOf, sendTo } from '#http/outgoing/pinned-request.ts'
import { parseJson } from '#http/json-body.ts'
import { readUpTo } from '#http/outgoing/read-up-to.ts'
import type {
  Pharmacy,
  PharmacyProvider,
  Prescribed,
  TransmissionError,
  Transmitted,
} from './provider.ts'
import { signedHeaders } from './signature.ts'

export type HttpProviderOptions = {
  readonly outgoing: Outgoing
  now(): number
}

export const httpPharmacy = (options: HttpProviderOptions): PharmacyProvider => ({
  async transmit(pharmacy, prescribed, cut) {
    const { outgoing } = options
    const limit = limitOf(outgoing.seconds * 1000, cut)
    try {
      // A body that never ends must not outlast the limit, even while a read is pending.
      const sent = await limit.within(send(options, pharmacy, prescribed, limit))
      return sent ?? failed(limit.isLate() ? 'timeout' : 'connection_failed')
    } catch (failure) {
      return failed(limit.isLate() ? 'timeout' : kindOfFailure(failure))
    } finally {
      limit.clear()
      limit.abort()
    }
  },
})

const failed = (
  error: TransmissionError,
  status: number | null = null,
  detail: string | null = null,
): Transmitted => ({ error, status, detail })

async function send(
  { outgoing, now }: HttpProviderOptions,
  { url, secrets }: Pharmacy,
  { key, data }: Prescribed,
  limit: Limit,
): Promise<Transmitted> {
  const target = new URL(url)
  const verdict = await resolveAddress(target, outgoing.addresses)
  if ('refused' in verdict) return failed(verdict.refused)
  const body = `{"type":"${transmissionType}","data":${data}}`
  const seconds = Math.floor(now() / 1000)
  const response = await sendTo(
    verdict.address,
    target,
    {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Clinical-Integrations/1',
        'accept-encoding': 'identity',
        'idempotency-key': key,
        ...signedHeaders(secrets, { id: key, seconds, body }),
      },
      signal: limit.signal,
    },
    outgoing,
  )
  return outcomeOf(response.status, await readUpTo(response, pharmacyLimits.answerBytesMax))
}

/** Refusals that may not recur if the same request is sent again. */
const transient: ReadonlySet<number> = new Set([408, 425, 429])

function outcomeOf(status: number, bytes: Uint8Array | null): Transmitted {
  const answer = bytes === null ? {} : membersOf(bytes)
  if (status >= 200 && status < 300) {
    const reference = lineOf(answer['reference'], referenceMax)
    return reference === null ? failed('unreadable_answer', status) : { reference }
  }
  if (status >= 300 && status < 400) return failed('redirected', status)
  const isRejected = status >= 400 && status < 500 && !transient.has(status)
  return isRejected
    ? failed('rejected', status, lineOf(answer['detail'], detailMax))
    : failed('unavailable', status)
}

const referenceMax = 100
const detailMax = 300

/** Returns text as one line, truncated; null for any other value. */
function lineOf(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return null
  const line = value.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ').trim()
  return line === '' ? null : [...line].slice(0, max).join('')
}

function membersOf(bytes: Uint8Array): Record<string, unknown> {
  const read = parseJson(bytes, depthMax)
  const value = 'value' in read ? read.value : null
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

const depthMax = 8
