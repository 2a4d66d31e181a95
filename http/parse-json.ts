import { isDeeper } from './json-body.ts'
import { limits } from '#contract/limits.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Whether a Content-Type, or its absence, lets a body be JSON. */
export const mayBeJson = (type: string | null) =>
  type === null || /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type.trim())

/**
 * The JSON of a body, in a box, because `null` is JSON as well. Undefined when the bytes are no
 * JSON in UTF-8, or nest so deeply that reading them would take a stack of their own.
 */
export function parseJson(bytes: Uint8Array): { readonly value: unknown } | undefined {
  if (isDeeper(bytes, limits.bodyDepthMax)) return undefined
  try {
    return { value: JSON.parse(decoder.decode(bytes)) as unknown }
  } catch {
    return undefined
  }
}
