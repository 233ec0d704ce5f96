import type { ReactNode } from 'react'
import { en, es } from '#contract/language.ts'
import { formatDeviceAndCountry } from '#web/features/account/settings/device-description.ts'
import type { ShownNotification } from './notification-grouping.ts'

/** Without isolation, two right-to-left names in a row would swap places. */
const Strong = ({ children }: { children: ReactNode }) => (
  <b className="font-[680]">
    <bdi>{children}</bdi>
  </b>
)

function Actors({ people, count }: ShownNotification) {
  const [first, second] = people
  if (!first) return en('Someone', 'Alguien')
  if (!second) return <Strong>{first.name}</Strong>
  if (count <= 2)
    return (
      <>
        <Strong>{first.name}</Strong> {en('and', 'y')} <Strong>{second.name}</Strong>
      </>
    )
  const others =
    count >= 100
      ? en('99+ others', 'más de 99 personas')
      : `${count - 2} ${count === 3 ? en('other', 'más') : en('others', 'más')}`
  return (
    <>
      <Strong>{first.name}</Strong>, <Strong>{second.name}</Strong> {en('and', 'y')} {others}
    </>
  )
}

/** For sentences in which the place matters more than the people. */
function FirstAndOthers({ people, count }: ShownNotification) {
  const [first] = people
  if (!first) return en('Someone', 'Alguien')
  if (count < 2) return <Strong>{first.name}</Strong>
  return (
    <>
      <Strong>{first.name}</Strong> {en('and', 'y')} {count - 1}{' '}
      {count === 2 ? en('other', 'más') : en('others', 'más')}
    </>
  )
}

export function NotificationSentence({ notification }: { notification: ShownNotification }) {
  const { kind, group, count, posts, device } = notification
  const groupName = group && <Strong>{group.name}</Strong>
  switch (kind) {
    case 'like':
      return (
        <>
          {en('', 'A ')}
          <Actors {...notification} /> {count > 1 ? en('liked', 'les gusta') : en('liked', 'le gusta')}{' '}
          {posts > 1
            ? en(`${posts} of your posts`, `${posts} publicaciones tuyas`)
            : en('your post', 'tu publicación')}
        </>
      )
    case 'comment':
      return (
        <>
          <FirstAndOthers {...notification} />{' '}
          {count > 1
            ? en('commented on your post', 'comentaron tu publicación')
            : en('commented on your post', 'comentó tu publicación')}
        </>
      )
    case 'reply':
      return (
        <>
          <FirstAndOthers {...notification} />{' '}
          {count > 1
            ? en('replied to your comment', 'respondieron a tu comentario')
            : en('replied to your comment', 'respondió a tu comentario')}
        </>
      )
    case 'follow':
      return (
        <>
          <FirstAndOthers {...notification} />{' '}
          {count > 1 ? en('follow you', 'te siguen') : en('follows you', 'te sigue')}
        </>
      )
    case 'follow-request':
      return (
        <>
          <FirstAndOthers {...notification} />{' '}
          {count > 1
            ? en('asks to follow you', 'quieren seguirte')
            : en('asks to follow you', 'quiere seguirte')}
        </>
      )
    case 'follow-accepted':
      return (
        <>
          <FirstAndOthers {...notification} />{' '}
          {en('accepted your follow request', 'aceptó tu solicitud de seguimiento')}
        </>
      )
    case 'join-request':
      return (
        <>
          <FirstAndOthers {...notification} />{' '}
          {count > 1 ? en('asks to join', 'quieren unirse a') : en('asks to join', 'quiere unirse a')}{' '}
          {groupName}
        </>
      )
    case 'join-approved':
      return (
        <>
          {en('You’re now a member of ', 'Ya eres parte de ')}
          {groupName}
        </>
      )
    case 'group-handover':
      return (
        <>
          {en('You now run ', 'Ahora llevas ')}
          {groupName}
          {en(', because its admin is away', ', porque su administradora no está')}
        </>
      )
    case 'group-post':
      return (
        <>
          <FirstAndOthers {...notification} />{' '}
          {count > 1 ? en('posted in', 'publicaron en') : en('posted in', 'publicó en')} {groupName}
        </>
      )
    case 'mention':
      return (
        <>
          <FirstAndOthers {...notification} />{' '}
          {count > 1 ? en('mentioned you', 'te mencionaron') : en('mentioned you', 'te mencionó')}
          {group && (
            <>
              {en(' in ', ' en ')}
              {groupName}
            </>
          )}
        </>
      )
    case 'message-request':
      return (
        <>
          <FirstAndOthers {...notification} />{' '}
          {count > 1
            ? en('would like to write to you', 'quieren escribirte')
            : en('would like to write to you', 'quiere escribirte')}
        </>
      )
    case 'photo-tag':
      return (
        <>
          <FirstAndOthers {...notification} />{' '}
          {count > 1
            ? en('ask to tag you in a photo', 'quieren etiquetarte en una foto')
            : en('asks to tag you in a photo', 'quiere etiquetarte en una foto')}
          {group && (
            <>
              {en(' in ', ' en ')}
              {groupName}
            </>
          )}
        </>
      )
    case 'guest-joined':
      return (
        <>
          <FirstAndOthers {...notification} />{' '}
          {count > 1
            ? en('joined with your invitation', 'se unieron con tu invitación')
            : en('joined with your invitation', 'se unió con tu invitación')}
        </>
      )
    case 'report':
      return (
        <>
          {count > 1
            ? en(`${count} reports are waiting`, `Hay ${count} denuncias en espera`)
            : en('A report is waiting', 'Hay una denuncia en espera')}
        </>
      )
    case 'application':
      return (
        <>
          {count > 1
            ? en(`${count} applications to join are waiting`, `Hay ${count} solicitudes para unirse`)
            : en('An application to join is waiting', 'Hay una solicitud para unirse')}
        </>
      )
    case 'vouch-request':
      return (
        <>
          {count > 1
            ? en(
                `${count} people who want to join say that you know them`,
                `${count} personas que quieren unirse dicen que las conoces`,
              )
            : en(
                'Someone who wants to join says that you know her',
                'Alguien que quiere unirse dice que la conoces',
              )}
        </>
      )
    case 'report-decided':
      return <>{en('There is a decision on your report', 'Ya hay una decisión sobre tu denuncia')}</>
    case 'export-ready':
      return <>{es('Tus datos están listos', 'Your data is ready')}</>
    case 'two-steps-off':
      return <>{en('Two-step verification was turned off', 'Se quitó la verificación en dos pasos')}</>
    case 'new-device':
      return (
        <>
          {en('New device: ', 'Dispositivo nuevo: ')}
          <Strong>{device && formatDeviceAndCountry(device)}</Strong>
          {en('. Was it you?', '. ¿Fuiste tú?')}
        </>
      )
  }
}
