import { History, LogIn, LogOut, type LucideIcon, ShieldCheck, UsersRound } from 'lucide-react'
import type { SecurityEventKind } from '#contract/account/account-settings.ts'
import type { listSecurityEventsEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { getCommunityName } from '#web/navigation/community-identity.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { formatCountry, formatDeviceDescription } from './device-description.ts'
import { securityEventSentences } from './security-event-sentences.ts'
import { SettingsRow } from './settings-box-and-rows.tsx'

export type SecurityEvent = OperationOutput<typeof listSecurityEventsEndpoint>['documents'][number]

function iconOf(event: SecurityEventKind): LucideIcon {
  if (event === 'session.create') return LogIn
  if (event === 'session.delete') return LogOut
  if (/^(group|member|request)\./.test(event)) return UsersRound
  return /^(username|mfa|password|email|recovery|verification)\./.test(event) ? ShieldCheck : History
}

export function SecurityEvents({ events }: { events: readonly SecurityEvent[] }) {
  return withKeys(events).map(({ key, event }) => (
    <SettingsRow
      key={key}
      icon={iconOf(event.event)}
      title={securityEventSentences[event.event]}
      text={describeEvent(event)}
    >
      <span className="flex-none text-meta text-text-2">
        <RelativeTime at={event.at} />
      </span>
    </SettingsRow>
  ))
}

/**
 * Adds a number to equal events, so that each key is unique. The keys stay the same, because the list only
 * grows at its end.
 */
function withKeys(events: readonly SecurityEvent[]): { key: string; event: SecurityEvent }[] {
  const times = new Map<string, number>()
  return events.map((event) => {
    const name = `${event.at} ${event.event}`
    times.set(name, (times.get(name) ?? 0) + 1)
    return { key: `${name} ${times.get(name)}`, event }
  })
}

/** Decisions about groups are stored without a browser. */
function describeEvent(event: SecurityEvent): string {
  if (/^(group|member|request|recovery\.operator)/.test(event.event)) {
    const community = getCommunityName()
    return en(`In ${community}`, `En ${community}`)
  }
  const device = formatDeviceDescription(event)
  return event.country === null ? device : `${device} · ${formatCountry(event.country)}`
}
