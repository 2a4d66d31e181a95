// A tool server's content, for one caller at a time. The protocol layer (server.ts, library.ts)
// knows no tools or credentials: it calls a source. The site's servers have the same tools for
// everyone (fixed-tools.ts); the clinical server's depend on the credential (mcp/clinical/).

import type { HttpRequest } from '#http/http-request.ts'
import type { Ask, ToolResult, WrittenResult } from './result.ts'

export type CacheHint = { readonly ttlMs: number; readonly cacheScope: 'public' | 'private' }

/** A caller's `tools/list`. The same tools give the same object, because it's serialized once. */
export type ToolList = { readonly tools: readonly { readonly name: string }[] }

/** Whether the person at the client confirmed a call: not asked, because the client can't ask; not
 *  asked yet; or the person's answer. */
export type Confirmation = 'unable' | 'unasked' | 'confirmed' | 'declined'

export type ToolCall = {
  readonly name: string
  readonly given: unknown
  readonly confirmation: Confirmation
}

export type CallResult = ToolResult | WrittenResult | Ask

/** Undefined if this caller has no such tool. */
type MaybeResult = CallResult | undefined

/** The client, as it names itself, and its message's request. */
export type Call = {
  readonly request: HttpRequest
  /** The client's name or its User-Agent, at most 200 characters. */
  readonly agent: string | null
}

/** The result of a read: an entry, or why it is missing. */
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
  /** `uri` selects one skill. Absent: all are listed. */
  entries(call: Call, uri?: string): readonly Skill[] | Promise<readonly Skill[]>
}

/** Each function may throw a Problem, which becomes the HTTP response. */
export type ToolSource = {
  /** Caching of `tools/list` and `server/discover`. */
  readonly cache: CacheHint
  /** Called before the body is read. */
  open?(request: HttpRequest): Promise<void> | void
  /** Called before answering a message that none of the functions below handles. */
  admit?(call: Call, method: string | undefined): Promise<void>
  list(call: Call): ToolList | Promise<ToolList>
  call(call: Call, asked: ToolCall): MaybeResult | Promise<MaybeResult>
  readonly resources?: ResourceSource
  /** Skills, whose files are resources. */
  readonly skills?: SkillSource
}
