import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import type { PrivacySettings } from '#contract/privacy-settings.ts'
import { privacyQueryKeys } from '#web/api/query-keys.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { QuickExitBox } from '#web/features/quick-exit/quick-exit-box.tsx'
import { SettingsBox, SettingsRowLink } from '#web/features/settings/settings-box.tsx'
import { RadioOption } from '#web/forms/radio-option.tsx'
import { Switch } from '#web/forms/switch.tsx'
import { getListDialogLink } from '#web/navigation/use-list-dialog-state.ts'
import { screenPaths } from '#web/paths.ts'
import { QueryView } from '#web/ui/query-view.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useUpdatePrivacySettings } from './mutations.ts'
import { privacySettingsQuery } from './queries.ts'
import { SwitchToPrivateDialog, SwitchToPublicDialog } from './switch-privacy-dialogs.tsx'

/** Shows who sees the member and who may write, and leads to whom the member has blocked, muted or restricted. */
export function PrivacySection() {
  const query = useQuery(privacySettingsQuery)
  return (
    <>
      <QueryView query={query} skeleton={<BoxesSkeleton />} noticeClassName="mb-3.5">
        {(settings) => (
          <>
            <AccountBox settings={settings} />
            <ListsBox settings={settings} />
            <MessagesBox settings={settings} />
          </>
        )}
      </QueryView>
      <PeopleBox followerCount={query.data?.followerCount} />
      {query.data && <QuickExitBox settings={query.data} />}
    </>
  )
}

function AccountBox({ settings }: { settings: PrivacySettings }) {
  const { isPrivate, isListed, followRequestCount } = settings
  const client = useQueryClient()
  const choose = useUpdatePrivacySettings()
  const [asking, setAsking] = useState<'private' | 'public'>()

  function ask() {
    setAsking(isPrivate ? 'public' : 'private')
    // The question counts followers, posts and those who wait.
    void client.invalidateQueries({ queryKey: privacyQueryKeys.settings })
  }

  return (
    <>
      <SettingsBox title="Your account">
        <SwitchRow
          label="Private account"
          text="People ask to follow you. Only who you approve sees your posts and their photos. Posts in groups stay the group’s."
          checked={isPrivate}
          onChange={ask}
        />
        {isPrivate && (
          <ul>
            <SettingsRowLink to={screenPaths.followRequests()} label="Follow requests">
              {followRequestCount > 0 && <FollowRequestNumber count={followRequestCount} />}
            </SettingsRowLink>
          </ul>
        )}
        <SwitchRow
          label="Show me in People and search"
          text="When off, only people with the link to your profile find it."
          checked={isListed}
          busy={choose.isPending}
          onChange={(isListed) => choose.mutate({ isListed })}
        />
      </SettingsBox>
      <SwitchToPrivateDialog
        settings={settings}
        open={asking === 'private'}
        onClose={() => setAsking(undefined)}
      />
      <SwitchToPublicDialog
        settings={settings}
        open={asking === 'public'}
        onClose={() => setAsking(undefined)}
      />
    </>
  )
}

const FollowRequestNumber = ({ count }: { count: number }) => (
  <span className="min-w-5.5 rounded-full bg-brand px-1.5 text-center text-micro leading-5.5 font-bold text-on-brand tabular-nums forced-color-adjust-none">
    {count}
  </span>
)

type SwitchRowProps = {
  label: string
  text: string
  checked: boolean
  busy?: boolean
  onChange: (checked: boolean) => void
}

function SwitchRow({ label, text, ...control }: SwitchRowProps) {
  const id = useId()
  return (
    <div className="flex items-start gap-4 py-3.5">
      <div className="min-w-0 flex-1">
        <p id={id} className="font-[620]">
          {label}
        </p>
        <p className="max-w-[56ch] text-pretty text-meta text-text-2">{text}</p>
      </div>
      <Switch {...control} labelledBy={id} />
    </div>
  )
}

const senders = [
  { value: 'everyone', label: 'Everyone' },
  {
    value: 'ask',
    label: 'Everyone, but people I don’t follow ask first',
    text: 'They wait among your message requests, and can send three messages until you answer.',
  },
  { value: 'followed', label: 'People I follow' },
  { value: 'nobody', label: 'Nobody new' },
] as const

function MessagesBox({ settings: { messagesFrom } }: { settings: PrivacySettings }) {
  const choose = useUpdatePrivacySettings()
  const title = 'Who can write to me'
  return (
    <SettingsBox title={title} text="Who has written with you before can go on.">
      <div role="radiogroup" aria-label={title} className="pb-1.5">
        {senders.map(({ value, ...words }) => (
          <RadioOption
            key={value}
            name="messages-from"
            {...words}
            checked={value === messagesFrom}
            onChoose={() => choose.mutate({ messagesFrom: value })}
          />
        ))}
      </div>
    </SettingsBox>
  )
}

const audiences = [
  { value: 'everyone', label: 'Everyone' },
  { value: 'followers', label: 'My followers' },
  { value: 'me', label: 'Only me', text: 'The numbers are hidden too.' },
] as const

/** Of a private account nobody but followers sees the lists, whatever was chosen. */
function ListsBox({ settings: { isPrivate, listsFor } }: { settings: PrivacySettings }) {
  const choose = useUpdatePrivacySettings()
  const title = 'Who can see my followers and who I follow'
  const effective = isPrivate && listsFor === 'everyone' ? 'followers' : listsFor
  return (
    <SettingsBox title={title}>
      <div role="radiogroup" aria-label={title} className="pb-1.5">
        {audiences.map(({ value, label, ...words }) => (
          <RadioOption
            key={value}
            name="lists-for"
            label={label}
            {...words}
            {...(isPrivate &&
              value === 'everyone' && { disabled: true, text: 'Not while your account is private.' })}
            checked={value === effective}
            onChoose={() => choose.mutate({ listsFor: value })}
          />
        ))}
      </div>
    </SettingsBox>
  )
}

function PeopleBox({ followerCount }: { followerCount: number | undefined }) {
  const me = useSignedInMember()
  return (
    <SettingsBox title="People">
      <ul className="divide-y divide-border">
        <SettingsRowLink
          to={screenPaths.settingsPage('blocked')}
          label="Blocked"
          text="You see nothing of each other."
        />
        <SettingsRowLink
          to={screenPaths.settingsPage('quiet')}
          label="Muted and restricted"
          text="Quieter, and nobody knows."
        />
        <SettingsRowLink
          to={screenPaths.settingsPage('reports')}
          label="Your reports"
          text="What you reported, and what came of it."
        />
        <SettingsRowLink
          to={{ pathname: screenPaths.profile(me.$id), ...getListDialogLink('followers') }}
          label="Your followers"
          text="Remove anyone without telling her."
        >
          {followerCount !== undefined && <RowNumber>{followerCount.toLocaleString('en')}</RowNumber>}
        </SettingsRowLink>
      </ul>
    </SettingsBox>
  )
}

const RowNumber = ({ children }: { children: ReactNode }) => (
  <span className="text-label font-semibold text-text-2 tabular-nums">{children}</span>
)

function BoxesSkeleton() {
  return (
    <div className="mb-4 space-y-4">
      <Skeleton className="h-56 rounded-card" />
      <Skeleton className="h-56 rounded-card" />
      <Skeleton className="h-52 rounded-card" />
    </div>
  )
}
