// One document: one of its pages as an image, its details, and its removal.
import { Problem } from '#contract/problems.ts'
import { Facts, Heading, Time } from '#http/html/parts.tsx'
import { type FormRefusal, statusOf } from '../../act.ts'
import { confirmationOf } from '../../confirm.tsx'
import type { ConsoleCall, ConsoleContext, ConsoleHandler } from '../../context.ts'
import { DoneNote } from '../../done.tsx'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { missing, refused, RefusedNote } from '../../refused.tsx'
import { whose } from '../whose.tsx'
import { statusText } from '#http/html/status-text.ts'
import { sizeText } from '../../words.ts'
import { RemovalForms } from './removal.tsx'
import { FileState, type StaffFile } from './state.tsx'

export const showFile: ConsoleHandler = (context, call) => filePage(context, call, {})

const said = {
  asked: 'Removal requested. The document stays until someone confirms.',
  kept: 'Document kept.',
  removed: 'Document removed. Its content is being deleted from storage.',
}

const noSuchFile = (call: ConsoleCall) =>
  missing('Document not found', call.pathOf('queue'), 'Queue')

export async function filePage(
  context: ConsoleContext,
  call: ConsoleCall,
  given: FormRefusal,
): Promise<PageAnswer> {
  const found = await call.perform('readFile')
  if (found.problem?.code === 'not_found') return noSuchFile(call)
  if (found.problem) return refused('Document', found.problem)
  const file = found.value
  const confirmation = await confirmationOf(context, call, given.fault ?? null)
  const title = file.filename ?? 'Removed document'
  return {
    title,
    ...statusOf(given),
    content: (
      <>
        <Heading title={title} lead={await whose(context, call, file.patient)} />
        <RefusedNote of={given} />
        <DoneNote call={call} said={said} />
        <div class="review">
          <Content call={call} file={file} />
          <aside class="actions-of" id="actions" aria-label="About the document">
            <FileFacts call={call} file={file} />
            <RemovalForms call={call} file={file} confirmation={confirmation} />
          </aside>
        </div>
      </>
    ),
  }
}

const findings = {
  damaged: 'The file is damaged.',
  password: 'The file is password-protected.',
  too_many_pages: 'The file has too many pages.',
  too_large: 'The image is too large.',
  malware: 'The file contains malware.',
  too_slow: 'The first page takes too long to render.',
} as const

type Props = { readonly call: ConsoleCall; readonly file: StaffFile }

function Content({ call, file }: Props) {
  if (file.removed !== null) {
    return <p class="note">This document’s content was deleted.</p>
  }
  if (file.finding === 'too_slow') {
    return (
      <div class="note">
        <p>We can’t show this document: its first page takes too long to render.</p>
        {call.mayOpen('downloadFile') && (
          <p class="actions">
            <a class="button second" href={call.pathOf('downloadFile', { id: file.id })} download>
              Download the original
            </a>
          </p>
        )}
      </div>
    )
  }
  if (file.scan === 'refused' && file.finding !== null) {
    return (
      <p class="note">
        We can’t show this document. {findings[file.finding]} Ask for another copy, then remove this
        one.
      </p>
    )
  }
  if (file.scan !== 'clean') {
    return (
      <p class="note" role="status">
        Scanning this document. Reload in a moment.
      </p>
    )
  }
  const pages = file.pages ?? 1
  const page = Math.min(Math.max(Number(call.query.get('page') ?? 1) || 1, 1), pages)
  return <Shown call={call} file={file} page={Math.floor(page)} pages={pages} />
}

function Shown({ call, file, page, pages }: Props & { page: number; pages: number }) {
  const to = (number: number) => call.pathOf('file', { id: file.id }, { page: String(number) })
  const image = call.pathOf('filePage', { id: file.id, page: String(page) })
  const noun = file.mime === 'application/pdf' ? 'page' : 'image'
  const title = `${noun === 'page' ? 'Page' : 'Image'} ${page} of ${pages}`
  const step = (number: number, key: 'k' | 'j', text: string) => (
    <a
      class="button second small"
      rel={key === 'k' ? 'prev' : 'next'}
      href={to(number)}
      data-key={key}
      data-key-label={`${text} ${noun}`}
    >
      {text} {noun}
    </a>
  )
  return (
    <figure class="document viewer">
      <figcaption>
        <nav aria-label={`Document ${noun}s`}>
          {page > 1 && step(page - 1, 'k', 'Previous')}
          <span>
            {title}
            {noun === 'image' && page === 1 && ' (primary)'}
          </span>
          {page < pages && step(page + 1, 'j', 'Next')}
          <ViewTools />
        </nav>
      </figcaption>
      <div class="page-frame" tabindex={0} role="region" aria-label={title}>
        <p
          class="rendering"
          data-failed={`We couldn’t show this ${noun}. Reload to try again, or ask for another copy.`}
        >
          Rendering {noun} {page}…
        </p>
        <a href={image}>
          <img src={image} alt={`${title}, shown as an image`} data-view />
        </a>
      </div>
    </figure>
  )
}

const tools = [
  ['out', '-', 'Zoom out', '−'],
  ['in', '+', 'Zoom in', '+'],
  ['rotate', 'r', 'Rotate', 'Rotate'],
] as const

/** Opens the viewer with scripts; without them, the picture opens alone in full size. */
const ViewTools = () => (
  <span class="view-tools" hidden>
    {tools.map(([tool, key, label, text]) => (
      <button
        type="button"
        key={tool}
        class="button second small"
        data-tool={tool}
        data-key={key}
        data-key-label={label}
        aria-label={label}
      >
        {text}
      </button>
    ))}
  </span>
)

const FileFacts = ({ call, file }: Props) => (
  <Facts
    of={[
      ['Shows', statusText(file.kind ?? 'other')],
      ['Status', <FileState key="state" file={file} />],
      ['Size', sizeText(file.size_bytes)],
      ['Filed', <Time key="filed" at={file.attached_at ?? file.created_at} />],
      ...(file.case === null
        ? []
        : ([
            [
              'Case',
              <a key="case" href={call.pathOf('case', { id: file.case })}>
                View case
              </a>,
            ],
          ] as const)),
    ]}
  />
)

const extensions: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/heic': 'heic',
  'image/jpeg': 'jpg',
  'image/png': 'png',
}

export const sendOriginal: ConsoleHandler = async (context, call) => {
  const found = await call.perform('readFile')
  if (found.problem) return noSuchFile(call)
  const opened = await call.open('downloadFile')
  if (opened instanceof Problem) return filePage(context, call, { problem: opened })
  const { id, mime } = found.value
  const name = `${id}.${extensions[mime] ?? 'bin'}`
  return { file: { name, type: 'application/octet-stream', content: opened } }
}

export const showFilePage: ConsoleHandler = async (_, call) => {
  const page = call.names['page'] ?? ''
  if (!/^[1-9]\d{0,3}$/.test(page)) return noSuchFile(call)
  const opened = await call.open('viewFile', { query: { page } })
  if (!(opened instanceof Problem)) return { image: opened }
  return opened.code === 'not_found' ? noSuchFile(call) : refused('Document page', opened)
}
