// Generated from the contract by clients/generate/generate.ts; do not edit.

export type QuestionTarget = 'patient' | 'integration'

export type MessageKind = 'message' | 'question' | 'answer'

export type MessageAuthor = 'patient' | 'integration' | 'clinician'

export type MessageCreateAuthor = 'integration' | 'patient'

/** A message on a case's thread. */
export interface Message {
  id: string
  /** Live mode may add `read`. */
  status: 'sent' | (string & {})
  case: string
  kind: MessageKind
  author: MessageAuthor
  /** Who the question is for. null on other messages. */
  target: QuestionTarget | null
  /** Plain text. */
  body: string
  created_at: string
}

export interface MessageListParams {
  /** Items per page. Default: `20`. */
  limit?: number
  /** The ID of the last item you received, even if that item has since been deleted. */
  starting_after?: string
}

export interface MessageCreateParams {
  body: string
  /** Default: `"integration"`. */
  author?: MessageCreateAuthor
}
