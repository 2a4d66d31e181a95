// Files with a first-page thumbnail, which opens the viewer.
import { Time } from '#http/html/parts.tsx'
import type { ConsoleCall } from '../../context.ts'
import { statusText } from '#http/html/status-text.ts'
import { FileState, type StaffFile } from './state.tsx'

type Props = { readonly call: ConsoleCall; readonly files: readonly StaffFile[] }

const isShown = ({ scan, removed }: StaffFile) => scan === 'clean' && removed === null

export const Thumbnails = ({ call, files }: Props) =>
  files.length === 0 ? (
    <p class="quiet">No files.</p>
  ) : (
    <ul class="thumbnails">
      {files.map(file => (
        <li key={file.id}>
          <a href={call.pathOf('file', { id: file.id })}>
            <span class="thumbnail">
              {isShown(file) && call.mayOpen('filePage') ? (
                <img
                  src={call.pathOf('filePage', { id: file.id, page: '1' })}
                  alt=""
                  loading="lazy"
                  decoding="async"
                />
              ) : (
                <span class="fine">No preview</span>
              )}
            </span>
            {file.filename ?? 'Removed file'}
          </a>
          <span class="fine">
            {statusText(file.kind ?? 'other')} · <FileState file={file} />
            {file.attached_at !== null && (
              <>
                {' '}
                · <Time at={file.attached_at} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
