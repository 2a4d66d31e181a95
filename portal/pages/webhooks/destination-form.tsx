// The forms that create and edit a destination, of one kind at a time.
import {
  type DestinationKind,
  destinationKinds,
  destinations,
  secretMember,
} from '#contract/preview/destinations.ts'
import { invalid, type Problem, problems } from '#contract/problems.ts'
import { Alert, Field, TextArea } from '#http/html/fields.tsx'
import { Heading, RowForm } from '#http/html/parts.tsx'
import type { MemberCall, PortalHandler } from '../../context.ts'
import { callForIntegration } from '../../for-integration.ts'
import { faultsOf } from '../../form-faults.ts'
import { problemText } from '../../refused.tsx'
import { kindNames, settingNames } from './destinations.tsx'
import { type Destination, idOf, missingOr } from './find.tsx'
import {
  everything,
  type Subscription,
  SubscriptionFields,
  subscriptionOf,
} from './subscription.tsx'

type Faults = Readonly<Record<string, string | undefined>>
type Settings = Readonly<Record<string, string | null>>

/** The names of a kind's settings, in contract order. */
const namesOf = (kind: DestinationKind): string[] =>
  Object.keys(destinations.createDestination.body.properties[kind].properties)

const isOptional = (name: string, kind: DestinationKind) =>
  kind === 's3' && (name === 'url' || name === 'prefix')

type FormProps = {
  readonly title: string
  readonly path: string
  readonly back: string
  readonly action: string
  readonly kind: DestinationKind
  readonly settings: Settings
  readonly given: Subscription
  /** Whether the destination already has settings and a secret. */
  readonly isMade: boolean
  readonly problem?: Problem | undefined
}

/** Errors name the setting below its kind. */
const faultsIn = (kind: DestinationKind, { content }: Problem) =>
  faultsOf({
    content: {
      ...content,
      errors: (content.errors ?? []).map(one => ({
        ...one,
        pointer: one.pointer.replace(`#/${kind}/`, '#/'),
      })),
    },
  })

/** A form that was kept lacks its secret. */
const faultsOfKept = ({ request }: MemberCall, { kind, isMade }: FormProps) =>
  request.method === 'GET'
    ? {}
    : {
        [secretMember[kind]]: isMade
          ? 'To change the settings, enter this again. Secrets aren’t kept.'
          : 'Enter this again. Secrets aren’t kept.',
      }

function destinationForm(call: MemberCall, form: FormProps) {
  const { title, path, kind, given, problem } = form
  const faults: Faults = problem ? faultsIn(kind, problem) : faultsOfKept(call, form)
  const fields = new Set([...namesOf(kind), 'description', 'event_types', 'include_resource'])
  const isOfField = Object.keys(faults).some(name => fields.has(name))
  return {
    title,
    status: problem === undefined ? 200 : isOfField ? 422 : problems[problem.code].status,
    content: (
      <>
        <Heading title={title} lead={kindNames[kind]} />
        {problem && !isOfField && <Alert>{problemText(problem)}</Alert>}
        <RowForm call={call} path={path} class="stack">
          <input type="hidden" name="kind" value={kind} />
          {namesOf(kind).map(name => (
            <SettingField key={name} name={name} form={form} fault={faults[name]} />
          ))}
          <SubscriptionFields given={given} faults={faults} />
          <div class="actions">
            <button class="button">{form.action}</button>
            <a class="button second" href={form.back}>
              Cancel
            </a>
          </div>
        </RowForm>
      </>
    ),
  }
}

type SettingProps = { name: string; form: FormProps; fault: string | undefined }

const SettingField = ({ name, form: { kind, settings, isMade }, fault }: SettingProps) => {
  const isSecret = name === secretMember[kind]
  const shared = {
    name,
    label: settingNames[name] ?? name,
    value: isSecret ? null : (settings[name] ?? ''),
    fault,
    ...(isSecret && isMade && { hint: 'Needed only to change the settings.' }),
    isOptional: isOptional(name, kind) || (isSecret && isMade),
  }
  if (name === 'private_key') return <TextArea {...shared} value={shared.value ?? ''} />
  const type = isSecret ? 'password' : name === 'url' ? 'url' : 'text'
  return <Field {...shared} type={type} />
}

const settingsIn = (form: URLSearchParams, kind: DestinationKind): Settings =>
  Object.fromEntries(
    namesOf(kind).map(name => {
      const value = (form.get(name) ?? '').trim()
      return [name, value === '' && name === 'url' ? null : value]
    }),
  )

const kindIn = (text: string | null) => destinationKinds.find(kind => kind === text)

const newForm = (
  call: MemberCall,
  kind: DestinationKind,
  settings: Settings = {},
  given: Subscription = everything,
  problem?: Problem,
) =>
  destinationForm(call, {
    title: 'New destination',
    path: call.pathOf('createDestination'),
    back: call.pathOf('webhooks'),
    action: 'Create destination',
    isMade: false,
    kind,
    settings,
    given,
    problem,
  })

const kindChoice = (call: MemberCall) => ({
  title: 'New destination',
  content: (
    <>
      <Heading title="New destination" lead="Choose where events go." />
      <ul class="bullets">
        {destinationKinds.map(kind => (
          <li key={kind}>
            <a href={call.pathOf('newDestination', {}, { kind })}>{kindNames[kind]}</a>
          </li>
        ))}
      </ul>
    </>
  ),
})

export const newDestination: PortalHandler = async (_portal, call) => {
  const { form } = call
  const kind = kindIn(form.get('kind') ?? call.query.get('kind'))
  if (kind === undefined) return kindChoice(call)
  return call.row === 'createDestination'
    ? newForm(call, kind, settingsIn(form, kind), subscriptionOf(form))
    : newForm(call, kind)
}

export const createDestination: PortalHandler = async (_portal, call) => {
  const kind = kindIn(call.form.get('kind'))
  if (kind === undefined) return kindChoice(call)
  const [settings, given] = [settingsIn(call.form, kind), subscriptionOf(call.form)]
  const body = { [kind]: settings, ...given }
  const made = await callForIntegration(call, 'createDestination', { body })
  if (made.problem) return newForm(call, kind, settings, given, made.problem)
  const { id } = made.value
  return { redirect: call.pathOf('webhook', { id }), toast: { text: 'Destination created' } }
}

const editDestination = (
  call: MemberCall,
  was: Destination,
  settings: Settings = was[was.kind] ?? {},
  given: Subscription = was,
  problem?: Problem,
) =>
  destinationForm(call, {
    title: 'Edit destination',
    path: call.pathOf('updateWebhook', call.names),
    back: call.pathOf('webhook', call.names),
    action: 'Save',
    isMade: true,
    kind: was.kind,
    settings,
    given,
    problem,
  })

/** The form, with the values of a form that was kept. */
export const openDestination = (call: MemberCall, was: Destination) =>
  call.row === 'updateWebhook'
    ? editDestination(call, was, settingsIn(call.form, was.kind), subscriptionOf(call.form))
    : editDestination(call, was)

/** Whether a form without the secret changes another setting. */
const isChanged = (kind: DestinationKind, was: Settings, settings: Settings) =>
  namesOf(kind).some(
    name => name !== secretMember[kind] && (settings[name] ?? '') !== (was[name] ?? '').trim(),
  )

const secretNeeded = (kind: DestinationKind) =>
  invalid([
    {
      pointer: `#/${kind}/${secretMember[kind]}`,
      code: 'mismatch',
      message: 'Enter the secret to change these settings.',
    },
  ])

/** Saves a destination's form. The API replaces settings together with their secret, so a form
 *  without the secret keeps them. */
export async function updateDestination(call: MemberCall) {
  const names = idOf(call)
  const found = await callForIntegration(call, 'getDestination', { names })
  if (found.problem) return missingOr(call, found.problem)
  const was = found.value
  const [settings, given] = [settingsIn(call.form, was.kind), subscriptionOf(call.form)]
  const isReplaced = settings[secretMember[was.kind]] !== ''
  if (!isReplaced && isChanged(was.kind, was[was.kind] ?? {}, settings)) {
    return editDestination(call, was, settings, given, secretNeeded(was.kind))
  }
  const body = { ...(isReplaced && { [was.kind]: settings }), ...given }
  const saved = await callForIntegration(call, 'updateDestination', { names, body })
  if (saved.problem) return editDestination(call, was, settings, given, saved.problem)
  return { redirect: call.pathOf('webhook', names), toast: { text: 'Destination saved' } }
}
