import { useQuery } from '@tanstack/react-query'
import { BellRing } from 'lucide-react'
import { type ReactNode, useEffect, useId } from 'react'
import { en } from '#contract/language.ts'
import type { NotificationDelivery } from '#contract/notifications/notification-delivery.ts'
import {
  SettingsBox,
  SettingsNote,
  SettingsNoteButton,
} from '#web/features/account/settings/settings-box-and-rows.tsx'
import { Select } from '#web/forms/select.tsx'
import { Switch } from '#web/forms/switch.tsx'
import { useCommunityName } from '#web/navigation/community-identity.ts'
import { usePushToggle, useSendTestPush, useUpdateNotificationDelivery } from './push-mutations.ts'
import { notificationDeliveryQuery, pushStateQuery } from './push-queries.ts'

/** The browser asks for permission only after a press. */
export function EnablePushNote() {
  const { data: ringing } = useQuery(pushStateQuery)
  const change = usePushToggle()
  const test = useSendTestPush()
  const community = useCommunityName()
  if (ringing === undefined || ringing === 'unsupported') return null
  if (ringing === 'refused') {
    return (
      <SettingsNote icon={BellRing} color="warning">
        {en(
          `Your browser blocks notifications for ${community}. You can change it in its settings.`,
          `Tu navegador bloquea los avisos de ${community}. Puedes cambiarlo en sus ajustes.`,
        )}
      </SettingsNote>
    )
  }
  const on = ringing === 'on'
  return (
    <SettingsNote
      icon={BellRing}
      color="accent"
      actions={
        <>
          {on && (
            <SettingsNoteButton busy={test.isPending} onClick={() => test.mutate()}>
              {en('Send a test notification', 'Enviar un aviso de prueba')}
            </SettingsNoteButton>
          )}
          <SettingsNoteButton busy={change.isPending} onClick={() => change.isPending || change.mutate(!on)}>
            {on ? en('Turn off', 'Desactivar') : en('Turn on', 'Activar')}
          </SettingsNoteButton>
        </>
      }
    >
      {on ? (
        <b className="font-[650]">
          {en('Push is on for this device.', 'Avisos activados en este dispositivo.')}
        </b>
      ) : (
        <>
          <b className="font-[650]">
            {en('Push is off for this device.', 'Avisos desactivados en este dispositivo.')}
          </b>{' '}
          {en('Your browser will ask you once.', 'Tu navegador te preguntará una vez.')}
        </>
      )}
    </SettingsNote>
  )
}

export function NotificationDeliveryBoxes() {
  const { data: delivery } = useQuery(notificationDeliveryQuery)
  return delivery ? <Boxes delivery={delivery} /> : null
}

const eightInTheMorning = 8 * 60
const tenInTheEvening = 22 * 60

function Boxes({ delivery }: { delivery: NotificationDelivery }) {
  const { mutate: update } = useUpdateNotificationDelivery()
  const { quietHours, hidesContents, summary, mailable, timeZone } = delivery
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  // Quiet hours and the digest follow the member's time zone.
  useEffect(() => {
    if (here && here !== timeZone) update({ timeZone: here })
  }, [here, timeZone, update])
  return (
    <>
      <SettingsBox>
        <Choice
          label={en('Hide contents on the lock screen', 'Ocultar el contenido en la pantalla de bloqueo')}
          text={en(
            'Shows only “You have a new message”, without the name or text.',
            'Solo muestra «Tienes un mensaje nuevo», sin nombre ni texto.',
          )}
          checked={hidesContents}
          onChange={(on) => update({ hidesContents: on })}
        />
        <div>
          <Choice
            label={en('Quiet hours', 'Horas de silencio')}
            text={en(
              'No push notifications. Everything waits in Notifications.',
              'Sin avisos en tus dispositivos. Todo te espera en Novedades.',
            )}
            checked={quietHours !== null}
            onChange={(on) =>
              update({ quietHours: on ? { from: tenInTheEvening, to: eightInTheMorning } : null })
            }
          />
          {quietHours && (
            <div className="pb-3.5">
              <div className="grid grid-cols-2 gap-3">
                <Time
                  label={en('From', 'De')}
                  value={quietHours.from}
                  not={quietHours.to}
                  onChange={(from) => update({ quietHours: { ...quietHours, from } })}
                />
                <Time
                  label={en('To', 'A')}
                  value={quietHours.to}
                  not={quietHours.from}
                  onChange={(to) => update({ quietHours: { ...quietHours, to } })}
                />
              </div>
              <p className="mt-2 text-meta text-text-2">
                {en(
                  `Your time zone: ${describeZone(timeZone ?? here)}. Account security notifications always come through.`,
                  `Tu zona horaria: ${describeZone(timeZone ?? here)}. Los avisos de seguridad de tu cuenta llegan siempre.`,
                )}
              </p>
            </div>
          )}
        </div>
      </SettingsBox>
      <SettingsBox>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3.5">
          <div className="min-w-0 flex-1 basis-[13.75rem]">
            <p className="font-[620]">{en('Email summary', 'Resumen por correo')}</p>
            <p className="text-meta text-text-2">
              {mailable
                ? en(
                    'A summary of what you haven’t read. No photos or messages.',
                    'Un resumen de lo que no has leído. Sin fotos ni mensajes.',
                  )
                : en(
                    'You need a confirmed email address, and this community has to send emails.',
                    'Necesitas un correo confirmado, y que esta comunidad envíe correos.',
                  )}
            </p>
          </div>
          <Select
            aria-label={en('Email summary', 'Resumen por correo')}
            value={mailable ? summary : 'never'}
            disabled={!mailable}
            onChange={({ target }) => update({ summary: target.value as NotificationDelivery['summary'] })}
          >
            <option value="daily">{en('Daily', 'Cada día')}</option>
            <option value="weekly">{en('Weekly', 'Cada semana')}</option>
            <option value="never">{en('Never', 'Nunca')}</option>
          </Select>
        </div>
      </SettingsBox>
    </>
  )
}

type ChoiceProps = { label: string; text: ReactNode; checked: boolean; onChange: (on: boolean) => void }

function Choice({ label, text, checked, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <div className="flex items-center gap-4 py-3.5">
      <div className="min-w-0 flex-1">
        <p id={id} className="font-[620]">
          {label}
        </p>
        <p className="text-meta text-text-2">{text}</p>
      </div>
      <Switch labelledBy={id} checked={checked} onChange={onChange} />
    </div>
  )
}

const halfHours = Array.from({ length: 48 }, (_, place) => place * 30)
const clockOf = (minute: number) => `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`

type TimeProps = { label: string; value: number; not: number; onChange: (minute: number) => void }

/** @param not the other end's time, which cannot be chosen */
function Time({ label, value, not, onChange }: TimeProps) {
  const times = halfHours.includes(value) ? halfHours : [...halfHours, value].sort((a, b) => a - b)
  return (
    <Select aria-label={label} value={value} onChange={({ target }) => onChange(Number(target.value))}>
      {times.map((minute) => (
        <option key={minute} value={minute} disabled={minute === not}>
          {label} {clockOf(minute)}
        </option>
      ))}
    </Select>
  )
}

function describeZone(zone: string): string {
  const offset = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' })
    .formatToParts(new Date())
    .find(({ type }) => type === 'timeZoneName')?.value
  return `${(zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')} (${offset ?? zone})`
}
