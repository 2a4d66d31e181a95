// What pages say without a number, each sentence with the test that shows it.
import type { Proofs } from '../proof.ts'
import { agents } from './agents.ts'
import { asyncConsult } from './articles/async-consult.ts'
import { building } from './articles/building.ts'
import { care } from './articles/care.ts'
import { comparing } from './articles/comparing.ts'
import { idempotencyArticle } from './articles/idempotency.ts'
import { identityAndConsent } from './articles/identity-and-consent.ts'
import { liveVideoArticle } from './articles/live-video.ts'
import { operating } from './articles/operating.ts'
import { pharmacyArticles } from './articles/pharmacy.ts'
import { photosArticle } from './articles/photos.ts'
import { pollingArticle } from './articles/polling.ts'
import { scenariosArticle } from './articles/scenarios.ts'
import { webhooksArticle } from './articles/webhooks.ts'
import { billing } from './billing.ts'
import { calls } from './calls.ts'
import { cases } from './care/cases.ts'
import { consult } from './care/consult.ts'
import { exports } from './care/exports.ts'
import { files } from './care/files.ts'
import { orders } from './care/orders.ts'
import { patients } from './care/patients.ts'
import { pharmacies } from './care/pharmacies.ts'
import { thread } from './care/thread.ts'
import { videoRoom } from './care/video-room.ts'
import { visits } from './care/visits.ts'
import { commandLine } from './command-line.ts'
import { concepts } from './concepts.ts'
import { credentials } from './credentials.ts'
import { events } from './events.ts'
import { home } from './home.ts'
import { limits } from './limits.ts'
import { live } from './live.ts'
import { oauth } from './oauth.ts'
import { portal } from './portal.ts'
import { programs } from './programs.ts'
import { quickstart } from './quickstart.ts'
import { requests } from './requests.ts'
import { sandbox } from './sandbox.ts'
import { servicePages } from './service-pages.ts'
import { sitePages } from './site-pages.ts'
import { tools } from './tools.ts'
import { webhooks } from './webhooks.ts'

export const subjects: readonly Proofs[] = [
  agents,
  asyncConsult,
  building,
  care,
  comparing,
  idempotencyArticle,
  identityAndConsent,
  liveVideoArticle,
  operating,
  pharmacyArticles,
  photosArticle,
  pollingArticle,
  scenariosArticle,
  webhooksArticle,
  billing,
  calls,
  cases,
  consult,
  exports,
  files,
  orders,
  patients,
  pharmacies,
  thread,
  videoRoom,
  visits,
  commandLine,
  concepts,
  credentials,
  events,
  home,
  limits,
  live,
  oauth,
  portal,
  programs,
  quickstart,
  requests,
  sandbox,
  servicePages,
  sitePages,
  tools,
  webhooks,
]
