// A request as everything on its way sees it: made once by the router, read by the endpoint, its
// pipeline and the log. What costs something, such as parsing the address, is done when it is asked
// for: most pages ask for nothing.
import type { Surface } from '#contract/problems.ts'
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
import type { Allowance } from './rate-limiter.ts'
import { splitUrl } from './split-url.ts'
import { type Change, upgradeBody, upgradeUrl } from './versions.ts'

export type Params = Readonly<Record<string, string>>

/** The part of Bun's server that knows who is calling. */
export type Peers = { requestIP(request: Request): { address: string } | null }

const noParams: Params = Object.freeze({})
const noChanges: readonly Change[] = []

export class RequestContext {
  /** The names of the path, as its endpoint spells them. */
  params: Params = noParams
  /** What the log line of the request says beside its status. Never what was said. */
  readonly logFields: Record<string, string> = {}
  /** What is left of the policy that the call counted against. */
  allowance: Allowance | null = null
  /** The API-Version that serves the call. ACP has dates of its own, and reads the header. */
  version = ''
  /** The Idempotency-Key of a call that changes something, as the caller spelled it. */
  sentKey: string | null = null
  /** The same without quotes. */
  idempotencyKey: string | null = null
  /** The id of a JSON-RPC call once it was read, so that a problem of the router's names it. */
  rpcId: RpcId = null
  /** Bytes of the body may still come that nobody reads. */
  closesConnection = false
  /** What an earlier version of the API said otherwise. */
  changes: readonly Change[] = noChanges
  private parsedUrl: URL | undefined

  constructor(
    readonly request: Request,
    readonly id: string,
    private readonly peers: Peers,
    private readonly addressOf: AddressOf,
  ) {}

  /** The settings of the endpoint's group, once the router has found it. */
  settings: { readonly surface: Surface; readonly bodyLimits: BodyLimits } | undefined

  /** The client's address, where it is known. */
  get address(): string | null {
    const peer = this.peers.requestIP(this.request)?.address
    return this.addressOf(peer, this.request.headers.get('x-forwarded-for'))
  }

  get path(): string {
    return splitUrl(this.request.url).path
  }

  /** What follows the path in the address, as it was sent: equal texts ask for the same. */
  get search(): string {
    return this.changes.length === 0 ? splitUrl(this.request.url).query : this.url.search
  }

  get url(): URL {
    if (this.parsedUrl === undefined) {
      const url = new URL(this.request.url)
      this.parsedUrl = this.changes.length === 0 ? url : upgradeUrl(url, this.changes)
    }
    return this.parsedUrl
  }

  addLogFields(fields: Readonly<Record<string, string>>): void {
    for (const name in fields) this.logFields[name] = fields[name] ?? ''
  }

  /** The body to its end; throws the problem of one that is too large or late. */
  async body(): Promise<Bytes> {
    const bytes = await readBody(this.request, this.limits)
    return bytes instanceof BodyFault ? this.refuse(bytes) : upgradeBody(bytes, this.changes)
  }

  /** The JSON of a body that was read, judged as every body is. */
  parseJson(bytes: Bytes): { value: unknown } | BodyFault {
    return parseJson(bytes, this.limits.depthMax)
  }

  /** The body as a JSON object, or what is wrong with it; undefined where it is empty. */
  async readObject(): Promise<object | undefined | BodyFault> {
    const bytes = await readBody(this.request, this.limits)
    if (bytes instanceof BodyFault) {
      this.closesConnection ||= bytes.isUnread
      return bytes
    }
    return parseObject(upgradeBody(bytes, this.changes), this.request.headers, this.limits)
  }

  /** The body as a JSON object; throws the problem of what is none. The hint says what to send. */
  async object(hint?: string): Promise<object> {
    const read = (await this.readObject()) ?? new BodyFault('json', 'The body is empty.')
    return read instanceof BodyFault ? this.refuse(read, hint) : read
  }

  private get limits() {
    if (this.settings === undefined) throw new Error('no endpoint was found for this request')
    return this.settings.bodyLimits
  }

  private refuse(fault: BodyFault, hint?: string): never {
    this.closesConnection ||= fault.isUnread
    throw bodyProblem(fault, this.settings?.surface ?? 'site', this.limits, hint)
  }
}
