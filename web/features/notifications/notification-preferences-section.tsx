import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { NotificationPreferences } from '#contract/notifications/notification-preferences.ts'
import { SettingsBox } from '#web/features/settings/settings-box.tsx'
import { Switch } from '#web/forms/switch.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useUpdateNotificationPreferences } from './mutations.ts'
import { notificationPreferencesQuery } from './queries.ts'

type OptionalKind = NotificationPreferences['off'][number]

const topics: readonly { label: string; text?: string; kinds: OptionalKind[] }[] = [
  { label: 'Likes', text: 'On your posts, gathered', kinds: ['like'] },
  { label: 'New followers', kinds: ['follow'] },
  {
    label: 'Requests to follow or join',
    text: 'You decide on them',
    kinds: ['follow-request', 'join-request'],
  },
  { label: 'You were let in', text: 'A group said yes', kinds: ['join-approved'] },
  { label: 'New posts in your groups', text: 'Gathered for each group', kinds: ['group-post'] },
  { label: 'Mentions of you', kinds: ['mention'] },
  { label: 'Messages from people you don’t follow', kinds: ['message-request'] },
]

/** Lets the member choose what shows among the notifications. */
export function NotificationPreferencesSection() {
  const query = useQuery(notificationPreferencesQuery)
  return (
    <QueryView query={query} skeleton={<Skeleton className="h-96 rounded-card" />} noticeClassName="mb-3.5">
      {(preferences) => (
        <SettingsBox title="What shows in Notifications">
          {topics.map((topic) => (
            <TopicRow key={topic.label} {...topic} preferences={preferences} />
          ))}
          <div className="py-3.5">
            <p className="font-[620]">Safety of your account</p>
            <p className="text-meta text-text-2">New devices. Always on.</p>
          </div>
        </SettingsBox>
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
