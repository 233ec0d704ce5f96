import type { ReactNode } from 'react'
import type { ShownNotification } from './arrange-notifications.ts'

const Strong = ({ children }: { children: ReactNode }) => <b className="font-[680]">{children}</b>

/** Names those who did something: the newest two, and how many more. */
function Actors({ people, count }: ShownNotification) {
  const [first, second] = people
  if (!first) return 'Somebody'
  if (!second) return <Strong>{first.name}</Strong>
  if (count <= 2)
    return (
      <>
        <Strong>{first.name}</Strong> and <Strong>{second.name}</Strong>
      </>
    )
  const others = count >= 100 ? '99+ others' : `${count - 2} ${count === 3 ? 'other' : 'others'}`
  return (
    <>
      <Strong>{first.name}</Strong>, <Strong>{second.name}</Strong> and {others}
    </>
  )
}

/** Names the newest one and how many more, where the place matters more than the people. */
function FirstAndOthers({ people, count }: ShownNotification) {
  const [first] = people
  if (!first) return 'Somebody'
  if (count < 2) return <Strong>{first.name}</Strong>
  return (
    <>
      <Strong>{first.name}</Strong> and {count - 1} {count === 2 ? 'other' : 'others'}
    </>
  )
}

/** Says what happened. */
export function NotificationSentence({ notification }: { notification: ShownNotification }) {
  const { kind, group, count, posts, device } = notification
  const groupName = group && <Strong>{group.name}</Strong>
  switch (kind) {
    case 'like':
      return (
        <>
          <Actors {...notification} /> liked {posts > 1 ? `${posts} of your posts` : 'your post'}
        </>
      )
    case 'follow':
      return (
        <>
          <FirstAndOthers {...notification} /> {count > 1 ? 'follow' : 'follows'} you
        </>
      )
    case 'follow-request':
      return (
        <>
          <FirstAndOthers {...notification} /> asks to follow you
        </>
      )
    case 'join-request':
      return (
        <>
          <FirstAndOthers {...notification} /> asks to join {groupName}
        </>
      )
    case 'join-approved':
      return <>{groupName} let you in</>
    case 'group-post':
      return (
        <>
          <FirstAndOthers {...notification} /> posted in {groupName}
        </>
      )
    case 'mention':
      return (
        <>
          <FirstAndOthers {...notification} /> mentioned you{group && <> in {groupName}</>}
        </>
      )
    case 'message-request':
      return (
        <>
          <FirstAndOthers {...notification} /> would like to write to you
        </>
      )
    case 'new-device':
      return (
        <>
          New device: <Strong>{deviceName(device)}</Strong>. Was it you?
        </>
      )
  }
}

const deviceName = (device: ShownNotification['device']) =>
  [device?.browser ?? 'A browser', device?.system].filter(Boolean).join(' on ')
