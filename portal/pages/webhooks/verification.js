import { createHmac, timingSafeEqual } from 'node:crypto'

/** rawBody: the bytes as they arrived, before any parser. header: Service-Signature. */
export function isGenuine(rawBody, header, secret, now = Date.now() / 1000) {
  const parts = header.split(',').map(part => part.trim().split('='))
  const [t, ...others] = parts.filter(([name]) => name === 't').map(([, value]) => value)
  const own = createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest('hex')
  const isOurs = one =>
    one.length === own.length && timingSafeEqual(Buffer.from(one), Buffer.from(own))
  const isFresh = others.length === 0 && Math.abs(now - Number(t)) <= 300
  return isFresh && parts.some(([name, value]) => name === 'v1' && isOurs(value))
}
