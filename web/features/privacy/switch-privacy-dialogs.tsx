/** The questions before an account becomes private, and before it becomes public. */
import { type ReactNode, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { PrivacySettings } from '#contract/privacy-settings.ts'
import { ApiError } from '#web/api/client.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { ProofCancelled, useFreshProof } from '#web/features/settings/use-fresh-proof.tsx'
import { RadioOption } from '#web/forms/radio-option.tsx'
import { getListDialogLink } from '#web/navigation/use-list-dialog-state.ts'
import { screenPaths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Modal } from '#web/ui/modal.tsx'
import { useSwitchAccountPrivacy } from './mutations.ts'

type Props = { settings: PrivacySettings; open: boolean; onClose: () => void }

/** Says that followers stay, and leads to them. */
export function SwitchToPrivateDialog({ settings: { followerCount }, open, onClose }: Props) {
  const me = useSignedInMember()
  const { dialog, withProof } = useFreshProof()
  const change = useSwitchAccountPrivacy(withProof, onClose)
  return (
    <QuestionDialog
      open={open}
      title="Make your account private?"
      text={followersWords(followerCount)}
      cancel="Cancel"
      confirm="Make private"
      error={change.error}
      busy={change.isPending}
      onConfirm={() => change.mutate({ isPrivate: true })}
      onCancel={() => {
        change.reset()
        onClose()
      }}
      proof={dialog}
    >
      {followerCount > 0 && (
        <Link
          to={{ pathname: screenPaths.profile(me.$id), ...getListDialogLink('followers') }}
          className="mt-2 inline-flex min-h-11 items-center font-[620] text-brand-text underline-offset-4 hover:underline"
        >
          See your followers
        </Link>
      )}
    </QuestionDialog>
  )
}

function followersWords(count: number): string {
  if (count === 0) return 'From now on you decide who follows you.'
  if (count === 1) return 'Your 1 follower stays.'
  return `Your ${count.toLocaleString('en')} followers stay. You can remove any of them.`
}

type EarlierPosts = 'followers' | 'everyone'

/** Asks who sees the posts of the private time; nothing is chosen beforehand. */
export function SwitchToPublicDialog({ settings, open, onClose }: Props) {
  const { followRequestCount, followersOnlyPostCount } = settings
  const { dialog, withProof } = useFreshProof()
  const [earlierPosts, setEarlierPosts] = useState<EarlierPosts>()
  const change = useSwitchAccountPrivacy(withProof, close)
  const words = earlierPostsWords(followersOnlyPostCount)

  function close() {
    setEarlierPosts(undefined)
    change.reset()
    onClose()
  }

  return (
    <QuestionDialog
      open={open}
      title="Make your account public?"
      text={`From now on every member can see what you post and follow you.${waitingWords(followRequestCount)}`}
      cancel="Stay private"
      confirm="Make public"
      disabled={earlierPosts === undefined}
      error={change.error}
      busy={change.isPending}
      onConfirm={() => change.mutate({ isPrivate: false, earlierPosts })}
      onCancel={close}
      proof={dialog}
    >
      <div role="radiogroup" aria-label="Your earlier posts" className="mt-3.5">
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
  if (count === 1) return ' The 1 person who is waiting will follow you.'
  return ` The ${count.toLocaleString('en')} people who are waiting will follow you.`
}

function earlierPostsWords(count: number): Record<EarlierPosts, { label: string; text?: string }> {
  const keep = { label: 'Keep my earlier posts for my followers' }
  const show = { label: 'Show my earlier posts to everyone' }
  if (count === 0) return { followers: keep, everyone: show }
  if (count === 1)
    return {
      followers: { ...keep, text: '1 post stays as it is.' },
      everyone: { ...show, text: '1 post, with its photo and place.' },
    }
  const number = count.toLocaleString('en')
  return {
    followers: { ...keep, text: `${number} posts stay as they are.` },
    everyone: { ...show, text: `${number} posts, with their photos and places.` },
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
  /** The dialog that asks for a fresh proof; it stands above this one. */
  proof: ReactNode
  children: ReactNode
}

/** Escape, the backdrop and the focused button cancel. What fails is said here, and can be tried again. */
function QuestionDialog(props: QuestionProps) {
  const { open, title, text, cancel, confirm, disabled, busy, error, onConfirm, onCancel, proof, children } =
    props
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
          {error && !(error instanceof ProofCancelled) && (
            <p role="alert" className="mt-4 text-label font-[550] text-danger">
              {error instanceof ApiError && error.code === 429
                ? 'Too many changes. Try again in a while.'
                : 'Something went wrong. Please try again.'}
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
      {proof}
    </>
  )
}
