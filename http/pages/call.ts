// A request to a row of the page table, in the form its handler receives.
import type { FormCall } from '../html/parts.tsx'
import type { FormBrowser } from '../origins/page-cookies.ts'
import type { HttpRequest } from '../http-request.ts'
import { formTokenOf, newOnce } from './form.ts'
import type { PageTable, Query } from './table.ts'

/** The part of a session that pages use. */
export type PageSession = {
  readonly id: string
  /** Seconds since the second factor was confirmed. Null if it wasn't. */
  readonly secondFactorSeconds: number | null
}

/** `S` and `Token` are null if no session is needed. */
type Call<Id extends string, S, Token> = FormCall & {
  readonly row: Id
  readonly request: HttpRequest
  readonly session: S
  /** The session cookie's value, valid or not. */
  readonly token: Token
  /** The path's IDs. */
  readonly names: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** A form's fields; empty for a page. */
  readonly form: URLSearchParams
  /** The page's URL, even if one of its forms posts to another path. */
  readonly back: string
  readonly agent: string | null
  /** The page and its parents, from the top. */
  readonly trail: readonly Id[]
  /** A row's URL; omitted IDs come from this request. */
  pathOf(row: Id, names?: Readonly<Record<string, string>>, query?: Query): string
}

export type OpenCall<Id extends string, S> = Call<Id, S | null, string | null>
export type PersonCall<Id extends string, S> = Call<Id, S, string>

export type CallParts<Id extends string, S> = Pick<
  OpenCall<Id, S>,
  'row' | 'request' | 'session' | 'token' | 'form' | 'back'
> & { readonly browser: FormBrowser }

type Chance = { hmac(text: string): Uint8Array; randomBytes(count: number): Uint8Array }

const agentLengthMax = 256

export function callOf<Id extends string, S extends PageSession>(
  table: PageTable<Id>,
  { hmac, randomBytes }: Chance,
  { browser, ...parts }: CallParts<Id, S>,
): OpenCall<Id, S> {
  const { request, session, row } = parts
  return {
    ...parts,
    names: request.params,
    query: request.url.searchParams,
    agent: request.headers.get('user-agent')?.slice(0, agentLengthMax) ?? null,
    trail: table.trailOf(row),
    pathOf: (id, names, query) => table.pathOf(id, { ...request.params, ...names }, query),
    formToken: path =>
      formTokenOf(hmac, { browser: browser.value, session: session?.id ?? null, path }),
    once: () => newOnce(randomBytes),
  }
}
