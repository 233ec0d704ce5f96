import { useQuery } from '@tanstack/react-query'
import { Info, Laptop, LogOut, MonitorSmartphone, Smartphone, Tablet } from 'lucide-react'
import { Link } from 'react-router'
import type { Device } from '#contract/account/account-settings.ts'
import { en } from '#contract/language.ts'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useConfirm } from '#web/ui/use-confirm.tsx'
import { useSignOutDevice, useSignOutOtherDevices } from './account-security-mutations.ts'
import { devicesQuery } from './account-security-queries.ts'
import { formatCountry, formatDeviceDescription } from './device-description.ts'
import {
  SettingsActionButton,
  SettingsBadge,
  SettingsBox,
  SettingsNote,
  SettingsRow,
} from './settings-box-and-rows.tsx'
import { useReauthentication } from './use-reauthentication.tsx'

export function DevicesPage() {
  const query = useQuery(devicesQuery)
  return (
    <>
      <p className="mx-1 mb-4.5 max-w-[62ch] text-pretty text-text-2 md:mx-0">
        {en(
          'Everywhere you are signed in. If you log out a device, it goes to the sign-in page immediately.',
          'Los dispositivos donde tienes la sesión abierta. Si cierras una, ese dispositivo va enseguida a la página de entrada.',
        )}
      </p>
      <QueryView query={query} skeleton={<Skeleton className="h-40 rounded-card" />} noticeClassName="mb-3.5">
        {({ documents }) => (
          <>
            <SettingsBox>
              {documents.map((device) => (
                <DeviceRow key={device.$id} device={device} />
              ))}
            </SettingsBox>
            <SettingsNote icon={Info} color="plain">
              {documents.some(({ country }) => country !== null) &&
                en(
                  'The country is estimated from the IP address and can be wrong. ',
                  'El país se calcula por la dirección IP y puede fallar. ',
                )}
              {en('See one you don’t know? Log it out and', '¿No reconoces alguno? Cierra su sesión y')}{' '}
              <Link
                to={screenPaths.settingsPage('account')}
                state={{ change: 'password' }}
                className="font-[650] text-text underline underline-offset-4"
              >
                {en('change your password', 'cambia tu contraseña')}
              </Link>
              .
            </SettingsNote>
            {documents.length > 1 && <EndOthers />}
          </>
        )}
      </QueryView>
    </>
  )
}

const icons = { computer: Laptop, phone: Smartphone, tablet: Tablet, other: MonitorSmartphone }

const ways: Record<Device['signedInWith'], string> = {
  password: en('password', 'contraseña'),
  link: en('link by email', 'enlace por correo'),
  phone: en('code by phone', 'código por teléfono'),
  passkey: en('a passkey', 'una llave de acceso'),
  provider: en('a connected account', 'una cuenta conectada'),
  other: en('no password', 'sin contraseña'),
}

function DeviceRow({ device }: { device: Device }) {
  const end = useSignOutDevice()
  const name = formatDeviceDescription(device)
  return (
    <SettingsRow
      icon={icons[device.kind]}
      color={device.current ? 'success' : 'plain'}
      title={
        <span className="inline-flex flex-wrap items-center gap-x-2">
          {name}
          {device.current && (
            <SettingsBadge color="success">{en('This device', 'Este dispositivo')}</SettingsBadge>
          )}
        </span>
      }
      text={
        <>
          {device.country !== null && `${formatCountry(device.country)} · `}
          {device.current ? en('now', 'ahora') : <RelativeTime at={device.lastSeenAt} inSentence />}
          {en(' · signed in', ' · entró')} <RelativeTime at={device.signedInAt} inSentence />{' '}
          {en('with', 'con')} {ways[device.signedInWith]}
        </>
      }
    >
      {!device.current && (
        <SettingsActionButton
          danger
          busy={end.isPending}
          label={en(`Log out ${name}`, `Cerrar la sesión de ${name}`)}
          onClick={() => end.mutate(device.$id)}
        >
          {en('Log out', 'Cerrar sesión')}
        </SettingsActionButton>
      )}
    </SettingsRow>
  )
}

function EndOthers() {
  const { dialog, withReauthentication } = useReauthentication()
  const endOthers = useSignOutOtherDevices(withReauthentication)
  const question = useConfirm({
    title: en('Log out everywhere else?', '¿Cerrar sesión en los demás dispositivos?'),
    text: en(
      'All other devices are logged out immediately. This one stays signed in.',
      'La sesión en los demás dispositivos se cierra al momento. En este sigue abierta.',
    ),
    confirm: en('Log out', 'Cerrar sesión'),
    cancel: en('Cancel', 'Cancelar'),
  })

  async function ask() {
    if (await question.ask()) endOthers.mutate()
  }

  return (
    <>
      <Button kind="outline" busy={endOthers.isPending} onClick={ask}>
        <LogOut aria-hidden size={18} strokeWidth={2} />
        {en('Log out all others', 'Cerrar sesión en los demás')}
      </Button>
      {question.dialog}
      {dialog}
    </>
  )
}
