// One request's state, created by the router and used by the endpoint, its pipeline and the log.
// Costly parts, such as the parsed URL, are computed on first use, because most requests for pages
// don't need them.
import { openIdSequence } from '#contract/ids.ts'
import type { Surface } from '#contract/problems.ts'
import { now, randomBytes } from '#database/clock.ts'
import type { AddressOf } from './client-address.ts'
import {
  BodyFault,
  type BodyLimits,
  bodyProblem,
  type Bytes,
  parseJson,
  parseObject,
  readBody,
} from './json-body.ts'
import type { RpcId } from './problem-formats.ts'
import type { Allowance } from './limits/rate-limiter.ts'
import { splitUrl, withoutEscapes } from './split-url.ts'
import { type Change, upgradeBody, upgradeUrl } from './versions.ts'

export type Params = Readonly<Record<string, string>>

/** The part of Bun's server that returns peer addresses. */
export type Peers = { requestIP(request: Request): { address: string } | null }

const noParams: Params = Object.freeze({})
const noChanges: readonly Change[] = []

/** The request that failed, for the log. */
export type FailedRequest = {
  readonly id: string
  readonly route: string
  readonly operation?: string | undefined
}

export class HttpRequest {
  /** The log's replacement for the path: the matched route's template, or the path if it's
   *  known to be public. An unmatched path may contain anything, such as a name. */
  route = '*'
  /** The values of the path's `:names`. */
  params: Params = noParams
  /** Additional fields for the request's log line. Never request content. */
  readonly logFields: Record<string, string> = {}
  /** The remaining quota, from the limiter that counted the request. */
  allowance: Allowance | null = null
  /** The API-Version that serves the request. ACP has its own versions and reads the header
   *  itself. */
  version = ''
  /** A write's Idempotency-Key, as sent. */
  sentKey: string | null = null
  /** The Idempotency-Key without quotes. */
  idempotencyKey: string | null = null
  /** The JSON-RPC request's id, for errors that the group writes. Null until the body is read;
   *  undefined for a notification, whose response has no body. */
  rpcId: RpcId | undefined = null
  /** True when the body stays unread, so the connection must be closed. */
  closesConnection = false
  /** The changes between the pinned version and the newest. */
  changes: readonly Change[] = noChanges
  /** The matched path, with its IDs unescaped. */
  private matchedPath: string | undefined
  private parsedUrl: URL | undefined
  private readAddress: string | null | undefined

  constructor(
    readonly raw: Request,
    readonly id: string,
    private readonly peers: Peers,
    private readonly addressOf: AddressOf,
  ) {}

  /** The settings of the endpoint's group, set once the path has matched. */
  settings:
    | { readonly surface: Surface; readonly base?: string; readonly bodyLimits: BodyLimits }
    | undefined

  get method(): string {
    return this.raw.method
  }

  get headers(): Headers {
    return this.raw.headers
  }

  get hasBody(): boolean {
    return this.raw.body !== null
  }

  /** The client's address; null if the connection had closed before the address was first read. */
  get address(): string | null {
    if (this.readAddress === undefined) {
      const peer = this.peers.requestIP(this.raw)?.address
      this.readAddress = this.addressOf(peer, this.raw.headers.get('x-forwarded-for'))
    }
    return this.readAddress
  }

  get path(): string {
    return this.matchedPath ?? splitUrl(this.raw.url).path
  }

  /** Sets the values of a path with `:names`. */
  match(params: Params): void {
    this.params = params
    this.matchedPath = withoutEscapes(this.path)
  }

  /** The raw query string in the newest version, so equal text means equal queries. */
  get search(): string {
    return this.changes.length === 0 ? splitUrl(this.raw.url).query : this.url.search
  }

  get url(): URL {
    if (this.parsedUrl === undefined) {
      const url = new URL(this.raw.url)
      this.parsedUrl = this.changes.length === 0 ? url : upgradeUrl(url, this.changes)
    }
    return this.parsedUrl
  }

  get operation(): string | undefined {
    return this.logFields['operation']
  }

  addLogFields(fields: Readonly<Record<string, string>>): void {
    for (const name in fields) this.logFields[name] = fields[name] ?? ''
  }

  /** Reads the whole body; throws a problem if it's too large, too slow or incomplete. */
  async body(): Promise<Bytes> {
    const bytes = await readBody(this.raw, this.limits)
    return bytes instanceof BodyFault ? this.refuse(bytes) : upgradeBody(bytes, this.changes)
  }

  /** Parses a body that was already read, with the usual limits. */
  parseJson(bytes: Bytes): { value: unknown } | BodyFault {
    return parseJson(bytes, this.limits.depthMax)
  }

  /** Returns the body as a JSON object, or its fault; undefined if it's empty. */
  async readObject(): Promise<object | undefined | BodyFault> {
    const bytes = await readBody(this.raw, this.limits)
    if (bytes instanceof BodyFault) {
      this.closesConnection ||= bytes.isUnread
      return bytes
    }
    return parseObject(upgradeBody(bytes, this.changes), this.raw.headers, this.limits)
  }

  /** Returns the body as a JSON object; throws a problem with this hint otherwise. */
  async object(hint?: string): Promise<object> {
    const read = await this.optionalObject(hint)
    return read ?? this.refuse(new BodyFault('json', 'The body must not be empty.'), hint)
  }

  /** Like `object`, but undefined if the body is empty. */
  async optionalObject(hint?: string): Promise<object | undefined> {
    const read = await this.readObject()
    return read instanceof BodyFault ? this.refuse(read, hint) : read
  }

  private get limits() {
    if (this.settings === undefined) throw new Error('this request has no endpoint')
    return this.settings.bodyLimits
  }

  private refuse(fault: BodyFault, hint?: string): never {
    this.closesConnection ||= fault.isUnread
    throw bodyProblem(fault, this.settings?.surface ?? 'site', this.limits, hint)
  }
}

const nextId = openIdSequence(now, randomBytes)

export const newRequestId = (): string => `req_${nextId()}`
