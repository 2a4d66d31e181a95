// One's own account: how the person signs in, where they are signed in, and how to end it.
import type { ComponentChildren } from 'preact'
import { Hidden } from '#http/html/fields.tsx'
import { type Factors, listFactors, type Passkey } from '../../accounts/factors.ts'
import { listSessions, type OwnSession } from '../../accounts/own-account.ts'
import { findBegunRecovery, type Recovery } from '../../accounts/recoveries.ts'
import type { PageCall, PageHandler } from '../context.ts'
import { RowForm } from '#http/html/parts.tsx'
import { Moment } from '../words.tsx'

type CardProps = {
  readonly title: string
  readonly detail: ComponentChildren
  readonly children?: ComponentChildren
}

const Card = ({ title, detail, children }: CardProps) => (
  <li class="card">
    <div class="card-head">
      <h3>{title}</h3>
      {children}
    </div>
    <p class="fine">{detail}</p>
  </li>
)

type Own = { readonly call: PageCall }

const RemoveFactor = ({ call, id, label }: Own & { id: string; label: string }) => (
  <RowForm call={call} path="/factors/remove">
    <Hidden name="factor" value={id} />
    <button class="button second small" aria-label={`Remove ${label}`}>
      Remove
    </button>
  </RowForm>
)

const PasskeyCard = ({ call, passkey, canGo }: Own & { passkey: Passkey; canGo: boolean }) => (
  <Card
    title={passkey.name}
    detail={
      <>
        Passkey, added <Moment at={passkey.created_at} />.{' '}
        {passkey.last_used_at === null ? (
          'Not used yet.'
        ) : (
          <>
            Last used <Moment at={passkey.last_used_at} />.
          </>
        )}
      </>
    }
  >
    {canGo && <RemoveFactor call={call} id={passkey.id} label={`the passkey ${passkey.name}`} />}
  </Card>
)

function SignInWays({ call, factors }: Own & { factors: Factors }) {
  const { hasTotp, passkeys, recoveryCodesLeft: left } = factors
  // One has to stay.
  const canGo = passkeys.length + (hasTotp ? 1 : 0) > 1
  return (
    <section class="aside">
      <h2>How you sign in</h2>
      <ul class="cards">
        <Card title="Password" detail="Used together with an authenticator app.">
          <a class="button second small" href="/password">
            Change
          </a>
        </Card>
        {hasTotp && (
          <Card title="Authenticator app" detail="Its codes are the second factor.">
            <span class="actions">
              <a class="button second small" href="/second-factor?next=%2Faccount">
                Replace
              </a>
              {canGo && <RemoveFactor call={call} id="totp" label="the authenticator app" />}
            </span>
          </Card>
        )}
        {passkeys.map(passkey => (
          <PasskeyCard key={passkey.id} call={call} passkey={passkey} canGo={canGo} />
        ))}
        <Card
          title="Recovery codes"
          detail={`${left === 1 ? 'One is' : `${left} are`} left, each for one sign-in without the others.`}
        >
          <a class="button second small" href="/recovery-codes">
            Make new ones
          </a>
        </Card>
      </ul>
      <p class="actions">
        <a class="button second" href="/passkeys">
          Add a passkey
        </a>
        {!hasTotp && (
          <a class="button second" href="/second-factor?next=%2Faccount">
            Add an authenticator app
          </a>
        )}
      </p>
    </section>
  )
}

const Sessions = ({ call, sessions }: Own & { sessions: readonly OwnSession[] }) => (
  <section class="aside">
    <h2>Where you are signed in</h2>
    <ul class="cards">
      {sessions.map(({ id, name, since, last_used_at: used, is_current: isCurrent }) => (
        <Card
          key={id}
          title={isCurrent ? `${name}, this one` : name}
          detail={
            <>
              Since <Moment at={since} />. Last used <Moment at={used} />.
            </>
          }
        >
          {!isCurrent && (
            <RowForm call={call} path="/sessions/end">
              <Hidden name="session" value={id} />
              <button class="button second small" aria-label={`End the session of ${name}`}>
                End
              </button>
            </RowForm>
          )}
        </Card>
      ))}
    </ul>
  </section>
)

const BegunRecovery = ({ call, recovery }: Own & { recovery: Recovery }) => (
  <div class="note">
    <p>
      <strong>Your account is being recovered.</strong> From{' '}
      <Moment at={recovery.effective_at ?? ''} /> your password and your second factors can be set
      anew by email. If you did not ask for it, stop it.
    </p>
    <RowForm call={call} path="/recover/stop">
      <button class="button small">Stop the recovery</button>
    </RowForm>
  </div>
)

export const showAccount: PageHandler = async (context, call) => {
  const { session } = call
  const { id, email, name } = session.person
  const [factors, sessions, recovery] = await Promise.all([
    listFactors(context.pool, id),
    listSessions(context.pool, { person: id, session: session.id }),
    findBegunRecovery(context.pool, id),
  ])
  const portal = context.handoffUrls.portal
  return {
    content: (
      <>
        <h1>Your account</h1>
        <p class="lead">
          {name}, <span class="address">{email}</span>
        </p>
        {recovery !== null && <BegunRecovery call={call} recovery={recovery} />}
        <p class="actions">
          {portal !== undefined && (
            <a class="button" href={portal}>
              Open the portal
            </a>
          )}
          <a class="button second" href="/">
            Your agents and devices
          </a>
        </p>
        <SignInWays call={call} factors={factors} />
        <Sessions call={call} sessions={sessions} />
        <section class="aside">
          <h2>Close your account</h2>
          <p>
            <a href="/account/close">Close your account</a>, for good.
          </p>
        </section>
      </>
    ),
  }
}
