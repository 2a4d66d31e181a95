// Checks row-level security in the catalog: each table's policies, and the few functions that run
// with the owner's privileges.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { ofIntegration } from './testing/tenant-tables.ts'
import { type TestDatabase, testDatabase } from './testing/database.ts'

let database: TestDatabase
let owner: SQL
beforeAll(async () => {
  database = await testDatabase()
  owner = new SQL(database.url, { max: 1 })
})
afterAll(async () => {
  await owner.close()
  await database.close()
})

type Protection = {
  mode: string
  name: string
  tenant: boolean
  enabled: boolean
  forced: boolean
  policies: string[]
}

/** Every table in both modes, with the API role's policies. */
const protections = async (): Promise<Protection[]> => [
  ...(await owner`
    select n.nspname as mode, c.relname as name, c.relrowsecurity as enabled,
           c.relforcerowsecurity as forced,
           exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant') as tenant,
           array(select polname || ' ' || regexp_replace(coalesce(
                          pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)),
                        '\\s+', ' ', 'g')
                   from pg_policy where polrelid = c.oid
                    and polroles = array[('app_' || n.nspname)::regrole::oid]
                  order by 1) as policies
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('test', 'live') and c.relkind in ('r', 'p') order by 1, 2`),
]

/** Tenant tables whose policy doesn't hide rows after thirty days in test mode. */
const lasting = new Set([
  'autopilot',
  'consent_versions',
  'discarded_objects',
  'export_schedules',
  'file_scans',
  'idempotency_keys',
  'room_seats',
  'visit_entrances',
])

/** The policy by the tenant's clock, which is real time in live mode. */
const youngIn = (mode: string) =>
  mode === 'test'
    ? '(created_at > ( SELECT kept_since.at FROM test.kept_since))'
    : "(created_at > (now() - '30 days'::interval))"

/** The policy for rows in the integration's own tenant. Deliveries, replays and requests are hidden
 *  after thirty days; requests use real time in either mode. */
const integrationPolicy = (mode: string, name: string) => {
  const own = `(tenant = ( SELECT ${mode}.integration_tenant() AS integration_tenant))`
  if (['deliveries', 'replays'].includes(name)) return `tenant (${own} AND ${youngIn(mode)})`
  if (name === 'delivery_counts')
    return `tenant (${own} AND ${youngIn(mode).replace('created_at', 'hour')})`
  if (name === 'request_counts') return `tenant (${own} AND (hour > (now() - '30 days'::interval)))`
  return name === 'requests' ? `tenant (${own} AND ${youngIn('live')})` : `tenant ${own}`
}

/** An attempt is visible only if its delivery is. */
const ofDelivery = (mode: string) =>
  `of_delivery (EXISTS ( SELECT FROM ${mode}.deliveries d WHERE ((d.tenant = ` +
  'delivery_attempts.tenant) AND (d.id = delivery_attempts.delivery))))'

/** Test tables' policies in addition to their tenant policy. */
const sandboxPolicies: Readonly<Record<string, string>> = {
  idempotency_keys: 'successor test.is_successor(tenant)',
  delivery_counts:
    'not_reset (event_tenant = ANY (( SELECT test.integration_tenants() AS integration_tenants)::bigint[]))',
  deliveries:
    'not_reset (event_tenant = ANY (( SELECT test.integration_tenants() AS integration_tenants)::bigint[]))',
  due_deliveries:
    'not_reset ((event IS NULL) OR (event_tenant = ANY (( SELECT test.integration_tenants() AS integration_tenants)::bigint[])))',
}

const policyOf = (mode: string, name: string) => {
  if (ofIntegration.includes(name)) return integrationPolicy(mode, name)
  return mode === 'test' && !lasting.has(name)
    ? `tenant ((tenant = current_tenant()) AND ${youngIn(mode)})`
    : 'tenant (tenant = current_tenant())'
}

test('row-level security: both modes have the same tenant tables, each with its forced policy', async () => {
  const all = await protections()
  const tenants = all.filter(one => one.tenant)
  const names = (mode: string) => tenants.filter(one => one.mode === mode).map(({ name }) => name)
  expect(names('test')).toEqual(names('live'))
  for (const { mode, name, enabled, forced, policies } of tenants) {
    expect({ mode, name, enabled, forced, policies }).toEqual({
      mode,
      name,
      enabled: true,
      forced: true,
      policies: [
        ...(name === 'delivery_attempts' ? [ofDelivery(mode)] : []),
        ...(mode === 'test' ? [sandboxPolicies[name] ?? []].flat() : []),
        policyOf(mode, name),
      ],
    })
  }
  for (const { enabled } of all) expect(enabled).toBe(true)
})

/** Tables that the sandbox doesn't purge: settings, objects still to be removed from storage,
 *  tables unused in test mode, and rows that a job removes after a day. */
const kept = new Set([...lasting].filter(name => name !== 'idempotency_keys'))

test('sandbox: every tenant table has a position in the removal order', async () => {
  const ending: { name: string }[] = await owner`select name from public.sandbox_tables`
  const names = (await protections()).filter(one => one.tenant && one.mode === 'test')
  expect(ending.map(({ name }) => name).toSorted()).toEqual(
    names.map(({ name }) => name).filter(name => !kept.has(name) && !ofIntegration.includes(name)),
  )
  const backwards = await owner`
    select child.name as child, parent.name as parent
      from pg_constraint k
      join public.sandbox_tables child on ('test.' || child.name)::regclass = k.conrelid
      join public.sandbox_tables parent on ('test.' || parent.name)::regclass = k.confrelid
     where k.contype = 'f' and k.conrelid <> k.confrelid and child.position >= parent.position`
  expect([...backwards]).toEqual([])
})

test('security definer: the list of functions is complete, and public can execute none', async () => {
  const rows: { name: string; settings: string[] | null; open: boolean }[] = await owner`
    select nspname || '.' || proname as name, proconfig as settings,
           has_function_privilege('public', p.oid, 'execute') as open
      from pg_proc p join pg_namespace n on n.oid = pronamespace
     where prosecdef and nspname in ('public', 'test', 'live', 'auth', 'audit', 'site', 'pharmacy') order by 1`
  expect(rows.map(({ name }) => name)).toEqual([
    'audit.accesses',
    'audit.clinic_activity',
    'audit.unsigned_entries',
    'auth.accept_agreement',
    'auth.accept_invitation',
    'auth.add_calendar_exception',
    'auth.add_client_secret',
    'auth.add_passkey',
    'auth.add_working_hours',
    'auth.allow_emergency_access',
    'auth.allow_live_changes',
    'auth.begin_recovery',
    'auth.bump_revision',
    'auth.bump_revision_of_organization',
    'auth.cancel_invitation',
    'auth.cancel_recovery',
    'auth.cancel_staff_invitation',
    'auth.change_clinic_settings',
    'auth.change_email',
    'auth.change_formulary',
    'auth.change_integration',
    'auth.change_password',
    'auth.change_role',
    'auth.change_staff',
    'auth.change_time_zone',
    'auth.choose_digest',
    'auth.clinic_work',
    'auth.close_account',
    'auth.close_integration',
    'auth.complete_recovery',
    'auth.complete_sign_up',
    'auth.confirm_staff',
    'auth.count_change_of_license',
    'auth.create_client',
    'auth.create_integration',
    'auth.create_key',
    'auth.deactivate_staff',
    'auth.decide_grant',
    'auth.decide_grant_of_clinic',
    'auth.end_access',
    'auth.end_client_tokens',
    'auth.end_emergency_access',
    'auth.end_families',
    'auth.end_sign_in',
    'auth.forget_operation_uses',
    'auth.invite_member',
    'auth.invite_staff',
    'auth.join_by_invitation',
    'auth.keys_of',
    'auth.lock_member',
    'auth.make_client_family',
    'auth.member_of_session',
    'auth.notify_ending_keys',
    'auth.queue_digests',
    'auth.reencrypt_factor',
    'auth.rehash_client_secret',
    'auth.rehash_credential',
    'auth.remove_clinic_text',
    'auth.remove_factor',
    'auth.remove_from_calendar',
    'auth.remove_license',
    'auth.remove_member',
    'auth.remove_operator_roles',
    'auth.rename_person',
    'auth.replace_recovery_codes',
    'auth.report_key',
    'auth.request_grant',
    'auth.request_recovery',
    'auth.request_sign_up',
    'auth.revoke_client',
    'auth.revoke_client_secret',
    'auth.revoke_grant',
    'auth.revoke_grant_of_clinic',
    'auth.revoke_key',
    'auth.rotate_key',
    'auth.sandbox_ahead_ms',
    'auth.save_clinic_text',
    'auth.session_stands',
    'auth.set_license',
    'auth.set_retention_policy',
    'auth.set_totp',
    'auth.staff_of_session',
    'auth.staff_stands',
    'auth.start_emergency_access',
    'auth.stop_recovery_of_staff',
    'auth.stopped_prescriptions',
    'auth.unanswered_threads',
    'auth.use_passkey',
    'auth.use_recovery_code',
    'auth.watching',
    'auth.withdraw_grant',
    'live.delete_attempts',
    'live.deliveries_behind',
    'live.disable_endpoints',
    'live.email_new_destination',
    'live.free_clinicians',
    'live.free_times',
    'live.invoice_next',
    'live.invoiced_charges',
    'live.keep_request_partitions',
    'live.note_charge',
    'live.note_enabled_endpoint',
    'live.open_event_cursor',
    'live.operator_tenants',
    'live.patients_with',
    'live.price_of',
    'live.project_requests',
    'live.purge_records',
    'live.realtime_tokens_to_revoke',
    'live.record_work',
    'live.release_deliveries',
    'live.reserve_connections',
    'live.sweep_exports',
    'live.sweep_files',
    'live.tokens_to_revoke',
    'pharmacy.connect',
    'pharmacy.disconnect',
    'pharmacy.email_staff_of_stopped',
    'pharmacy.intend_transmission',
    'pharmacy.reencrypt',
    'pharmacy.rotate',
    'public.database_health',
    'public.online_progress',
    'public.replication_lag',
    'public.reserve_realtime_connections',
    'site.queue_developers_email',
    'site.queue_person_email',
    'test.autopilot_due',
    'test.delete_attempts',
    'test.deliveries_behind',
    'test.disable_endpoints',
    'test.invoiced_charges',
    'test.is_successor',
    'test.join_sandbox_clock',
    'test.keep_request_partitions',
    'test.next_autopilot_step',
    'test.note_enabled_endpoint',
    'test.open_event_cursor',
    'test.price_of',
    'test.project_requests',
    'test.purge_sandbox',
    'test.realtime_tokens_to_revoke',
    'test.reserve_connections',
    'test.reset_sandbox',
    'test.sweep_exports',
    'test.sweep_files',
    'test.tokens_to_revoke',
  ])
  for (const { name, settings, open } of rows) {
    expect([open, settings?.[0]]).toEqual([false, `search_path=${name.split('.')[0]}, pg_temp`])
  }
})
