import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import {
  ArrowRight,
  Clock,
  Fingerprint,
  KeyRound,
  LifeBuoy,
  MonitorSmartphone,
  Smartphone,
} from 'lucide-react'
import { Link } from 'react-router'
import type { getAccountSettingsEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { isPasskeyBrowser } from '#web/features/account/passkeys/passkey-support.ts'
import { screenPaths } from '#web/paths.ts'
import { QueryView } from '#web/ui/query-view.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useTurnOffTwoFactor } from './account-security-mutations.ts'
import { accountSettingsQuery, securityEventsQuery } from './account-security-queries.ts'
import { SecurityEvents } from './security-events.tsx'
import {
  SettingsActionButton,
  SettingsActionLink,
  SettingsBadge,
  SettingsBox,
  SettingsRow,
} from './settings-box-and-rows.tsx'
import { useReauthentication } from './use-reauthentication.tsx'

const shownEvents = 3

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
        {({ hasPassword, passwordUpdatedAt, passkeyCount, deviceCount, twoSteps }) => (
          <>
            <SettingsBox title={en('Signing in', 'Entrar')}>
              <SettingsRow
                icon={KeyRound}
                title={en('Password', 'Contraseña')}
                text={
                  passwordUpdatedAt ? (
                    <>
                      {en('Changed ', 'Cambiada ')}
                      <RelativeTime at={passwordUpdatedAt} inSentence />
                    </>
                  ) : (
                    en(
                      `You have none. You sign in with a ${passkeyCount ? 'passkey' : 'link'}.`,
                      `No tienes. Entras con ${passkeyCount ? 'una llave de acceso' : 'un enlace'}.`,
                    )
                  )
                }
              >
                <SettingsActionLink to={screenPaths.settingsPage('account')} state={{ change: 'password' }}>
                  {hasPassword ? en('Change', 'Cambiar') : en('Choose', 'Elegir')}
                </SettingsActionLink>
              </SettingsRow>
              {passkeyCount !== null && isPasskeyBrowser() && <PasskeysRow count={passkeyCount} />}
              <TwoFactorRows {...twoSteps} />
            </SettingsBox>
            <SettingsBox>
              <SettingsRow
                icon={MonitorSmartphone}
                color="accent"
                title={en('Devices', 'Dispositivos')}
                text={
                  deviceCount === 1
                    ? en('1 device is signed in', 'Hay 1 dispositivo con la sesión abierta')
                    : en(
                        `${deviceCount} devices are signed in`,
                        `Hay ${deviceCount} dispositivos con la sesión abierta`,
                      )
                }
              >
                <SettingsActionLink to={screenPaths.settingsPage('security/devices')}>
                  {en('See all', 'Ver todo')}
                </SettingsActionLink>
              </SettingsRow>
              <SettingsRow
                icon={Clock}
                title={en('Ask for my password again', 'Volver a pedirme la contraseña')}
                text={en(
                  'Before security changes, if 15 minutes have passed',
                  'Antes de cambios de seguridad, si pasaron 15 minutos',
                )}
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
            title={en('Security log', 'Registro de seguridad')}
            text={en(
              'The last year, with the device used. IP addresses are shortened after a week.',
              'El último año, con el dispositivo usado. Las direcciones IP se acortan después de una semana.',
            )}
          >
            <SecurityEvents events={pages.flatMap(({ documents }) => documents).slice(0, shownEvents)} />
            <Link
              to={screenPaths.settingsPage('security/log')}
              className="flex min-h-13 items-center justify-center gap-2 font-[650] text-brand-text hover:underline"
            >
              {en('See everything', 'Verlo todo')}
              <ArrowRight aria-hidden size={18} strokeWidth={2} />
            </Link>
          </SettingsBox>
        )}
      </QueryView>
    </>
  )
}

function PasskeysRow({ count }: { count: number }) {
  const how = en(
    'Sign in with your fingerprint, face or PIN, with no password.',
    'Entra con tu huella, tu cara o un PIN, sin contraseña.',
  )
  return (
    <SettingsRow
      icon={Fingerprint}
      color={count > 0 ? 'success' : 'plain'}
      title={en('Passkeys', 'Llaves de acceso')}
      text={
        count === 0
          ? how
          : `${count === 1 ? en('1 passkey', '1 llave de acceso') : en(`${count} passkeys`, `${count} llaves de acceso`)}. ${how}`
      }
    >
      <SettingsActionLink to={screenPaths.settingsPage('security/passkeys')}>
        {count > 0 ? en('Manage', 'Gestionar') : en('Add', 'Añadir')}
      </SettingsActionLink>
    </SettingsRow>
  )
}

type TwoFactor = OperationOutput<typeof getAccountSettingsEndpoint>['twoSteps']

const fewCodes = 3

function TwoFactorRows({ on, since, recoveryCodesLeft: left }: TwoFactor) {
  const { dialog, withReauthentication } = useReauthentication('code')
  const turnOff = useTurnOffTwoFactor(withReauthentication)
  if (!on) {
    return (
      <SettingsRow
        icon={Smartphone}
        title={en('Authenticator app', 'Aplicación de autenticación')}
        text={en('Off. Your password is enough to sign in.', 'Desactivada. Basta la contraseña para entrar.')}
      >
        <SettingsActionLink to={screenPaths.settingsPage('security/code')}>
          {en('Turn on', 'Activar')}
        </SettingsActionLink>
      </SettingsRow>
    )
  }
  return (
    <>
      {/* The dialog comes first, because the last child gets a line above it. */}
      {dialog}
      <SettingsRow
        icon={Smartphone}
        color="success"
        title={en('Authenticator app', 'Aplicación de autenticación')}
        text={
          since ? (
            <>
              {en('On since ', 'Activa desde ')}
              <RelativeTime at={since} inSentence />
            </>
          ) : (
            en('On', 'Activada')
          )
        }
      >
        <SettingsActionButton
          label={en('Turn off two-step verification', 'Desactivar la verificación en dos pasos')}
          danger
          busy={turnOff.isPending}
          onClick={() => turnOff.mutate()}
        >
          {en('Turn off', 'Desactivar')}
        </SettingsActionButton>
      </SettingsRow>
      <SettingsRow
        icon={LifeBuoy}
        title={en('Recovery codes', 'Códigos de recuperación')}
        text={
          left > fewCodes
            ? en(`${left} of 10 left`, `Quedan ${left} de 10`)
            : en(
                `${left} of 10 left. Create new ones before you run out.`,
                `Quedan ${left} de 10. Crea otros antes de que se te acaben.`,
              )
        }
      >
        {left <= fewCodes && (
          <span className="max-md:hidden">
            <SettingsBadge color="warning">{en('Few left', 'Quedan pocos')}</SettingsBadge>
          </span>
        )}
        <SettingsActionLink to={screenPaths.settingsPage('security/recovery-codes')}>
          {en('New codes', 'Códigos nuevos')}
        </SettingsActionLink>
      </SettingsRow>
    </>
  )
}
