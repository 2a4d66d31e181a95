// A tool server's content, for one caller at a time. The protocol layer (server.ts, library.ts) has
// no tools or credentials of its own: it calls a source. The site's servers have the same tools for
// everyone (fixed-tools.ts); the clinical server's tools depend on the credential (mcp/clinical/).

import type { HttpRequest } from '#http/http-request.ts'
import type { Ask, ToolResult, WrittenResult } from './result.ts'

export type CacheHint = { readonly ttlMs: number; readonly cacheScope: 'public' | 'private' }

/**
 * A caller's `tools/list`. The same tools must be the same object, so the list is serialized once.
 */
export type ToolList = { readonly tools: readonly { readonly name: string }[] }

/** Whether the client's user confirmed a call: `unable` if the client can't ask, `unasked` if the
 *  user wasn't asked yet, or the user's answer. */
export type Confirmation = 'unable' | 'unasked' | 'confirmed' | 'declined'

export type ToolCall = {
  readonly name: string
  readonly given: unknown
  readonly confirmation: Confirmation
}

export type CallResult = ToolResult | WrittenResult | Ask

/** Undefined if this caller has no such tool. */
type MaybeResult = CallResult | undefined

/** The request with the client's message, and the client's own name. */
export type Call = {
  readonly request: HttpRequest
  /** The client's name or its User-Agent, at most 200 characters. */
  readonly agent: string | null
}

/** The result of a read: the contents, or a message that explains why there are no contents. */
export type ResourceRead =
  | { readonly contents: readonly { uri: string; mimeType: string; text: string }[] }
  | { readonly contents: null; readonly message: string }

export type Resource = {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  /** Size in bytes. */
  readonly size: number
  readonly annotations: {
    readonly audience: readonly ('assistant' | 'user')[]
    readonly priority: number
    readonly lastModified?: string
  }
}

export type ResourceSource = {
  readonly cache: CacheHint
  list(call: Call): Promise<readonly Resource[]>
  templates(call: Call): Promise<readonly { readonly uriTemplate: string; readonly name: string }[]>
  read(call: Call, uri: string): Promise<ResourceRead>
}

/** A skill's entry (SEP-2640): its SKILL.md, and each file's digest and size. */
export type Skill = {
  readonly uri: string
  readonly frontmatter: { readonly name: string; readonly description: string }
  readonly resources: readonly { uri: string; digest: string; size: number }[]
}

export type SkillSource = {
  readonly cache: CacheHint
  /** `uri` selects one skill. Without `uri`, returns all skills. */
  entries(call: Call, uri?: string): readonly Skill[] | Promise<readonly Skill[]>
}

/** Each function may throw a Problem, which becomes the HTTP response. */
export type ToolSource = {
  /** Caching of `tools/list` and `server/discover`. */
  readonly cache: CacheHint
  /** Called before the body is read. */
  open?(request: HttpRequest): Promise<void> | void
  /** Called before answering a message that the functions below don't handle. */
  admit?(call: Call, method: string | undefined): Promise<void>
  list(call: Call): ToolList | Promise<ToolList>
  call(call: Call, asked: ToolCall): MaybeResult | Promise<MaybeResult>
  readonly resources?: ResourceSource
  /** Skills, whose files are resources. */
  readonly skills?: SkillSource
}
