// Saved replies, note templates, and the answers that a chart's banner shows.
import {
  type ClinicText,
  removeClinicText,
  saveClinicText,
  textKinds,
  textLimits,
} from '#auth/clinics/texts.ts'
import { Alert, Field, Hidden, Select, TextArea } from '#http/html/fields.tsx'
import { Confirm, Heading, RowForm } from '#http/html/parts.tsx'
import { textOf } from '../../act.ts'
import type { ConsoleCall, ConsoleContext, ConsoleHandler } from '../../context.ts'
import { DoneNote } from '../../done.tsx'
import { refusalText } from '../administration/refusals.ts'
import { bannerSlots, wordsOf } from './intake.ts'
import { placeholders } from './placeholders.ts'
import { isBuiltIn, type Template, templatesOf, textsOf } from './read.ts'

const said = { saved: 'Saved.', deleted: 'Deleted.', restored: 'Restored.' }

const isAdmin = ({ staff }: ConsoleCall) => staff.roles.includes('admin')
const isCarer = ({ staff }: ConsoleCall) =>
  staff.roles.some(role => role === 'clinician' || role === 'nurse')

async function textsPage(context: ConsoleContext, call: ConsoleCall, alert?: string) {
  const texts = await textsOf(context, call)
  const replies = texts.filter(({ kind }) => kind !== 'banner' && kind !== 'template')
  return {
    title: 'Templates',
    status: alert === undefined ? 200 : 422,
    content: (
      <>
        <Heading title="Templates" lead="Saved replies, note templates and the chart banner." />
        {alert !== undefined && <Alert>{alert}</Alert>}
        <DoneNote call={call} said={said} />
        <section>
          <h2>Saved replies</h2>
          <p class="hint">
            Insert a saved reply when you decline a case, ask a question or send a message.
            Placeholders: {placeholders.join(' ')}
          </p>
          {replies.length === 0 && <p class="quiet">No saved replies yet.</p>}
          {replies.map(one => (
            <Saved key={one.id} call={call} text={one} />
          ))}
          <NewReply call={call} isSent={isNewReply(call, replies)} />
        </section>
        <section>
          <h2>Note templates</h2>
          <NoteTemplates call={call} texts={texts} />
        </section>
        <section>
          <h2>Chart banner</h2>
          <p class="hint">
            Enter answer IDs or phrases from questions, one per line. Matching answers appear in the
            banner.
          </p>
          {bannerSlots.map(slot => (
            <Shared key={slot} call={call} kind="banner" name={slot} body={wordsOf(texts, slot)} />
          ))}
        </section>
      </>
    ),
  }
}

const isNewReply = (call: ConsoleCall, replies: readonly ClinicText[]) =>
  call.row === 'saveText' &&
  Object.hasOwn(kindNames, call.form.get('kind') ?? '') &&
  !replies.some(one => isSent({ ...one, call, scope: scopeOf(one) }))

type CallProps = { readonly call: ConsoleCall }

const NoteTemplates = ({ call, texts }: CallProps & { texts: readonly ClinicText[] }) => {
  const templates = templatesOf(texts)
  const common = { call, kind: 'template' } as const
  const idOf = (name: string) => texts.find(one => one.kind === 'template' && one.name === name)?.id
  return (
    <>
      {templates.map(({ name, body }) => (
        <Shared key={name} {...common} name={name} body={body} id={idOf(name)} />
      ))}
      {isAdmin(call) && (
        <Shared {...common} name="" body="" others={templates.map(({ name }) => name)} />
      )}
    </>
  )
}

const kindNames = { decline: 'Decline', question: 'Question', message: 'Message' } as const
const nameOfKind = (kind: string) => kindNames[kind as keyof typeof kindNames] ?? kind

const Remove = ({ call, id, name, noun }: Record<'id' | 'name' | 'noun', string> & CallProps) => {
  const isRestored = noun === 'template' && isBuiltIn(name)
  const action = isRestored ? 'Restore the original' : `Delete ${noun}`
  return (
    <Confirm
      call={call}
      path={call.pathOf('removeText', { id })}
      label={action}
      question={
        isRestored
          ? 'The original replaces the clinic’s version. You can’t undo this.'
          : `This deletes “${name}”. You can’t undo this.`
      }
      action={action}
    >
      {isRestored && <Hidden name="restored" value="1" />}
    </Confirm>
  )
}

const scopeOf = ({ is_own }: ClinicText): 'own' | 'clinic' => (is_own ? 'own' : 'clinic')

const Saved = ({ call, text }: CallProps & { text: ClinicText }) => {
  const { id, kind, name, body } = text
  const form = { call, kind, scope: scopeOf(text), name, body }
  return (
    <details class="saved-text" open={isSent(form)}>
      <summary>
        {name}{' '}
        <span class="fine">
          {nameOfKind(kind)} · {text.is_own ? 'yours' : 'clinic'}
        </span>
      </summary>
      {text.is_own || isAdmin(call) ? (
        <>
          <TextForm {...form} />
          <Remove call={call} id={id} name={name} noun="reply" />
        </>
      ) : (
        <p class="lines">{body}</p>
      )}
    </details>
  )
}

/** `isSent`: this request sent this form, not a saved reply’s. */
const NewReply = ({ call, isSent }: CallProps & { isSent: boolean }) => {
  const scopes = [
    ...(isCarer(call) ? [['own', 'Only me'] as const] : []),
    ...(isAdmin(call) ? [['clinic', 'Everyone at the clinic'] as const] : []),
  ]
  const typed = (name: string) => (isSent ? (call.form.get(name) ?? '') : '')
  return (
    <details open={isSent}>
      <summary>New reply</summary>
      <RowForm call={call} path={call.pathOf('saveText')} class="stack" isUnsaved={isSent}>
        <Select
          name="kind"
          label="For"
          value={typed('kind') || 'decline'}
          options={Object.entries(kindNames)}
        />
        <Select name="scope" label="Who can use it" value={typed('scope')} options={scopes} />
        <Field
          name="name"
          label="Name"
          hint="Replaces any reply with the same name."
          value={typed('name')}
          input={{ maxLength: textLimits.nameMax }}
        />
        <TextArea name="body" label="Text" value={typed('body')} />
        <div class="actions">
          <button class="button">Save reply</button>
        </div>
      </RowForm>
    </details>
  )
}

type TextFormProps = CallProps &
  Template & {
    readonly kind: ClinicText['kind']
    readonly scope: 'own' | 'clinic'
    /** The names of the other texts, for a form with a new name. */
    readonly others?: readonly string[]
  }

/** Whether this request sent this text's form. */
function isSent({ call: { row, form }, kind, scope, name, others }: TextFormProps): boolean {
  const sent = form.get('name') ?? ''
  const isOwn = others === undefined ? sent === name : !others.includes(sent)
  const isSame = form.get('kind') === kind && form.get('scope') === scope
  return row === 'saveText' && isSame && isOwn
}

type SharedProps = Omit<TextFormProps, 'scope'> & {
  /** Undefined if the clinic hasn't saved the text. */
  readonly id?: string | undefined
}

/** A text that administrators edit and others read. */
const Shared = ({ id, ...text }: SharedProps) => {
  const { call, name, body } = text
  const form = { ...text, scope: 'clinic' } as const
  return (
    <details class="saved-text" open={isSent(form)}>
      <summary>{name === '' ? 'New template' : name}</summary>
      {isAdmin(call) ? <TextForm {...form} /> : <p class="lines">{body}</p>}
      {isAdmin(call) && id !== undefined && (
        <Remove call={call} id={id} name={name} noun="template" />
      )}
    </details>
  )
}

const TextForm = (props: TextFormProps) => {
  const { call, kind, scope, name, body } = props
  const field = `${kind}-${scope}-${name}`.replaceAll(' ', '-')
  const sent = isSent(props) ? call.form : null
  return (
    <RowForm call={call} path={call.pathOf('saveText')} class="stack" isUnsaved={sent !== null}>
      <Hidden name="kind" value={kind} />
      <Hidden name="scope" value={scope} />
      {name === '' ? (
        <div class="field">
          <label for={`${field}-name`}>Name</label>
          <p class="hint" id={`${field}-hint`}>
            Replaces any template with the same name.
          </p>
          <input
            id={`${field}-name`}
            name="name"
            value={sent?.get('name') ?? ''}
            maxLength={textLimits.nameMax}
            aria-describedby={`${field}-hint`}
            required
          />
        </div>
      ) : (
        <Hidden name="name" value={name} />
      )}
      <div class="field">
        <label for={field}>{kind === 'banner' ? 'IDs and phrases' : 'Text'}</label>
        <textarea id={field} name="body" rows={6}>
          {sent?.get('body') ?? body}
        </textarea>
      </div>
      <div class="actions">
        <button class="button second">Save</button>
      </div>
    </RowForm>
  )
}

const save: ConsoleHandler = async (context, call) => {
  const kind = textKinds.find(one => one === call.form.get('kind'))
  const [name, body] = [textOf(call.form, 'name'), textOf(call.form, 'body')]
  const { nameMax, bodyMax } = textLimits
  if (kind === undefined) return textsPage(context, call, 'Choose what it’s for.')
  if (name === '' || name.length > nameMax) {
    return textsPage(context, call, `Enter a name of at most ${nameMax} characters.`)
  }
  if (body === '' && kind !== 'banner') return textsPage(context, call, 'Enter the text.')
  if (body.length > bodyMax) {
    return textsPage(context, call, `Shorten the text to ${bodyMax} characters or fewer.`)
  }
  const is_own = call.form.get('scope') === 'own'
  if (is_own && (kind === 'template' || kind === 'banner')) {
    return textsPage(context, call, 'Templates are for the whole clinic.')
  }
  const { refusal } = await context.pool.use(connection =>
    saveClinicText(connection, { kind, name, body, is_own }, call.act),
  )
  if (refusal !== null) return textsPage(context, call, refusalText(refusal))
  return { redirect: call.pathOf('texts', {}, { done: 'saved' }) }
}

const remove: ConsoleHandler = async (context, call) => {
  const { refusal } = await context.pool.use(connection =>
    removeClinicText(connection, call.names['id'] ?? '', call.act),
  )
  if (refusal !== null) return textsPage(context, call, refusalText(refusal))
  const done = call.form.has('restored') ? 'restored' : 'deleted'
  return { redirect: call.pathOf('texts', {}, { done }) }
}

export const textHandlers = {
  texts: (context, call) => textsPage(context, call),
  saveText: save,
  removeText: remove,
} satisfies Record<string, ConsoleHandler>
