import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { en } from '#contract/language.ts'
import {
  type NotificationDelivery,
  type SummaryKind,
  summaryKinds,
} from '#contract/notifications/notification-delivery.ts'
import type { NotificationPreferences } from '#contract/notifications/notification-preferences.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import {
  EnablePushNote,
  NotificationDeliveryBoxes,
} from '#web/features/notifications/push/notification-delivery-boxes.tsx'
import { useUpdateNotificationDelivery } from '#web/features/notifications/push/push-mutations.ts'
import { notificationDeliveryQuery } from '#web/features/notifications/push/push-queries.ts'
import { Checkbox } from '#web/forms/checkbox.tsx'
import { ErrorCard } from '#web/ui/error-state.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useUpdateNotificationPreferences } from './mutations.ts'
import { notificationPreferencesQuery } from './queries.ts'

type OptionalKind = NotificationPreferences['off'][number]
type Topic = { label: string; text?: string; kinds: OptionalKind[] }

const topics: readonly Topic[] = [
  {
    label: en('Likes', 'Me gusta'),
    text: en('On your posts, grouped', 'En tus publicaciones, agrupados'),
    kinds: ['like'],
  },
  { label: en('Comments on your posts', 'Comentarios en tus publicaciones'), kinds: ['comment'] },
  { label: en('Replies to your comments', 'Respuestas a tus comentarios'), kinds: ['reply'] },
  { label: en('New followers', 'Nuevas seguidoras'), kinds: ['follow'] },
  {
    label: en('Requests to follow or join', 'Solicitudes para seguirte o unirse'),
    text: en('You decide on them', 'Tú decides sobre ellas'),
    kinds: ['follow-request', 'join-request'],
  },
  {
    label: en('Requests accepted', 'Solicitudes aceptadas'),
    text: en(
      'A group or a private account accepted your request',
      'Un grupo o una cuenta privada aceptó tu solicitud',
    ),
    kinds: ['join-approved', 'follow-accepted'],
  },
  {
    label: en('You become a group’s admin', 'Pasas a administrar un grupo'),
    text: en('Because its admin is away', 'Porque su administradora no está'),
    kinds: ['group-handover'],
  },
  {
    label: en('New posts in your groups', 'Publicaciones nuevas en tus grupos'),
    text: en('Combined for each group', 'Reunidas por grupo'),
    kinds: ['group-post'],
  },
  { label: en('Mentions of you', 'Menciones'), kinds: ['mention'] },
  {
    label: en('Tags in photos', 'Etiquetas en fotos'),
    text: en('We ask you each time', 'Te preguntamos cada vez'),
    kinds: ['photo-tag'],
  },
  {
    label: en('People you invited', 'Personas que invitaste'),
    text: en('Someone joined with your invitation', 'Alguien se unió con tu invitación'),
    kinds: ['guest-joined'],
  },
  {
    label: en('Applicants who name you', 'Quienes dicen que te conocen'),
    text: en('They want to join, and say that you know them', 'Quieren unirse y dicen que las conoces'),
    kinds: ['vouch-request'],
  },
  { label: en('Decisions on your reports', 'Decisiones sobre tus denuncias'), kinds: ['report-decided'] },
]
const reports: Topic = {
  label: en('Reports for moderators', 'Denuncias para moderadoras'),
  text: en('We email you if one waits for an hour', 'Te escribimos si una espera una hora'),
  kinds: ['report'],
}
const applications: Topic = {
  label: en('Applications for operators', 'Solicitudes para operadoras'),
  text: en('At most one email a day', 'Un correo al día como mucho'),
  kinds: ['application'],
}
const strangers: Topic = {
  label: en('Messages from people you don’t follow', 'Mensajes de personas a las que no sigues'),
  kinds: ['message-request'],
}

export function NotificationPreferencesSection() {
  const query = useQuery(notificationPreferencesQuery)
  const delivery = useQuery(notificationDeliveryQuery)
  return (
    <QueryView query={query} skeleton={<Loading />} noticeClassName="mb-3.5">
      {(preferences) => (
        <>
          <EnablePushNote />
          {delivery.data ? (
            <Choices preferences={preferences} delivery={delivery.data} />
          ) : delivery.isError ? (
            <ErrorCard onRetry={delivery.refetch} />
          ) : (
            <Loading />
          )}
          <NotificationDeliveryBoxes />
        </>
      )}
    </QueryView>
  )
}

const Loading = () => <Skeleton className="mb-4 h-96 rounded-card" />

const ways = {
  here: en('Here', 'Aquí'),
  push: en('Push', 'Push'),
  mail: en('Email', 'Correo'),
}

type ChoicesProps = { preferences: NotificationPreferences; delivery: NotificationDelivery }

function Choices({ preferences, delivery }: ChoicesProps) {
  const messages = en('Messages', 'Mensajes')
  const me = useSignedInMember()
  const change = useUpdateNotificationDelivery()
  return (
    <section className="card mb-4 overflow-x-auto px-4 py-1.5 md:px-5">
      <table className="w-full border-collapse text-left">
        <thead>
          <tr className="border-b border-border text-meta text-text-2">
            <th scope="col" className="py-3 font-[560]">
              {en('What', 'Qué')}
            </th>
            {Object.values(ways).map((way) => (
              <th key={way} scope="col" className="w-13 py-3 text-center font-[560] md:w-16">
                {way}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-border">
          {topics.map((topic) => (
            <TopicRow key={topic.label} topic={topic} preferences={preferences} delivery={delivery} />
          ))}
          <Row label={messages} text={en('Without the text of the message', 'Sin el texto del mensaje')}>
            <Always label={messages} way={ways.here} />
            <Choice
              label={messages}
              way={ways.push}
              checked={delivery.push.includes('message')}
              onChange={(on) => change.mutate({ push: withKinds(delivery.push, ['message'], on) })}
            />
            <None />
          </Row>
          <TopicRow topic={strangers} preferences={preferences} delivery={delivery} />
          {me.moderates && <TopicRow topic={reports} preferences={preferences} delivery={delivery} />}
          {me.operates && <TopicRow topic={applications} preferences={preferences} delivery={delivery} />}
          <Safety />
        </tbody>
      </table>
    </section>
  )
}

function Safety() {
  const label = en('Account security', 'La seguridad de tu cuenta')
  return (
    <Row
      label={label}
      text={en(
        'New devices, changes to security. Always on.',
        'Dispositivos nuevos, cambios de seguridad. Siempre activo.',
      )}
    >
      {Object.values(ways).map((way) => (
        <Always key={way} label={label} way={way} />
      ))}
    </Row>
  )
}

function TopicRow({ topic: { label, text, kinds }, preferences, delivery }: ChoicesProps & { topic: Topic }) {
  const update = useUpdateNotificationPreferences()
  const change = useUpdateNotificationDelivery()
  const emailedKinds = kinds.filter(isSummaryKind)
  return (
    <Row label={label} text={text}>
      <Choice
        label={label}
        way={ways.here}
        checked={!kinds.every((kind) => preferences.off.includes(kind))}
        onChange={(enabled) => update.mutate({ kinds, enabled })}
      />
      <Choice
        label={label}
        way={ways.push}
        checked={kinds.some((kind) => delivery.push.includes(kind))}
        onChange={(on) => change.mutate({ push: withKinds(delivery.push, kinds, on) })}
      />
      {emailedKinds.length > 0 ? (
        <Choice
          label={label}
          way={ways.mail}
          checked={emailedKinds.some((kind) => delivery.mail.includes(kind))}
          onChange={(on) => change.mutate({ mail: withKinds(delivery.mail, emailedKinds, on) })}
        />
      ) : (
        <None />
      )}
    </Row>
  )
}

const isSummaryKind = (kind: OptionalKind): kind is OptionalKind & SummaryKind =>
  (summaryKinds as readonly string[]).includes(kind)

const withKinds = <Kind extends string>(
  all: readonly Kind[],
  kinds: readonly Kind[],
  on: boolean,
): Kind[] => [...all.filter((kind) => !kinds.includes(kind)), ...(on ? kinds : [])]

const Row = ({ label, text, children }: { label: string; text?: string; children: ReactNode }) => (
  <tr>
    <th scope="row" className="py-3 pr-2 font-normal">
      <span className="block font-[620]">{label}</span>
      {text && <span className="block text-meta text-text-2 max-md:sr-only">{text}</span>}
    </th>
    {children}
  </tr>
)

type CellProps = { label: string; way: string }
type ChoiceProps = CellProps & { checked: boolean; onChange: (on: boolean) => void }

const Choice = ({ label, way, checked, onChange }: ChoiceProps) => (
  <td>
    <label className="mx-auto grid size-11 cursor-pointer place-items-center">
      <Checkbox
        aria-label={`${label}: ${way}`}
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
    </label>
  </td>
)

const Always = ({ label, way }: CellProps) => (
  <td>
    <span
      role="img"
      aria-label={en(`${label}: ${way}, always on`, `${label}: ${way}, siempre activo`)}
      className="mx-auto grid size-[22px] place-items-center rounded-[7px] bg-sunken text-text-2"
    >
      <Lock aria-hidden size={13} strokeWidth={2.1} />
    </span>
  </td>
)

const None = () => <td className="text-center text-text-2">–</td>
