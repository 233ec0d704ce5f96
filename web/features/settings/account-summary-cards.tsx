import { useQuery } from '@tanstack/react-query'
import { type LucideIcon, Mail, MailCheck, MonitorSmartphone, ShieldCheck, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { getAccountSettingsEndpoint } from '#contract/generated-endpoints.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { screenPaths } from '#web/paths.ts'
import { cx } from '#web/ui/cx.ts'
import { QueryView } from '#web/ui/query-view.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { accountSettingsQuery } from './account-security-queries.ts'
import { formatDeviceDescription } from './device-description.ts'
import {
  SettingsActionLink,
  SettingsBox,
  SettingsIcon,
  type SettingsIconColor,
  SettingsRow,
} from './settings-box.tsx'

type Settings = OperationOutput<typeof getAccountSettingsEndpoint>

/** Answers at a glance whether the account is safe. */
export function AccountSummaryCards() {
  const query = useQuery(accountSettingsQuery)
  const me = useSignedInMember()
  return (
    <section
      aria-label="Your account at a glance"
      className="max-md:order-1 max-md:mb-3.5 md:col-start-2 md:row-span-2 md:row-start-1"
    >
      <h2 className="heading mb-3.5 text-h2 max-md:hidden">Your account at a glance</h2>
      <QueryView query={query} skeleton={<TilesSkeleton />} noticeClassName="mb-3.5">
        {(settings) => <Tiles {...settings} />}
      </QueryView>
      <div className="mt-4 max-md:hidden">
        <SettingsBox>
          <SettingsRow icon={UserRound} color="brand" title={me.name} text={`@${me.username}`}>
            <SettingsActionLink to={screenPaths.updateProfile(me.id)}>Edit Profile</SettingsActionLink>
          </SettingsRow>
        </SettingsBox>
      </div>
    </section>
  )
}

function Tiles({
  email,
  emailVerified,
  hasPassword,
  passwordUpdatedAt,
  deviceCount,
  newestDevice,
  twoSteps,
}: Settings) {
  const account = screenPaths.settingsPage('account')
  return (
    <ul className="grid grid-cols-2 gap-2.5 md:gap-3">
      <Tile
        icon={emailVerified ? MailCheck : Mail}
        color={emailVerified ? 'success' : 'warning'}
        title={emailVerified ? 'E-mail confirmed' : 'Confirm your e-mail'}
        text={email}
        to={account}
        link={emailVerified ? 'Change' : 'Send the link'}
      />
      <Tile
        icon={ShieldCheck}
        color={twoSteps.on ? 'success' : 'plain'}
        title={twoSteps.on ? 'Two steps on' : hasPassword ? 'Only a password' : 'No password'}
        text={
          twoSteps.on ? (
            `${twoSteps.recoveryCodesLeft} recovery codes left`
          ) : passwordUpdatedAt ? (
            <>
              Changed <RelativeTime at={passwordUpdatedAt} inSentence />
            </>
          ) : (
            'You sign in without one.'
          )
        }
        to={screenPaths.settingsPage('security')}
        link="See security"
      />
      <Tile
        icon={MonitorSmartphone}
        color="accent"
        title={deviceCount === 1 ? '1 device' : `${deviceCount} devices`}
        text={
          newestDevice && (
            <>
              Newest: {formatDeviceDescription(newestDevice)},{' '}
              <RelativeTime at={newestDevice.signedInAt} inSentence />
            </>
          )
        }
        to={screenPaths.settingsPage('security/devices')}
        link="See devices"
        className="col-span-2"
      />
    </ul>
  )
}

type TileProps = {
  icon: LucideIcon
  color: SettingsIconColor
  title: string
  text: ReactNode
  to: string
  link: string
  className?: string
}

function Tile({ icon, color, title, text, to, link, className }: TileProps) {
  return (
    <li className={cx('card flex flex-col p-4', className)}>
      <SettingsIcon icon={icon} color={color} />
      <p className="mt-2.5 font-[680]">{title}</p>
      <p className="text-label text-text-2 wrap-anywhere">{text}</p>
      <Link
        to={to}
        className="mt-auto inline-flex min-h-11 items-end self-start pb-1 text-label font-[650] text-brand-text hover:underline"
      >
        {link}
      </Link>
    </li>
  )
}

function TilesSkeleton() {
  return (
    <div className="grid grid-cols-2 gap-2.5 md:gap-3">
      <Skeleton className="h-40 rounded-card" />
      <Skeleton className="h-40 rounded-card" />
      <Skeleton className="col-span-2 h-40 rounded-card" />
    </div>
  )
}
