import { type ReactNode, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import type { PrivacySettings } from '#contract/people/privacy-settings.ts'
import { ApiError } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { describeTooManyAttempts } from '#web/api/rate-limit-message.ts'
import {
  ReauthenticationCancelled,
  useReauthentication,
} from '#web/features/account/settings/use-reauthentication.tsx'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { formatNumber } from '#web/format-number.ts'
import { RadioOption } from '#web/forms/radio-option.tsx'
import { getListDialogLink } from '#web/navigation/use-list-dialog-state.ts'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Modal } from '#web/ui/modal.tsx'
import { useSwitchAccountPrivacy } from './mutations.ts'

type Props = { settings: PrivacySettings; open: boolean; onClose: () => void }

export function SwitchToPrivateDialog({ settings: { followerCount }, open, onClose }: Props) {
  const me = useSignedInMember()
  const { dialog, withReauthentication } = useReauthentication()
  const change = useSwitchAccountPrivacy(withReauthentication, onClose)
  return (
    <QuestionDialog
      open={open}
      title={en('Make your account private?', '¿Hacer privada tu cuenta?')}
      text={followersWords(followerCount)}
      cancel={en('Cancel', 'Cancelar')}
      confirm={en('Make private', 'Hacerla privada')}
      error={change.error}
      busy={change.isPending}
      onConfirm={() => change.mutate({ isPrivate: true })}
      onCancel={() => {
        change.reset()
        onClose()
      }}
      reauthentication={dialog}
    >
      {followerCount > 0 && (
        <Link
          to={{ pathname: screenPaths.profile(me.$id), ...getListDialogLink('followers') }}
          className="mt-2 inline-flex min-h-11 items-center font-[620] text-brand-text underline-offset-4 hover:underline"
        >
          {en('See your followers', 'Ver tus seguidoras')}
        </Link>
      )}
    </QuestionDialog>
  )
}

function followersWords(count: number): string {
  if (count === 0)
    return en('From now on you decide who follows you.', 'Desde ahora tú decides quién te sigue.')
  if (count === 1) return en('Your 1 follower stays.', 'Tu seguidora se queda.')
  return en(
    `Your ${formatNumber(count)} followers stay. You can remove any of them.`,
    `Tus ${formatNumber(count)} seguidoras se quedan. Puedes quitar a cualquiera.`,
  )
}

type EarlierPosts = 'followers' | 'everyone'

/** Also asks who may see existing followers-only posts. There is no default choice. */
export function SwitchToPublicDialog({ settings, open, onClose }: Props) {
  const { followRequestCount, followersOnlyPostCount } = settings
  const { dialog, withReauthentication } = useReauthentication('strongest')
  const [earlierPosts, setEarlierPosts] = useState<EarlierPosts>()
  const change = useSwitchAccountPrivacy(withReauthentication, close)
  const words = earlierPostsWords(followersOnlyPostCount)

  function close() {
    setEarlierPosts(undefined)
    change.reset()
    onClose()
  }

  return (
    <QuestionDialog
      open={open}
      title={en('Make your account public?', '¿Hacer pública tu cuenta?')}
      text={en(
        `From now on every member can see what you post and follow you.${waitingWords(followRequestCount)}`,
        `Desde ahora cualquier integrante puede ver lo que publicas y seguirte.${waitingWords(followRequestCount)}`,
      )}
      cancel={en('Stay private', 'Seguir siendo privada')}
      confirm={en('Make public', 'Hacerla pública')}
      disabled={earlierPosts === undefined}
      error={change.error}
      busy={change.isPending}
      onConfirm={() => change.mutate({ isPrivate: false, earlierPosts })}
      onCancel={close}
      reauthentication={dialog}
    >
      <div
        role="radiogroup"
        aria-label={en('Your earlier posts', 'Tus publicaciones anteriores')}
        className="mt-3.5"
      >
        {(['followers', 'everyone'] as const).map((value) => (
          <RadioOption
            key={value}
            name="earlier-posts"
            {...words[value]}
            checked={earlierPosts === value}
            onChoose={() => setEarlierPosts(value)}
          />
        ))}
      </div>
    </QuestionDialog>
  )
}

function waitingWords(count: number): string {
  if (count === 0) return ''
  if (count === 1)
    return en(' The 1 person who is waiting will follow you.', ' La persona que está esperando te seguirá.')
  return en(
    ` The ${formatNumber(count)} people who are waiting will follow you.`,
    ` Las ${formatNumber(count)} personas que están esperando te seguirán.`,
  )
}

function earlierPostsWords(count: number): Record<EarlierPosts, { label: string; text?: string }> {
  const keep = {
    label: en(
      'Keep my earlier posts for my followers',
      'Dejar mis publicaciones anteriores para mis seguidoras',
    ),
  }
  const show = {
    label: en('Show my earlier posts to everyone', 'Mostrar mis publicaciones anteriores a todas'),
  }
  if (count === 0) return { followers: keep, everyone: show }
  if (count === 1)
    return {
      followers: { ...keep, text: en('1 post stays as it is.', '1 publicación se queda como está.') },
      everyone: {
        ...show,
        text: en('1 post, with its photo and place.', '1 publicación, con su foto y su lugar.'),
      },
    }
  const number = formatNumber(count)
  return {
    followers: {
      ...keep,
      text: en(`${number} posts stay as they are.`, `${number} publicaciones se quedan como están.`),
    },
    everyone: {
      ...show,
      text: en(
        `${number} posts, with their photos and places.`,
        `${number} publicaciones, con sus fotos y lugares.`,
      ),
    },
  }
}

type QuestionProps = {
  open: boolean
  title: string
  text: string
  cancel: string
  confirm: string
  disabled?: boolean
  busy: boolean
  error: Error | null
  onConfirm: () => void
  onCancel: () => void
  reauthentication: ReactNode
  children: ReactNode
}

/** Escape, a click on the backdrop and the initially focused button all cancel. A failure can be retried. */
function QuestionDialog(props: QuestionProps) {
  const {
    open,
    title,
    text,
    cancel,
    confirm,
    disabled,
    busy,
    error,
    onConfirm,
    onCancel,
    reauthentication,
    children,
  } = props
  const id = useId()
  const safe = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Modal
        open={open}
        role="alertdialog"
        labelledBy={`${id}-title`}
        describedBy={`${id}-text`}
        firstFocus={safe}
        onClose={onCancel}
        className="w-[min(520px,calc(100%-32px))]"
      >
        <div className="p-5 md:p-7 md:pb-6">
          <h2 id={`${id}-title`} className="heading text-2xl leading-[1.875rem]">
            {title}
          </h2>
          <p id={`${id}-text`} className="mt-1.5 text-pretty text-text-2">
            {text}
          </p>
          {children}
          {error && !(error instanceof ReauthenticationCancelled) && (
            <p role="alert" className="mt-4 text-label font-[550] text-danger">
              {error instanceof ApiError && error.code === 429
                ? describeTooManyAttempts(error)
                : genericErrorMessage}
            </p>
          )}
          <div className="mt-5.5 flex justify-end gap-2.5 max-md:flex-col-reverse max-md:gap-2">
            <Button ref={safe} kind="quiet" onClick={onCancel}>
              {cancel}
            </Button>
            <Button disabled={disabled} busy={busy} onClick={onConfirm}>
              {confirm}
            </Button>
          </div>
        </div>
      </Modal>
      {reauthentication}
    </>
  )
}
