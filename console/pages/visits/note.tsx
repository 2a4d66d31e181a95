// A visit's note, for its clinician.
import { Heading, Time } from '#http/html/parts.tsx'
import type { ConsoleCall, ConsoleContext, ConsoleHandler } from '../../context.ts'
import { DoneNote } from '../../done.tsx'
import { type FormRefusal, statusOf } from '../../act.ts'
import { confirmationOf } from '../../confirm.tsx'
import { missing, RefusedNote } from '../../refused.tsx'
import { addAddendumOn, writeNoteOn } from '../cases/note-acts.ts'
import { NoteForm, Notes } from '../cases/notes.tsx'
import { templatesOf, textsOf } from '../texts/read.ts'

const said = { saved: 'Draft saved.', noted: 'Note signed.', amended: 'Addendum signed.' }

async function notePage(context: ConsoleContext, call: ConsoleCall, refused: FormRefusal) {
  const found = await call.perform('readClinicVisit')
  if (found.problem) return missing('Visit not found', call.pathOf('visits'), 'Visits')
  const visit = found.value
  const confirmation = await confirmationOf(context, call, refused.fault ?? null)
  const draft = visit.notes.find(({ signed_at }) => signed_at === null)
  return {
    title: 'Visit note',
    ...statusOf(refused),
    content: (
      <>
        <Heading
          title={`Visit note for ${visit.patient_name}`}
          lead={
            <>
              <Time at={visit.starts_at} /> ·{' '}
              <a href={call.pathOf('patient', { id: visit.patient })}>Full patient record</a>
            </>
          }
        />
        <RefusedNote of={refused} undone="signed" />
        <DoneNote call={call} said={said} />
        {call.mayOpen('writeVisitNote') && (
          <NoteForm
            call={call}
            draft={draft}
            list={visit.code_list}
            templates={templatesOf(await textsOf(context, call))}
            confirmation={confirmation}
            row="writeVisitNote"
          />
        )}
        <section>
          <h2>Signed notes</h2>
          <Notes
            call={call}
            notes={visit.notes}
            confirmation={confirmation}
            row="addVisitAddendum"
          />
        </section>
      </>
    ),
  }
}

const onPage = { page: 'visitNote', show: notePage } as const

export const visitNoteHandlers = {
  visitNote: (context, call) => notePage(context, call, {}),
  writeVisitNote: writeNoteOn({ kind: 'Visit', ...onPage }),
  addVisitAddendum: addAddendumOn({
    ...onPage,
    async notesOf(call) {
      const found = await call.perform('readClinicVisit')
      return found.problem ? [] : found.value.notes
    },
  }),
} satisfies Record<string, ConsoleHandler>
