// A person's own account: profile, sign-in methods, sessions, and closure.
import type { ComponentChildren } from 'preact'
import { Hidden } from '#http/html/fields.tsx'
import { type Factors, listFactors, type Passkey } from '../../accounts/factors.ts'
import { listSessions, type OwnSession } from '../../accounts/own-account.ts'
import { listStaffMemberships } from '../../clinics/staff-memberships.ts'
import { findBegunRecovery, type Recovery } from '../../accounts/recoveries.ts'
import type { PageCall, PageHandler } from '../context.ts'
import { RowForm } from '#http/html/parts.tsx'
import { Actions, Submit } from '../parts.tsx'
import { LocalMoment } from '../words.tsx'
import { removalOf } from './remove-factor.tsx'

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

/** A null `passkey` means the authenticator app. */
const RemoveFactor = ({ passkey, label }: { passkey: string | null; label: string }) => (
  <a class="button second small" href={removalOf(passkey)} aria-label={`Remove ${label}`}>
    Remove
  </a>
)

const PasskeyCard = ({ passkey, canGo }: { passkey: Passkey; canGo: boolean }) => (
  <Card
    title={passkey.name}
    detail={
      <>
        Passkey added <LocalMoment at={passkey.created_at} />.{' '}
        {passkey.last_used_at === null ? (
          'Not used yet.'
        ) : (
          <>
            Last used <LocalMoment at={passkey.last_used_at} />.
          </>
        )}
      </>
    }
  >
    {canGo && <RemoveFactor passkey={passkey.id} label={`the passkey ${passkey.name}`} />}
  </Card>
)

const Profile = ({ name, email }: { name: string; email: string }) => (
  <section class="aside">
    <h2>Profile</h2>
    <ul class="cards">
      <Card title="Name" detail={name}>
        <a class="button second small" href="/account/name" aria-label="Change your name">
          Change
        </a>
      </Card>
      <Card title="Email" detail={<span class="address">{email}</span>}>
        <a class="button second small" href="/account/email" aria-label="Change your email">
          Change
        </a>
      </Card>
    </ul>
  </section>
)

function SignInWays({ factors }: { factors: Factors }) {
  const { hasTotp, passkeys, recoveryCodesLeft: left } = factors
  // At least one factor must stay.
  const canGo = passkeys.length + (hasTotp ? 1 : 0) > 1
  return (
    <section class="aside">
      <h2>Sign-in methods</h2>
      <ul class="cards">
        <Card
          title="Password"
          detail={`Used with ${hasTotp ? 'a code from your authenticator app' : 'a passkey'}.`}
        >
          <a class="button second small" href="/password" aria-label="Change your password">
            Change
          </a>
        </Card>
        {hasTotp && (
          <Card title="Authenticator app" detail="Shows the code you enter after your password.">
            <span class="actions">
              <a
                class="button second small"
                href="/second-factor?next=%2Faccount"
                aria-label="Replace the authenticator app"
              >
                Replace
              </a>
              {canGo && <RemoveFactor passkey={null} label="the authenticator app" />}
            </span>
          </Card>
        )}
        {passkeys.map(passkey => (
          <PasskeyCard key={passkey.id} passkey={passkey} canGo={canGo} />
        ))}
        <Card
          title="Recovery codes"
          detail={`${left} left. Each one signs you in once if you lose your other methods.`}
        >
          <a
            class="button second small"
            href="/recovery-codes"
            aria-label="Replace your recovery codes"
          >
            Replace
          </a>
        </Card>
      </ul>
      <p class="actions">
        <a class="button second" href="/passkeys">
          Add passkey
        </a>
        {!hasTotp && (
          <a class="button second" href="/second-factor?next=%2Faccount">
            Add authenticator app
          </a>
        )}
      </p>
    </section>
  )
}

const Sessions = ({ call, sessions }: Own & { sessions: readonly OwnSession[] }) => (
  <section class="aside">
    <h2>Sessions</h2>
    <ul class="cards">
      {sessions.map(({ id, name, since, last_used_at: used, is_current: isCurrent }) => (
        <Card
          key={id}
          title={isCurrent ? `${name} (this browser)` : name}
          detail={
            <>
              Signed in <LocalMoment at={since} />. Last used <LocalMoment at={used} />.
            </>
          }
        >
          {!isCurrent && (
            <RowForm call={call} path="/sessions/end">
              <Hidden name="session" value={id} />
              <button class="button second small" aria-label={`Sign out ${name}`}>
                Sign out
              </button>
            </RowForm>
          )}
        </Card>
      ))}
    </ul>
    <RowForm call={call} path="/sessions/end-all">
      <Actions>
        <Submit class="button second">Sign out everywhere</Submit>
      </Actions>
    </RowForm>
  </section>
)

const BegunRecovery = ({ call, recovery }: Own & { recovery: Recovery }) => (
  <div class="note">
    <p>
      <strong>Someone started recovering your account.</strong> From{' '}
      <LocalMoment at={recovery.effective_at ?? ''} /> they can set a new password and second factor
      by email. If it wasn’t you, stop it now.
    </p>
    <RowForm call={call} path="/recover/stop">
      <button class="button small">Stop recovery</button>
    </RowForm>
  </div>
)

export const showAccount: PageHandler = async (context, call) => {
  const { session } = call
  const { id, email, name } = session.person
  const [factors, sessions, recovery, clinics] = await Promise.all([
    listFactors(context.pool, id),
    listSessions(context.pool, { person: id, session: session.id }),
    findBegunRecovery(context.pool, id),
    listStaffMemberships(context.pool, id),
  ])
  const { portal, console } = context.handoffUrls
  const isStaff = console !== undefined && clinics.length > 0
  return {
    scripts: true,
    content: (
      <>
        <h1>Your account</h1>
        {recovery !== null && <BegunRecovery call={call} recovery={recovery} />}
        <p class="actions">
          {isStaff && (
            <a class="button" href={console}>
              Open the console
            </a>
          )}
          {portal !== undefined && (
            <a class={isStaff ? 'button second' : 'button'} href={portal}>
              Open the portal
            </a>
          )}
          <a class="button second" href="/">
            Your agents and devices
          </a>
        </p>
        <Profile name={name} email={email} />
        <SignInWays factors={factors} />
        <Sessions call={call} sessions={sessions} />
        <section class="aside">
          <h2>Close your account</h2>
          <p>
            <a href="/account/close">Close your account</a> for good.
          </p>
        </section>
      </>
    ),
  }
}
