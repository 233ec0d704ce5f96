import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowRight, Clock, KeyRound, LifeBuoy, MonitorSmartphone, Smartphone } from 'lucide-react'
import { Link } from 'react-router'
import type { getAccountSettingsEndpoint } from '#contract/generated-endpoints.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { screenPaths } from '#web/paths.ts'
import { QueryView } from '#web/ui/query-view.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useTurnOffTwoSteps } from './account-security-mutations.ts'
import { accountSettingsQuery, securityEventsQuery } from './account-security-queries.ts'
import { SecurityEvents } from './security-events.tsx'
import {
  SettingsActionButton,
  SettingsActionLink,
  SettingsBadge,
  SettingsBox,
  SettingsRow,
} from './settings-box.tsx'
import { useFreshProof } from './use-fresh-proof.tsx'

/** How many events stand on the section's own page. */
const shownEvents = 3

/** Shows how the account is opened, where it is open, and what happened last. */
export function SecurityOverviewSection() {
  const settings = useQuery(accountSettingsQuery)
  const events = useInfiniteQuery(securityEventsQuery)
  return (
    <>
      <QueryView
        query={settings}
        skeleton={<Skeleton className="mb-4 h-40 rounded-card" />}
        noticeClassName="mb-3.5"
      >
        {({ hasPassword, passwordUpdatedAt, deviceCount, twoSteps }) => (
          <>
            <SettingsBox title="Signing in">
              <SettingsRow
                icon={KeyRound}
                title="Password"
                text={
                  passwordUpdatedAt ? (
                    <>
                      Changed <RelativeTime at={passwordUpdatedAt} inSentence />
                    </>
                  ) : (
                    'You have none. You sign in by a link.'
                  )
                }
              >
                <SettingsActionLink to={screenPaths.settingsPage('account')} state={{ change: 'password' }}>
                  {hasPassword ? 'Change' : 'Choose'}
                </SettingsActionLink>
              </SettingsRow>
              <TwoStepRows {...twoSteps} />
            </SettingsBox>
            <SettingsBox>
              <SettingsRow
                icon={MonitorSmartphone}
                color="accent"
                title="Devices"
                text={deviceCount === 1 ? '1 device is signed in' : `${deviceCount} devices are signed in`}
              >
                <SettingsActionLink to={screenPaths.settingsPage('security/devices')}>
                  See all
                </SettingsActionLink>
              </SettingsRow>
              <SettingsRow
                icon={Clock}
                title="Ask for my password again"
                text="Before changes to security, after 15 minutes"
              />
            </SettingsBox>
          </>
        )}
      </QueryView>
      <QueryView
        query={events}
        skeleton={<Skeleton className="h-40 rounded-card" />}
        noticeClassName="mb-3.5"
      >
        {({ pages }) => (
          <SettingsBox
            title="What happened"
            text="The last year, with device. Addresses become coarse after a week."
          >
            <SecurityEvents events={pages.flatMap(({ documents }) => documents).slice(0, shownEvents)} />
            <Link
              to={screenPaths.settingsPage('security/log')}
              className="flex min-h-13 items-center justify-center gap-2 font-[650] text-brand-text hover:underline"
            >
              See everything
              <ArrowRight aria-hidden size={18} strokeWidth={2} />
            </Link>
          </SettingsBox>
        )}
      </QueryView>
    </>
  )
}

type TwoSteps = OperationOutput<typeof getAccountSettingsEndpoint>['twoSteps']

/** From how few recovery codes on new ones are asked for. */
const fewCodes = 3

function TwoStepRows({ on, since, recoveryCodesLeft: left }: TwoSteps) {
  const { dialog, withProof } = useFreshProof({ byCode: true })
  const turnOff = useTurnOffTwoSteps(withProof)
  if (!on) {
    return (
      <SettingsRow
        icon={Smartphone}
        title="Code from an app"
        text="Off. A password alone opens your account."
      >
        <SettingsActionLink to={screenPaths.settingsPage('security/code')}>Turn on</SettingsActionLink>
      </SettingsRow>
    )
  }
  return (
    <>
      <SettingsRow
        icon={Smartphone}
        color="success"
        title="Code from an app"
        text={
          since ? (
            <>
              On since <RelativeTime at={since} inSentence />
            </>
          ) : (
            'On'
          )
        }
      >
        <SettingsActionButton
          label="Turn two steps off"
          danger
          busy={turnOff.isPending}
          onClick={() => turnOff.mutate()}
        >
          Turn off
        </SettingsActionButton>
      </SettingsRow>
      <SettingsRow
        icon={LifeBuoy}
        title="Recovery codes"
        text={
          left > fewCodes ? `${left} of 10 left` : `${left} of 10 left. Make new ones before you run out.`
        }
      >
        {left <= fewCodes && (
          <span className="max-md:hidden">
            <SettingsBadge color="warning">Few left</SettingsBadge>
          </span>
        )}
        <SettingsActionLink to={screenPaths.settingsPage('security/recovery-codes')}>
          New codes
        </SettingsActionLink>
      </SettingsRow>
      {dialog}
    </>
  )
}
