// Allowed imports between modules, and files with special permissions. tidy.test.ts enforces both.
// Adding a file here requires a reason.

/** The modules, folders and single files that each module may import. */
export const importRules: Record<string, string[]> = {
  contract: [],
  database: [],
  // Pages use placeholders for the contract's numbers, and a check verifies their names.
  content: ['contract'],
  // One file owns the clock.
  http: ['contract', 'database/clock.ts'],
  // The company's address, opening hours and consent text are content.
  email: [
    'contract',
    'database',
    'http',
    'content/site.config.ts',
    'content/consent.ts',
    'content/opening-hours.ts',
  ],
  auth: ['contract', 'database', 'http', 'email'],
  // The company's opening hours and consent text are content.
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
  // Searching the guides uses the site's ranking, and results link to the reference.
  mcp: ['contract', 'http', 'content/ranking', 'content/reference.ts'],
  // Member pages use the same pipeline as the API, and link to the reference.
  portal: [
    'contract',
    'database',
    'auth',
    'http',
    'clinical/pipeline',
    'clinical/rest/session-calls.ts',
    'content/reference.ts',
  ],
  // Clinic staff pages use the same pipeline as the API.
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
  // Used by the generated clients' sources, and for the product's short name and the CLI's guides.
  clients: ['contract', 'content/site.config.ts', 'content/read.ts', 'content/fill.ts'],
  // Used for each process's connection count, the metrics, and PostgreSQL's log archiving.
  deploy: [
    'database/embedded/archiving.ts',
    'gateway/processes/connections.ts',
    'gateway/settings/config.ts',
    'http/observe/metric-families.ts',
  ],
  e2e: ['clients'],
  // Used for the parser that reads a file's imports.
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
    'e2e/debugged-browser.ts',
  ],
}

/** Files with special permissions, each with its reason. */
export const owners = {
  environment: [
    'gateway/settings/config.ts', // reads the settings
    'clients/cli/src/environment.ts', // reads the command line's own process
    'e2e/browser.ts', // chooses the browser
    'e2e/checkout.ts', // builds the environment of a new user's shell
    'e2e/walks/given.ts', // reads the people and keys of a deployment
    'e2e/servers.ts', // gives an operator's command its own environment
    'e2e/playwright.config.ts', // passes the server's address and the browser's path to workers
    'deploy/install.mjs', // finds npm before anything is installed
    'deploy/start.mjs', // checks whether npm started it
    'deploy/test.mjs', // passes its own environment to each stage
    'deploy/test-stress.mjs', // passes its own environment to each run
    'clients/typescript/src/runtime.ts', // reads the process that uses the library
    'mutate/program.ts', // gives a fault's tests their own temporary folder
  ],
  network: [
    'clinical/realtime/ably.ts', // sends messages in a job, after their commit
    'clinical/rooms/browser/room.ts', // runs in the browser
    'clinical/rooms/daily.ts', // requests a page's data while it loads, outside any transaction
    'clinical/files/malware.ts', // scans only while nothing is locked, and never during a write
    'clinical/storage/s3.ts', // uses storage only while nothing is locked, and never during a write
  ],
  cookies: [
    'clinical/rooms/visit-cookie.ts', // remembers which browser entered a visit; not a session
    'http/origins/own-origin.ts', // checks whether a request has a module's session
    'http/origins/page-cookies.ts', // reads and sets page cookies
    'http/pages/answer.tsx', // adds page cookies to responses
  ],
  timeAndChance: [
    'database/clock.ts',
    'clients/typescript/src/runtime.ts', // the library's own clock
    'clients/cli/src/environment.ts', // the command line's own clock
    'e2e/scenarios/run.ts', // a scenario requests days counted from today
    'http/html/browser/pages.ts', // shows elapsed time by the reader's own clock
    'site/src/signature/page.ts', // checks whether a signature is stale, by the reader's own clock
  ],
  catching: [
    'auth/guard.ts', // the next statement detects that a tenant couldn't be opened
    'auth/accounts/passkeys.ts', // a browser may send text that is not JSON
    'auth/oauth/own-endpoints.ts', // a body that is not JSON is the caller's fault
    'auth/testing/authenticate.ts', // a stale cached credential is authenticated again
    'http/pages/kept-form.tsx', // text that does not decrypt counts as never stored
    'content/checks/external-links.ts', // an external site that does not respond is a finding
    'content/entry.ts', // the full parser reads text that the fast one cannot
    'database/migration-check.ts', // reports rows that a migration would refuse
    'database/retry.ts', // retries a database that is down
    'database/batches.ts', // a value that cannot be written must not fail the rest of its batch
    'clinical/audit/background-writer.ts', // a row that cannot be written must not delay the others
    'http/json-body.ts', // a body that does not parse is the caller's fault
    'clinical/rooms/browser/media.ts', // shows a blocked camera as a sentence on the page
    'clinical/rooms/browser/room.ts', // retries an unreachable server later
    'clinical/rooms/room-socket.ts', // a page may send text that is not JSON
    'clinical/tokens.ts', // a token that does not decrypt is not our error
    'clinical/files/upload.ts', // turns an upload's failure into its response
    'clinical/deliveries/engine/send-to-destination.ts', // a non-JSON response accepted nothing
    'http/log.ts', // a full disk costs log lines, but not the process
    'http/limits/rate-limiter.ts', // the library reports an exhausted limit by rejecting
    'clinical/realtime/reader.ts', // retries a failed read at the next poll
    'clinical/realtime/token.ts', // text that does not parse or is not signed is not a token
    'clinical/viewer/pdf.ts', // the library throws if a PDF has a password
    'clinical/viewer/process.ts', // the exit code is the kind of failure
    'clinical/viewer/seal.ts', // tries calls that the seal must refuse
    'clinical/viewer/viewer.ts', // a response that does not parse is not a page
    'clinical/viewer/testing/probe.ts', // refused calls aren't counted
    'clinical/sandbox/run-autopilot.ts', // a step that a sandbox control refuses is no longer due
    'clinical/deliveries/engine/post.ts', // a receiver that does not respond is an outcome
    'clinical/pharmacy/endpoint.ts', // turns a refusal or a failure into a response
    'clinical/pharmacy/http-provider.ts', // a pharmacy that does not respond is an outcome
    'clinical/pharmacy/update.ts', // an already recorded ID means a repeated update
    'clinical/jobs/run.ts', // logs a failed job and runs it again
    'clinical/waiting-room/waiting-room.ts', // shows a patient a failure as a page, not as JSON
    'clinical/pipeline/perform.ts', // retries a transient failure; turns a refusal into a response
    'clinical/pipeline/perform-read.ts', // a full disk has no room for a read's audit row
    'clinical/pipeline/perform-write.ts', // a duplicate key is a concurrent write, not a failure
    'database/embedded/keep.ts', // retries a server that does not start
    'database/online/run.ts', // rolls back a batch, then rethrows its failure
    'database/pool.ts', // replaces a lost connection, then rethrows the failure
    'database/lock.ts', // SQLite reports "held by another" by throwing
    'database/migrate.ts', // rolls back, and names the migration and its line
    'database/embedded/native.ts', // handles a package that is not installed
    'database/embedded/postmaster.ts', // a process may end while it is being inspected
    'database/prompt.ts', // a mistyped statement must not end the prompt
    'database/encryption.ts', // text that no key decrypts is null, not a failure
    'database/roles.ts', // a password may not work yet; two gateways may create one role
    'http/versions.ts', // a body from an earlier version may not be JSON
    'http/endpoint-group.ts', // turns a refusal or a failure into a response
    'http/outgoing/get.ts', // a host that does not respond is an outcome
    'http/outgoing/pinned-request.ts', // tries a certificate with the other authorities
    'http/router.ts', // the last resort: turns any failure into a response and a log line
    'gateway/commands/admin.ts', // a failed command exits with its message and code
    'gateway/commands/doctor.ts', // reports any failure
    'gateway/doctor/clinic-services.ts', // reports a service that does not respond
    'gateway/doctor/video.ts', // reports a service that does not respond
    'gateway/doctor/database.ts', // reports a database that does not respond
    'gateway/doctor/settings.ts', // reports invalid settings
    'gateway/local/stored.ts', // a damaged dev.json counts as missing
    'gateway/live/gate.ts', // a database that is down leaves live mode as it was
    'gateway/server/live-site.ts', // a new build that does not load must not replace the old one
    'email/mailer.ts', // an email that is not accepted waits for its next attempt
    'booking/call.ts', // the unique index reports a second booking of a time by throwing
    'booking/zones.ts', // Intl reports an unknown time zone by throwing
    'gateway/server/start.ts', // the outermost handler: shows a message to the person starting it
    'gateway/static/static.ts', // a path may not be UTF-8
    'mcp/protocol/server.ts', // a body may not be JSON
    'mutate/program.ts', // a process group may already have ended
    'http/pages/pages.ts', // turns a refusal or a failure into a page
    'site/src/browser/storage.ts', // a browser throws where storage is forbidden
    'site/src/try/request.ts', // a reader may type text that is not JSON
    'site/src/signature/verify.ts', // a reader may paste text that is not JSON or base64
    'site/build/build.ts', // the build's entry point
    'site/build/write.ts', // copies a file on another disk, because it cannot be linked
    'site/src/markdown-cache.ts', // the first build has no cache
  ],
}
