import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { en } from '#contract/language.ts'
import type { NotificationPreferences } from '#contract/notifications/notification-preferences.ts'
import { DeliveryBoxes, RingingNote } from '#web/features/push/delivery-boxes.tsx'
import { SettingsBox } from '#web/features/settings/settings-box.tsx'
import { Switch } from '#web/forms/switch.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useUpdateNotificationPreferences } from './mutations.ts'
import { notificationPreferencesQuery } from './queries.ts'

type OptionalKind = NotificationPreferences['off'][number]

const topics: readonly { label: string; text?: string; kinds: OptionalKind[] }[] = [
  {
    label: en('Likes', 'Me gusta'),
    text: en('On your posts, gathered', 'En tus publicaciones, reunidos'),
    kinds: ['like'],
  },
  { label: en('New followers', 'Nuevas seguidoras'), kinds: ['follow'] },
  {
    label: en('Requests to follow or join', 'Solicitudes para seguirte o unirse'),
    text: en('You decide on them', 'Tú decides sobre ellas'),
    kinds: ['follow-request', 'join-request'],
  },
  {
    label: en('You were let in', 'Te aceptaron'),
    text: en('A group said yes', 'Un grupo dijo que sí'),
    kinds: ['join-approved'],
  },
  {
    label: en('New posts in your groups', 'Publicaciones nuevas en tus grupos'),
    text: en('Gathered for each group', 'Reunidas por grupo'),
    kinds: ['group-post'],
  },
  { label: en('Mentions of you', 'Menciones'), kinds: ['mention'] },
  {
    label: en('Tags in photos', 'Etiquetas en fotos'),
    text: en('You are asked each time', 'Se te pregunta cada vez'),
    kinds: ['photo-tag'],
  },
  {
    label: en('Messages from people you don’t follow', 'Mensajes de personas a las que no sigues'),
    kinds: ['message-request'],
  },
]

/** Lets the member choose what shows among the notifications. */
export function NotificationPreferencesSection() {
  const query = useQuery(notificationPreferencesQuery)
  return (
    <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />} noticeClassName="mb-3.5">
      {(preferences) => (
        <>
          <RingingNote />
          <SettingsBox title={en('What shows in Notifications', 'Qué aparece en Novedades')}>
            {topics.map((topic) => (
              <TopicRow key={topic.label} {...topic} preferences={preferences} />
            ))}
            <div className="py-3.5">
              <p className="font-[620]">{en('Safety of your account', 'La seguridad de tu cuenta')}</p>
              <p className="text-meta text-text-2">
                {en('New devices. Always on.', 'Dispositivos nuevos. Siempre activo.')}
              </p>
            </div>
          </SettingsBox>
          <DeliveryBoxes />
        </>
      )}
    </QueryView>
  )
}

type TopicProps = {
  label: string
  text?: string
  kinds: OptionalKind[]
  preferences: NotificationPreferences
}

function TopicRow({ label, text, kinds, preferences }: TopicProps) {
  const id = useId()
  const update = useUpdateNotificationPreferences()
  return (
    <div className="flex items-center gap-4 py-3.5">
      <div className="min-w-0 flex-1">
        <p id={id} className="font-[620]">
          {label}
        </p>
        {text && <p className="text-meta text-text-2">{text}</p>}
      </div>
      <Switch
        labelledBy={id}
        checked={!kinds.every((kind) => preferences.off.includes(kind))}
        busy={update.isPending}
        onChange={(enabled) => update.mutate({ kinds, enabled })}
      />
    </div>
  )
}
