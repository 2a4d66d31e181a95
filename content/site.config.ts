/** The company. No other file contains its name, so a rename changes only this file. */
export default {
  name: 'Example Health',
  /** The company's former names, which no text may use. */
  formerNames: [] as readonly string[],
  legalName: 'Example Health, Inc.',
  slug: 'svc',
  /** Pages and files link to these URLs. `site` and `api` must match BASE_URL, `auth` must match
   *  AUTH_URL, and `portal` must match PORTAL_URL. */
  site: 'https://example.com',
  api: 'https://api.example.com',
  auth: 'https://auth.example.com',
  mcp: 'https://mcp.example.com',
  /** Where people sign in; null if there's no portal, so no page links to one. */
  portal: 'https://portal.example.com' as string | null,
  email: {
    sales: 'hello@example.com',
    privacy: 'privacy@example.com',
    security: 'security@example.com',
  },
  /** Who reviews a content change before it's merged. */
  owners: {
    editors: 'editors@example.com',
    clinicians: 'clinicians@example.com',
    counsel: 'counsel@example.com',
    finance: 'finance@example.com',
    security: 'security@example.com',
  },
  /**
   * The URL for editing this repository's files in the browser, such as
   * `https://github.com/example/platform/edit/main`; null if pages have no “Edit this page” link.
   */
  editBase: null as string | null,
  /** The day the first clinic was connected to live mode; null before that. Pages state it. */
  liveSince: null as string | null,
  address: null,
  social: {},
  booking: {
    minutes: 30,
    retentionDays: 365,
    /** The time zone of the hours below. A person picks a time in their own time zone. */
    timeZone: 'America/New_York',
    /** Calls start and end within these hours; a day may have several ranges. */
    hours: {
      monday: ['09:00-12:00', '13:00-17:00'],
      tuesday: ['09:00-12:00', '13:00-17:00'],
      wednesday: ['09:00-12:00', '13:00-17:00'],
      thursday: ['09:00-12:00', '13:00-17:00'],
      friday: ['09:00-12:00', '13:00-16:00'],
      saturday: [],
      sunday: [],
    },
    /** Days without calls. */
    closed: ['2026-11-26', '2026-11-27', '2026-12-24', '2026-12-25', '2026-12-31', '2027-01-01'],
    /** How long before its start, and how many days ahead, a call can be booked. */
    noticeHours: 4,
    daysAhead: 31,
    /** The location in invitations. */
    place: 'By video. The link to join comes by email before the call.',
  },
  /** When security.txt expires and the reporting address must be confirmed. */
  securityTxtExpires: '2027-11-20',
  contentSignal: { search: true, aiInput: true, aiTrain: false },
}
