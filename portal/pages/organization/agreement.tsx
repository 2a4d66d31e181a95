// The business associate agreement: its text, the form that accepts it, and accepted versions.
import { isId, prefixes } from '#contract/ids.ts'
import {
  acceptAgreement,
  type AgreementRow,
  findAgreementText,
  listAgreements,
} from '#auth/agreements/agreements.ts'
import { Alert, Fault, Field, Hidden } from '#http/html/fields.tsx'
import type { MemberCall, PortalContext, PortalHandler } from '../../context.ts'
import { lineOf } from '#http/html/form-text.ts'
import { Badge, Facts, Heading, Id, RowForm, Time } from '#http/html/parts.tsx'
import { missing } from '../../refused.tsx'
import { refusalText } from '../../refusals.ts'

const digestOf = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')

/** Only our own text is ever stored as an agreement, so the text is rendered as is. */
const Text = ({ of }: { of: string }) => (
  <article class="document" dangerouslySetInnerHTML={{ __html: Bun.markdown.html(of) }} />
)

const title = 'Business associate agreement'

const isInForce = async ({ pool, agreement }: PortalContext, call: MemberCall) => {
  const agreements = await pool.use(connection =>
    listAgreements(connection, call.member.integration),
  )
  return agreements.some(one => one.is_in_force && one.version >= agreement.version)
}

const showText: PortalHandler = async (portal, call) => {
  const { agreement } = portal
  const isAccepted = await isInForce(portal, call)
  return {
    title,
    content: (
      <>
        <Heading
          title={title}
          lead={
            isAccepted
              ? `Version ${agreement.version} is in effect for ${call.member.name}.`
              : `Required for live mode. Only an owner of ${call.member.name} can accept it.`
          }
          action={
            !isAccepted &&
            call.member.role === 'owner' && (
              <a class="button" href={call.pathOf('newAcceptance')}>
                Accept
              </a>
            )
          }
        />
        <Text of={agreement.text} />
        <p class="fine">
          SHA-256 of this text: <code>{digestOf(agreement.text)}</code>
        </p>
      </>
    ),
  }
}

type AgreementForm = {
  readonly name?: string
  readonly jobTitle?: string
  readonly legalName?: string
  readonly legalAddress?: string
  readonly faults?: Partial<
    Record<'name' | 'title' | 'legalName' | 'legalAddress' | 'may', string | undefined>
  >
  readonly may?: boolean
  readonly alert?: string
  readonly status?: number
}

/** The legal entity, and the person who signs for it. */
const Signatory = ({ given }: { given: AgreementForm }) => (
  <>
    <Field
      name="legal_name"
      label="Legal name"
      hint="The company this agreement binds, such as Acme Health, Inc."
      value={given.legalName ?? ''}
      fault={given.faults?.legalName}
      autocomplete="organization"
      input={{ maxlength: 200 }}
    />
    <Field
      name="legal_address"
      label="Legal address"
      value={given.legalAddress ?? ''}
      fault={given.faults?.legalAddress}
      autocomplete="street-address"
      input={{ maxlength: 300 }}
    />
    <Field
      name="name"
      label="Your full name"
      value={given.name ?? ''}
      fault={given.faults?.name}
      autocomplete="name"
      input={{ maxlength: 200 }}
    />
    <Field
      name="title"
      label="Your title"
      hint="For example, CEO or General Counsel."
      value={given.jobTitle ?? ''}
      fault={given.faults?.title}
      autocomplete="organization-title"
      input={{ maxlength: 200 }}
    />
  </>
)

const acceptanceForm = ({ agreement }: PortalContext, call: MemberCall, given: AgreementForm) => ({
  title: 'Accept the agreement',
  status: given.status ?? 200,
  content: (
    <>
      <Heading
        title="Accept the agreement"
        lead={`Read version ${agreement.version}, then sign on behalf of ${call.member.name}.`}
      />
      {given.alert !== undefined && <Alert>{given.alert}</Alert>}
      <Text of={agreement.text} />
      <RowForm call={call} path={call.pathOf('acceptAgreement')} class="stack">
        <Hidden name="sha256" value={digestOf(agreement.text)} />
        <Signatory given={given} />
        <fieldset>
          <legend class="hidden">Authority</legend>
          <Fault name="may" fault={given.faults?.may} />
          <div class="choice">
            <input type="checkbox" name="may" id="may" value="yes" checked={given.may} />
            <label for="may">I’ve read the agreement and have authority to bind the company.</label>
          </div>
        </fieldset>
        <p class="fine">
          We store these details with your email, IP address, browser, the time and the text.
        </p>
        <div class="actions">
          <button class="button">Accept version {agreement.version}</button>
          <a class="button second" href={call.pathOf('goLive')}>
            Not now
          </a>
        </div>
      </RowForm>
    </>
  ),
})

const newAcceptance: PortalHandler = async (portal, call) => {
  const { version } = portal.agreement
  if (!(await isInForce(portal, call)))
    return acceptanceForm(portal, call, keptValues(portal, call))
  return {
    title: 'Accept the agreement',
    content: (
      <>
        <Heading
          title="Accept the agreement"
          lead={`Version ${version} is already in effect. You don’t need to do anything.`}
        />
        <p class="actions">
          <a class="button" href={call.pathOf('goLive')}>
            Go live
          </a>
        </p>
      </>
    ),
  }
}

const signatoryOf = (form: URLSearchParams) => {
  const lines = {
    name: lineOf(form, 'name', 'Name'),
    title: lineOf(form, 'title', 'Title'),
    legalName: lineOf(form, 'legal_name', 'Legal name'),
    legalAddress: lineOf(form, 'legal_address', 'Legal address', 300),
  }
  const { name, title: jobTitle, legalName, legalAddress } = lines
  const given = {
    name: name.value,
    jobTitle: jobTitle.value,
    legalName: legalName.value,
    legalAddress: legalAddress.value,
  }
  return { lines, given }
}

const hasAuthority = (form: URLSearchParams) => form.get('may') === 'yes'

/** Whether a new version was published after the form's page was opened. */
const isOtherText = ({ agreement }: PortalContext, form: URLSearchParams) =>
  form.get('sha256') !== digestOf(agreement.text)

const otherText =
  'The agreement changed while you were reading. Read the new text below, then accept it.'

/** The values of a form that was kept. A new text needs a new confirmation of authority. */
function keptValues(portal: PortalContext, { row, form }: MemberCall): AgreementForm {
  if (row !== 'acceptAgreement') return {}
  const { given } = signatoryOf(form)
  return isOtherText(portal, form)
    ? { ...given, alert: otherText }
    : { ...given, may: hasAuthority(form) }
}

const accept: PortalHandler = async (portal, call) => {
  const { form, member, act } = call
  const { version, text } = portal.agreement
  const { lines, given } = signatoryOf(form)
  const faults = {
    name: lines.name.fault,
    title: lines.title.fault,
    legalName: lines.legalName.fault,
    legalAddress: lines.legalAddress.fault,
    may: hasAuthority(form) ? undefined : 'Confirm that you have authority to sign.',
  }
  if (Object.values(faults).some(fault => fault !== undefined)) {
    return acceptanceForm(portal, call, { ...given, faults, status: 422 })
  }
  if (isOtherText(portal, form)) {
    return acceptanceForm(portal, call, { ...given, alert: otherText, status: 409 })
  }
  const asked = {
    integration: member.integration,
    version,
    text,
    name: given.name,
    title: given.jobTitle,
    legalName: given.legalName,
    legalAddress: given.legalAddress,
  }
  const { refusal } = await portal.pool.use(connection => acceptAgreement(connection, asked, act))
  // Already accepted with this form, or by another owner just now.
  if (refusal === null || refusal === 'already_accepted') {
    return { redirect: call.pathOf('goLive'), toast: { text: 'Agreement accepted' } }
  }
  return acceptanceForm(portal, call, { ...given, alert: refusalText(refusal), status: 409 })
}

const showAccepted: PortalHandler = async ({ pool }, call) => {
  const id = call.names['id'] ?? ''
  const found = isId(prefixes.agreement, id)
    ? await pool.use(async connection => {
        const all = await listAgreements(connection, call.member.integration)
        const agreement = all.find(one => one.id === id)
        const text = agreement && (await findAgreementText(connection, agreement.version))
        return agreement && typeof text === 'string' ? { agreement, text } : undefined
      })
    : undefined
  if (found === undefined) return missing('Agreement not found', call.pathOf('goLive'), 'Go live')
  const { agreement, text } = found
  return {
    title: `${title}, version ${agreement.version}`,
    content: (
      <>
        <Heading
          title={title}
          lead={
            agreement.is_in_force ? (
              <Badge tone="good">In effect</Badge>
            ) : (
              <Badge tone="plain">No longer in effect</Badge>
            )
          }
        />
        <Facts of={signatureOf(call, agreement)} />
        <Text of={text} />
      </>
    ),
  }
}

const signatureOf = (call: MemberCall, agreement: AgreementRow) =>
  [
    ['Account', call.member.name],
    ['Legal entity', `${agreement.legal_name}, ${agreement.legal_address}`],
    [
      'Signed by',
      `${agreement.signatory_name}, ${agreement.signatory_title} (${agreement.signatory_email})`,
    ],
    ['Signed', <Time at={agreement.accepted_at} />],
    [
      'Signed from',
      `${agreement.address ?? 'Unknown address'}, ${agreement.agent ?? 'unknown browser'}`,
    ],
    ['SHA-256', <code>{agreement.sha256}</code>],
    ['ID', <Id of={agreement.id} />],
  ] as const

export const agreementHandlers = {
  agreement: showText,
  newAcceptance,
  acceptAgreement: accept,
  acceptance: showAccepted,
} satisfies Record<string, PortalHandler>
