import { useQueryClient } from '@tanstack/react-query'
import {
  Archive,
  AtSign,
  Check,
  Flag,
  Flower2,
  Gavel,
  Heart,
  type LucideIcon,
  MessageCircle,
  MessageSquareText,
  Reply,
  ShieldCheck,
  UserRoundCheck,
  UserRoundPlus,
} from 'lucide-react'
import { useId, useLayoutEffect, useRef } from 'react'
import { Link, useNavigate } from 'react-router'
import { en } from '#contract/language.ts'
import type { NotificationKind } from '#contract/notifications/notifications.ts'
import { imageVariantUrl } from '#contract/posts/feed-photo.ts'
import { useSignOutDevice } from '#web/features/account/settings/account-security-mutations.ts'
import { formatDeviceDescription } from '#web/features/account/settings/device-description.ts'
import { useDecideJoinRequest } from '#web/features/groups/mutations.ts'
import { useDecideFollowRequest } from '#web/features/people/follow-requests/mutations.ts'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Avatar } from '#web/ui/images/avatar.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { markNotificationsRead, refreshNotifications } from './mutations.ts'
import type { ShownNotification } from './notification-grouping.ts'
import { NotificationSentence } from './notification-sentence.tsx'

const badges: Record<NotificationKind, { icon: LucideIcon; className: string }> = {
  like: { icon: Heart, className: 'bg-brand text-on-brand [&_svg]:fill-current' },
  comment: { icon: MessageSquareText, className: 'bg-brand text-on-brand' },
  reply: { icon: Reply, className: 'bg-brand text-on-brand' },
  follow: { icon: UserRoundPlus, className: 'bg-brand text-on-brand' },
  'follow-request': { icon: UserRoundPlus, className: 'bg-accent text-surface' },
  'follow-accepted': { icon: Check, className: 'bg-success text-on-brand' },
  'join-request': { icon: UserRoundPlus, className: 'bg-accent text-surface' },
  'join-approved': { icon: Check, className: 'bg-success text-on-brand' },
  'group-handover': { icon: Flower2, className: 'bg-success text-on-brand' },
  'group-post': { icon: Flower2, className: 'bg-accent text-surface' },
  mention: { icon: AtSign, className: 'bg-brand text-on-brand' },
  'message-request': { icon: MessageCircle, className: 'bg-text-2 text-surface' },
  'photo-tag': { icon: UserRoundCheck, className: 'bg-brand text-on-brand' },
  'guest-joined': { icon: UserRoundPlus, className: 'bg-success text-on-brand' },
  report: { icon: Flag, className: 'bg-accent text-surface' },
  'report-decided': { icon: Gavel, className: 'bg-success text-on-brand' },
  application: { icon: UserRoundPlus, className: 'bg-accent text-surface' },
  'vouch-request': { icon: UserRoundCheck, className: 'bg-brand text-on-brand' },
  'new-device': { icon: ShieldCheck, className: 'bg-text-2 text-surface' },
  'two-steps-off': { icon: ShieldCheck, className: 'bg-text-2 text-surface' },
  'export-ready': { icon: Archive, className: 'bg-success text-on-brand' },
}

const leadsToPost: readonly NotificationKind[] = ['like', 'comment', 'reply', 'mention']

function pathOf({ kind, posts, post, group, people }: ShownNotification, me: string): string {
  const [person] = people
  if (kind === 'like' && posts > 1) return screenPaths.profile(me)
  if (kind === 'new-device') return screenPaths.settingsPage('security/devices')
  if (kind === 'two-steps-off') return screenPaths.settingsPage('security')
  if (kind === 'export-ready') return screenPaths.settingsPage('data')
  if (kind === 'report') return screenPaths.moderation()
  if (kind === 'application') return screenPaths.adminPage('applications')
  if (kind === 'vouch-request') return screenPaths.vouchRequests()
  if (kind === 'report-decided') return screenPaths.settingsPage('reports')
  if (kind === 'message-request') return screenPaths.messageRequests()
  if (kind === 'photo-tag') return screenPaths.photosOfYou()
  if (kind === 'follow-request') return screenPaths.followRequests()
  if (kind === 'join-request' && group) return screenPaths.groupRequests(group.$id)
  if (leadsToPost.includes(kind) && post) return screenPaths.post(post.$id)
  if (group) return screenPaths.group(group.$id)
  return person ? screenPaths.profile(person.$id) : screenPaths.notifications()
}

export function NotificationRow({ notification, me }: { notification: ShownNotification; me: string }) {
  const client = useQueryClient()
  const sentenceId = useId()
  const { kind, at, seq, unread, ids, people, group, post, comment, request, device } = notification
  const read = () => {
    if (unread) void markNotificationsRead(client, { upTo: seq, ids })
  }
  return (
    <li
      className={cx(
        'relative mb-1 flex items-start gap-3 rounded-photo p-3 focus-within:bg-sunken hover:bg-sunken',
        unread && 'bg-brand-soft',
      )}
    >
      <Faces notification={notification} />
      <div className="min-w-0 flex-1">
        <Link
          to={pathOf(notification, me)}
          onClick={read}
          className="block text-pretty wrap-anywhere after:absolute after:inset-0 after:rounded-photo focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-focus"
        >
          <span id={sentenceId}>
            <NotificationSentence notification={notification} />
          </span>
          {unread && <span className="sr-only">{en(', unread', ', sin leer')}</span>}
        </Link>
        {comment && (
          <p dir="auto" className="line-clamp-2 text-label wrap-anywhere text-text-2">
            {comment.text}
          </p>
        )}
        <p className={cx('text-meta', unread ? 'font-[620] text-brand-text' : 'text-text-2')}>
          <RelativeTime at={at} />
        </p>
        {device && unread && !device.current && <DeviceAnswer device={device} onAnswer={read} />}
        {request && people[0] && kind === 'join-request' && group && (
          <JoinRequestAnswer request={request} groupId={group.$id} name={people[0].name} onDecided={read} />
        )}
        {request && people[0] && kind === 'follow-request' && (
          <FollowRequestAnswer request={request} person={people[0]} />
        )}
      </div>
      {post?.imageId && (
        <img
          src={imageVariantUrl(post.imageId, 320)}
          alt=""
          width={48}
          height={48}
          loading="lazy"
          decoding="async"
          className="size-12 flex-none rounded-input bg-sunken object-cover"
        />
      )}
      {unread && <span aria-hidden="true" className="size-2.5 flex-none self-center rounded-full bg-brand" />}
    </li>
  )
}

function Faces({ notification: { kind, people, group } }: { notification: ShownNotification }) {
  const { icon: Icon, className } = badges[kind]
  const [first, second] = people
  const both = kind === 'like' ? second : undefined
  return (
    <span aria-hidden="true" className="relative size-12 flex-none">
      {both ? (
        <>
          <span className="absolute top-0 left-0">
            <Avatar person={both} size={34} />
          </span>
          <span className="absolute right-0 bottom-0 rounded-full shadow-[0_0_0_2px_var(--surface)]">
            <Avatar person={first ?? both} size={34} />
          </span>
        </>
      ) : (
        <Avatar person={first ?? { name: group?.name ?? '', imageId: null }} size={48} />
      )}
      <span
        className={cx(
          'absolute -right-1.5 -bottom-1 grid size-6 place-items-center rounded-full shadow-[0_0_0_2px_var(--surface)]',
          className,
        )}
      >
        <Icon size={14} strokeWidth={2.2} />
      </span>
    </span>
  )
}

type Request = NonNullable<ShownNotification['request']>

function JoinRequestAnswer(props: {
  request: Request
  groupId: string
  name: string
  onDecided: () => void
}) {
  const { request, groupId, name, onDecided } = props
  const client = useQueryClient()
  const decision = useDecideJoinRequest({ $id: request.$id, groupId }, () => {
    onDecided()
    void refreshNotifications(client)
  })
  if (request.status !== 'pending')
    return (
      <p className="mt-1 text-meta font-[620] text-text-2">
        {request.status === 'accepted' ? en('Approved', 'Aceptada') : en('Rejected', 'Rechazada')}
      </p>
    )
  return (
    <Answers
      name={name}
      refusal={en('Reject', 'Rechazar')}
      busy={decision.isPending}
      onApprove={() => decision.mutate('approve')}
      onRefuse={() => decision.mutate('reject')}
    />
  )
}

function FollowRequestAnswer({ request, person }: { request: Request; person: { name: string } }) {
  const client = useQueryClient()
  const decision = useDecideFollowRequest(
    { $id: request.$id, person },
    () => void refreshNotifications(client),
  )
  return (
    <Answers
      name={person.name}
      refusal={en('Decline', 'Rechazar')}
      busy={decision.isPending}
      onApprove={() => decision.mutate('approve')}
      onRefuse={() => decision.mutate('decline')}
    />
  )
}

type DeviceAnswerProps = { device: NonNullable<ShownNotification['device']>; onAnswer: () => void }

/** 'No' ends the session and opens the page for a new password. */
function DeviceAnswer({ device, onAnswer }: DeviceAnswerProps) {
  const navigate = useNavigate()
  const end = useSignOutDevice()
  const name = formatDeviceDescription(device)

  function disown() {
    const changePassword = () => {
      onAnswer()
      navigate(screenPaths.settingsPage('account'), { state: { change: 'password' } })
    }
    if (device.deviceId === null) changePassword()
    else end.mutate(device.deviceId, { onSuccess: changePassword })
  }

  return (
    <div className="relative z-1 mt-2.5 flex flex-wrap gap-2">
      <Button size="sm" aria-label={en(`Yes, ${name} was me`, `Sí, ${name} fui yo`)} onClick={onAnswer}>
        {en('Yes', 'Sí')}
      </Button>
      <Button
        size="sm"
        kind="outline"
        busy={end.isPending}
        aria-label={en(
          `No, log out ${name} and change the password`,
          `No, cierra ${name} y cambia la contraseña`,
        )}
        onClick={disown}
      >
        {en('No', 'No')}
      </Button>
    </div>
  )
}

type AnswersProps = {
  name: string
  refusal: string
  busy: boolean
  onApprove: () => void
  onRefuse: () => void
}

function Answers({ name, refusal, busy, onApprove, onRefuse }: AnswersProps) {
  const answers = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const own = answers.current
    // The buttons disappear, so the row's link receives the focus.
    return () => {
      if (own?.contains(document.activeElement)) own.closest('li')?.querySelector('a')?.focus()
    }
  }, [])
  return (
    <div ref={answers} className="relative z-1 mt-2.5 flex flex-wrap gap-2">
      <Button
        size="sm"
        busy={busy}
        aria-label={en(`Approve ${name}`, `Aceptar a ${name}`)}
        onClick={onApprove}
      >
        {en('Approve', 'Aceptar')}
      </Button>
      <Button
        size="sm"
        kind="outline"
        busy={busy}
        aria-label={en(`${refusal} ${name}`, `${refusal} a ${name}`)}
        onClick={onRefuse}
      >
        {refusal}
      </Button>
    </div>
  )
}
