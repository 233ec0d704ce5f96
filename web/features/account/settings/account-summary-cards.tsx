import { useQuery } from '@tanstack/react-query'
import { type LucideIcon, Mail, MailCheck, MonitorSmartphone, ShieldCheck, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { getAccountSettingsEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
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
  type SettingsIconColor,
  SettingsIconTile,
  SettingsRow,
} from './settings-box-and-rows.tsx'

type Settings = OperationOutput<typeof getAccountSettingsEndpoint>

export function AccountSummaryCards() {
  const query = useQuery(accountSettingsQuery)
  const me = useSignedInMember()
  return (
    <section aria-label={en('Your account at a glance', 'Tu cuenta de un vistazo')} className="max-md:mb-3.5">
      <h2 className="heading mb-3.5 text-h2 max-md:hidden">
        {en('Your account at a glance', 'Tu cuenta de un vistazo')}
      </h2>
      <QueryView query={query} skeleton={<TilesSkeleton />} noticeClassName="mb-3.5">
        {(settings) => <Tiles {...settings} />}
      </QueryView>
      <div className="mt-4 max-md:hidden">
        <SettingsBox>
          <SettingsRow icon={UserRound} color="brand" title={me.name} text={`@${me.username}`}>
            <SettingsActionLink to={screenPaths.updateProfile(me.id)}>
              {en('Edit Profile', 'Editar perfil')}
            </SettingsActionLink>
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
  passkeyCount,
  deviceCount,
  newestDevice,
  twoSteps,
}: Settings) {
  const account = screenPaths.settingsPage('account')
  const passkeys = passkeyCount
    ? passkeyCount === 1
      ? en('1 passkey', '1 llave de acceso')
      : en(`${passkeyCount} passkeys`, `${passkeyCount} llaves de acceso`)
    : null
  return (
    <ul className="grid grid-cols-2 gap-2.5 max-[15rem]:grid-cols-1 max-[15rem]:*:col-span-1! md:gap-3">
      <Tile
        icon={emailVerified ? MailCheck : Mail}
        color={emailVerified ? 'success' : 'warning'}
        title={
          emailVerified
            ? en('Email confirmed', 'Correo confirmado')
            : en('Confirm your email', 'Confirma tu correo')
        }
        text={email}
        to={account}
        link={emailVerified ? en('Change', 'Cambiar') : en('Send the link', 'Enviar el enlace')}
      />
      <Tile
        icon={ShieldCheck}
        color={twoSteps.on ? 'success' : 'plain'}
        title={
          twoSteps.on
            ? en('Two-step verification on', 'Verificación en dos pasos activada')
            : (passkeys ??
              (hasPassword
                ? en('Only a password', 'Solo una contraseña')
                : en('No password', 'Sin contraseña')))
        }
        text={
          twoSteps.on ? (
            en(
              `${twoSteps.recoveryCodesLeft} recovery codes left`,
              `Quedan ${twoSteps.recoveryCodesLeft} códigos de recuperación`,
            )
          ) : passkeys && hasPassword ? (
            en('and a password', 'y una contraseña')
          ) : passwordUpdatedAt ? (
            <>
              {en('Changed ', 'Cambiada ')}
              <RelativeTime at={passwordUpdatedAt} inSentence />
            </>
          ) : (
            en('You sign in without one.', 'Entras sin ella.')
          )
        }
        to={screenPaths.settingsPage('security')}
        link={en('See security', 'Ver seguridad')}
      />
      <Tile
        icon={MonitorSmartphone}
        color="accent"
        title={
          deviceCount === 1
            ? en('1 device', '1 dispositivo')
            : en(`${deviceCount} devices`, `${deviceCount} dispositivos`)
        }
        text={
          newestDevice && (
            <>
              {en('Newest: ', 'El más nuevo: ')}
              {formatDeviceDescription(newestDevice)},{' '}
              <RelativeTime at={newestDevice.signedInAt} inSentence />
            </>
          )
        }
        to={screenPaths.settingsPage('security/devices')}
        link={en('See devices', 'Ver dispositivos')}
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
      <SettingsIconTile icon={icon} color={color} />
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
    <div className="grid grid-cols-2 gap-2.5 max-[15rem]:grid-cols-1 max-[15rem]:*:col-span-1! md:gap-3">
      <Skeleton className="h-40 rounded-card" />
      <Skeleton className="h-40 rounded-card" />
      <Skeleton className="col-span-2 h-40 rounded-card" />
    </div>
  )
}
