// `?tools=cases,orders` and `?read_only=1` in the tool server's URL limit its tools, for clients
// that accept only a few.

import { Problem } from '#contract/problems.ts'
import { type Narrowing, toolGroups } from '#contract/tools/listing.ts'
import { didYouMean } from '#contract/messages/did-you-mean.ts'
import type { HttpRequest } from '#http/http-request.ts'

const parameters = ['tools', 'read_only']

const all: Narrowing = { groups: null, readOnly: false }

/** Throws for an unknown name, because a client that misspells `read_only` must not be able to
 *  write. */
export function narrowingOf({ search, url }: Pick<HttpRequest, 'search' | 'url'>): Narrowing {
  if (search === '') return all
  const query = url.searchParams
  const other = [...query.keys()].find(name => !parameters.includes(name))
  if (other !== undefined) throw unknownParameter(other)
  const named = query.get('tools')
  const only = query.get('read_only')
  const groups = (named ?? '').split(',').map(each => each.trim().toLowerCase())
  const unknown = named === null ? undefined : groups.find(each => !toolGroups.includes(each))
  if (unknown !== undefined) {
    const meant = didYouMean(unknown, toolGroups)
    throw unusable(
      'tools',
      'not_in_enum',
      `tools must be group names separated by commas.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
      `Groups: ${toolGroups.join(', ')}. Without tools, all are listed.`,
    )
  }
  if (only !== null && !/^(?:1|true|0|false)$/.test(only)) {
    throw unusable(
      'read_only',
      'not_in_enum',
      'read_only must be 1 or 0.',
      'Omit it to list writes too.',
    )
  }
  return {
    groups: named === null ? null : new Set(groups),
    readOnly: only === '1' || only === 'true',
  }
}

/**
 * Repeats the name only if it looks like a parameter name, because other text may be a credential.
 */
function unknownParameter(name: string): Problem {
  const meant = didYouMean(name, parameters)
  const shown = /^\w{1,40}$/.test(name) ? name : ''
  const message = `${shown || 'This parameter'} must not be present: this URL does not accept it.`
  return unusable(
    shown,
    'unknown_field',
    `${message}${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
    `Parameters: ${parameters.join(', ')}.`,
  )
}

const unusable = (
  name: string,
  code: 'not_in_enum' | 'unknown_field',
  message: string,
  hint: string,
) =>
  new Problem('invalid_request', {
    detail: "The tool server's URL is not valid.",
    errors: [{ pointer: `?${name}`, code, message }],
    hint,
  })
