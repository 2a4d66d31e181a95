// Which module may import which, and which files may do what the others may not; tidy.test.ts
// enforces both. A file is added here with its reason.

/** By module: the modules, folders or single files that it may import. */
export const importRules: Record<string, string[]> = {
  contract: [],
  database: [],
  // Pages state its numbers by placeholders, and a check knows its names.
  content: ['contract'],
  // The clock has one owner.
  http: ['contract', 'database/clock.ts'],
  // The company's address and opening hours, and its wording of consent, are content.
  email: [
    'contract',
    'database',
    'http',
    'content/site.config.ts',
    'content/consent.ts',
    'content/opening-hours.ts',
  ],
  auth: ['contract', 'database', 'http', 'email'],
  // The company's opening hours and its wording of consent are content.
  booking: [
    'contract',
    'database',
    'http',
    'email',
    'content/site.config.ts',
    'content/consent.ts',
    'content/opening-hours.ts',
  ],
  clinical: ['contract', 'database', 'auth', 'http'],
  // Its search of the guides is that of the site, and its results link to the reference.
  mcp: ['contract', 'http', 'content/ranking', 'content/reference.ts'],
  // The pages of members, over the same pipeline as the API; their links into the reference.
  portal: [
    'contract',
    'database',
    'auth',
    'http',
    'clinical/pipeline',
    'clinical/rest/session-calls.ts',
    'content/reference.ts',
  ],
  // The pages of the staff of a clinic, over the same pipeline as the API.
  console: [
    'contract',
    'database',
    'auth',
    'http',
    'clinical/staff-calls.ts',
    'clinical/medications/medication.ts',
  ],
  site: ['content', 'contract'],
  gateway: [
    'contract',
    'database',
    'content',
    'http',
    'auth',
    'email',
    'booking',
    'clinical',
    'mcp',
    'portal',
    'console',
  ],
  // What the clients are generated from, how the product is called in one word, and the guides that
  // the command line carries.
  clients: ['contract', 'content/site.config.ts', 'content/read.ts', 'content/fill.ts'],
  // How many connections each process opens, which metrics, and how PostgreSQL archives its log.
  deploy: [
    'database/embedded/archiving.ts',
    'gateway/processes/connections.ts',
    'gateway/settings/config.ts',
    'http/observe/metric-families.ts',
  ],
  e2e: ['clients'],
  // What reads the imports of a file for the import rules.
  mutate: ['tidy/rules.ts'],
  sweeps: [
    'contract',
    'database',
    'content',
    'http',
    'auth',
    'email',
    'booking',
    'clinical',
    'mcp',
    'portal',
    'console',
    'gateway',
    'site',
  ],
  bench: [
    'contract',
    'database',
    'content',
    'http',
    'auth',
    'email',
    'booking',
    'clinical',
    'mcp',
    'portal',
    'console',
    'gateway',
    'site',
  ],
}

/** Files that may do what the others may not, each for its reason. */
export const owners = {
  environment: [
    'gateway/settings/config.ts', // the settings
    'clients/cli/src/environment.ts', // what the command line has of its process
    'e2e/browser.ts', // which browser
    'e2e/checkout.ts', // what a newcomer's shell has of it
    'e2e/walks/given.ts', // people and keys of a deployment
    'e2e/servers.ts', // gives an operator's command its own environment
    'e2e/playwright.config.ts', // the address of the server and the browser that was found
    'deploy/install.mjs', // runs before anything is installed: where npm is
    'deploy/start.mjs', // whether npm started it
    'deploy/test.mjs', // passes its own environment to each stage
    'deploy/test-stress.mjs', // the same to each run
    'clients/typescript/src/runtime.ts', // of the process that uses the library
    'mutate/program.ts', // gives the tests of a fault their own temporary folder
  ],
  network: [
    'clinical/rooms/browser/room.ts', // runs in the browser
    'clinical/rooms/daily.ts', // what a page needs is asked for when it asks, in no transaction
    'clinical/files/malware.ts', // a scanner is asked while nothing is locked, and never by a write
    'clinical/storage/s3.ts', // storage is called while nothing is locked, and never by a write
  ],
  cookies: [
    'clinical/rooms/visit-cookie.ts', // which browser entered a visit; it is no session
    'http/origins/own-origin.ts', // whether a request carries a session of a module
    'http/origins/page-cookies.ts', // the cookies of pages
    'http/pages/answer.tsx', // and in their answers
  ],
  timeAndChance: [
    'database/clock.ts',
    'clients/typescript/src/runtime.ts', // the same for the library
    'clients/cli/src/environment.ts', // the same
    'e2e/scenarios/run.ts', // a scenario asks for days counted from today
    'http/html/browser/pages.ts', // how long ago by the reader's own clock
    'site/src/signature/page.ts', // whether a signature is stale by the reader's own clock
  ],
  catching: [
    'auth/guard.ts', // a tenant that could not be opened is noticed by the statement behind it
    'auth/accounts/passkeys.ts', // a browser may send text that is not JSON
    'auth/oauth/own-endpoints.ts', // a body that is not JSON is the caller's fault
    'auth/testing/authenticate.ts', // a stale cached credential is authenticated again
    'http/pages/kept-form.tsx', // what does not decrypt is nothing that was kept
    'content/checks/external-links.ts', // an external site that does not answer is a finding
    'content/entry.ts', // text that the fast parser cannot read goes to the full one
    'database/migration-check.ts', // what a migration would refuse is what it reports
    'database/retry.ts', // a database that is away is asked again
    'database/batches.ts', // a value that cannot be written must not fail the others of a batch
    'clinical/audit/background-writer.ts', // a row that cannot be written must not delay the others
    'http/json-body.ts', // a body that does not parse is the caller's fault
    'clinical/rooms/browser/media.ts', // a camera that may not be used is a sentence of the page
    'clinical/rooms/browser/room.ts', // a server that cannot be reached is asked again later
    'clinical/rooms/room-socket.ts', // a page may send text that is not JSON
    'clinical/tokens.ts', // a token that does not decrypt is not an error of ours
    'clinical/files/upload.ts', // what stops an upload becomes its answer
    'clinical/deliveries/engine/send-to-destination.ts', // an answer that is not JSON took nothing
    'http/log.ts', // a full disk costs lines of the log, and not the process
    'http/limits/rate-limiter.ts', // the library reports an exhausted limit by rejecting
    'clinical/realtime/reader.ts', // what could not be read is read at the next poll
    'clinical/realtime/token.ts', // text that does not parse or is not signed is no token
    'clinical/viewer/pdf.ts', // a library says by throwing that a PDF has a password
    'clinical/viewer/process.ts', // how a process ends says who failed
    'clinical/viewer/seal.ts', // a call that the seal refuses is what it tries
    'clinical/viewer/viewer.ts', // an answer that does not parse is no page
    'clinical/viewer/testing/probe.ts', // what is refused is not counted
    'clinical/sandbox/run-autopilot.ts', // what a sandbox control refuses is no longer due
    'clinical/deliveries/engine/post.ts', // a receiver that does not answer is an outcome
    'clinical/pharmacy/endpoint.ts', // a refusal or a failure becomes an answer
    'clinical/pharmacy/http-provider.ts', // a pharmacy that does not answer is an outcome
    'clinical/pharmacy/update.ts', // an id that was recorded meanwhile is a repeated update
    'clinical/jobs/run.ts', // a job that fails is logged, and runs again
    'clinical/waiting-room/waiting-room.ts', // a patient sees a failure as a page, not as JSON
    'clinical/pipeline/perform.ts', // retries a transient failure; turns a refusal into its answer
    'clinical/pipeline/perform-read.ts', // a full disk has no room for the audit row of a read
    'clinical/pipeline/perform-write.ts', // a duplicate key is a concurrent write, not a failure
    'database/embedded/keep.ts', // a server that does not start is tried again
    'database/online/run.ts', // a batch is rolled back before its failure is thrown on
    'database/pool.ts', // a lost connection is replaced before the failure is thrown on
    'database/lock.ts', // SQLite reports "held by another" by throwing
    'database/migrate.ts', // rolls back, and names the migration and its line
    'database/embedded/native.ts', // a package that is not installed
    'database/embedded/postmaster.ts', // a process that ends while it is being inspected
    'database/prompt.ts', // a mistyped statement must not end the prompt
    'database/encryption.ts', // a text that no key decrypts is null, not a failure
    'database/roles.ts', // a password that does not work yet; two gateways at one role
    'http/versions.ts', // a body of an earlier version that is not JSON
    'http/endpoint-group.ts', // a refusal or a failure becomes an answer
    'http/outgoing/get.ts', // a host that does not answer is an outcome
    'http/outgoing/pinned-request.ts', // a certificate is tried with the other authorities
    'http/router.ts', // the last resort: any failure becomes an answer and a log line
    'gateway/commands/admin.ts', // a failed command ends with its message and code
    'gateway/commands/doctor.ts', // what fails is what it reports
    'gateway/doctor/clinic-services.ts', // a finding of what does not answer
    'gateway/doctor/video.ts', // the same
    'gateway/doctor/database.ts', // the same
    'gateway/doctor/settings.ts', // the same
    'gateway/live/gate.ts', // a database that is away leaves live mode as it was
    'gateway/server/live-site.ts', // a new build that does not load must not replace the old one
    'email/mailer.ts', // an email that is not accepted waits for its next attempt
    'booking/call.ts', // two bookings of one time: the unique index reports it by throwing
    'booking/zones.ts', // Intl reports an unknown time zone by throwing
    'gateway/server/start.ts', // the outermost: a message for the person who started it
    'gateway/static/static.ts', // a path that is not UTF-8
    'mcp/protocol/server.ts', // a body that is not JSON
    'mutate/program.ts', // a process group that has ended by itself
    'http/pages/pages.ts', // a refusal or a failure becomes a page
    'site/src/browser/storage.ts', // a browser throws where storage is forbidden
    'site/src/try/request.ts', // a reader may type text that is not JSON
    'site/src/signature/verify.ts', // a reader may paste text that is not JSON or base64
    'site/build/build.ts', // the entry point of the build
    'site/build/write.ts', // a file on another disk cannot be linked, so it is copied
    'site/src/markdown-cache.ts', // the first build has no cache
  ],
}
