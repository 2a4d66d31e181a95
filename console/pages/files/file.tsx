// One document: a page of it as an image, what is known of it, and its removal.
import { problems, Problem } from '#contract/problems.ts'
import { Facts, Heading, Time } from '#http/html/parts.tsx'
import type { ConsoleCall, ConsoleHandler } from '../../context.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { missing, ProblemNote, refused } from '../../refused.tsx'
import { sizeText, statusText } from '../../words.ts'
import { RemovalForms } from './removal.tsx'
import { FileState, type StaffFile } from './state.tsx'

export const showFile: ConsoleHandler = (_, call) => filePage(call, null)

const said: Readonly<Record<string, string>> = {
  asked: 'The removal is asked for. The document is still there until it is confirmed.',
  kept: 'The document stays.',
  removed: 'The document is removed. Its content is being deleted from storage.',
}

const noSuchFile = (call: ConsoleCall) =>
  missing('There is no such document', call.pathOf('queue'), 'The queue')

/** `problem`: why the form that was sent was refused. */
export async function filePage(call: ConsoleCall, problem: Problem | null): Promise<PageAnswer> {
  const found = await call.perform('readFile')
  if (found.problem?.code === 'not_found') return noSuchFile(call)
  if (found.problem) return refused('Document', found.problem)
  const file = found.value
  const title = file.filename ?? 'Removed document'
  const done = said[call.query.get('done') ?? '']
  return {
    title,
    ...(problem && { status: problems[problem.code].status }),
    content: (
      <>
        <Heading
          title={title}
          lead={
            <a href={call.pathOf('patient', { id: file.patient })}>All records of the patient</a>
          }
        />
        <ProblemNote problem={problem} />
        {done !== undefined && problem === null && (
          <p class="success" role="status">
            {done}
          </p>
        )}
        <div class="review">
          <Content call={call} file={file} />
          <aside class="actions-of" id="actions" aria-label="About the document">
            <FileFacts call={call} file={file} />
            <RemovalForms call={call} file={file} />
          </aside>
        </div>
      </>
    ),
  }
}

const findings = {
  damaged: 'It is damaged: it cannot be read to its end.',
  password: 'It is protected by a password.',
  too_many_pages: 'It has more pages than the console shows.',
  too_large: 'Its picture is larger than the console shows.',
  malware: 'It holds malware.',
  too_slow: 'Its first page takes too long to show.',
} as const

type Props = { readonly call: ConsoleCall; readonly file: StaffFile }

function Content({ call, file }: Props) {
  if (file.removed !== null) {
    return <p class="note">The content of this document is deleted.</p>
  }
  if (file.finding === 'too_slow') {
    return (
      <div class="note">
        <p>This document cannot be shown: its first page takes too long.</p>
        {call.mayOpen('downloadFile') && (
          <p class="actions">
            <a class="button second" href={call.pathOf('downloadFile', { id: file.id })}>
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
        This document is shown to no one. {findings[file.finding]} Ask for another one, and have
        this one removed.
      </p>
    )
  }
  if (file.scan !== 'clean') {
    return (
      <p class="note" role="status">
        This document is being scanned. Load the page again in a moment.
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
  return (
    <figure class="document">
      <a href={image}>
        <img src={image} alt={`${title}, shown as a picture`} />
      </a>
      {pages > 1 && (
        <figcaption>
          <nav aria-label={`The document’s ${noun}s`}>
            {page > 1 && (
              <a class="button second small" rel="prev" href={to(page - 1)}>
                Previous {noun}
              </a>
            )}
            <span>
              {title}
              {noun === 'image' && page === 1 && ', the main one'}
            </span>
            {page < pages && (
              <a class="button second small" rel="next" href={to(page + 1)}>
                Next {noun}
              </a>
            )}
          </nav>
        </figcaption>
      )}
    </figure>
  )
}

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
                The case
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

export const sendOriginal: ConsoleHandler = async (_, call) => {
  const found = await call.perform('readFile')
  if (found.problem) return noSuchFile(call)
  const opened = await call.open('downloadFile')
  if (opened instanceof Problem) return filePage(call, opened)
  const { id, mime } = found.value
  const name = `${id}.${extensions[mime] ?? 'bin'}`
  return { file: { name, type: 'application/octet-stream', content: opened } }
}

export const showFilePage: ConsoleHandler = async (_, call) => {
  const page = call.names['page'] ?? ''
  if (!/^[1-9]\d{0,3}$/.test(page)) return noSuchFile(call)
  const opened = await call.open('viewFile', { query: { page } })
  if (!(opened instanceof Problem)) return { image: opened }
  return opened.code === 'not_found' ? noSuchFile(call) : refused('Page of a document', opened)
}
