import { type ComponentType, type ReactNode, useState } from 'react'
import { en } from '#contract/language.ts'
import type { Person } from '#contract/people/people.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import type { WithdrawFollowRequestDialogProps } from '#web/features/people/follow-requests/withdraw-follow-request-dialog.tsx'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { useFollowToggle } from './follow-mutations.ts'

type Props = {
  person: Pick<Person, '$id' | 'name' | 'following' | 'requested' | 'isPrivate'>
  block?: boolean
  size?: 'sm' | 'md'
  /** This element contains the person's name, which the button's label lacks. */
  describedBy: string
  requestedIcon?: ReactNode
}

/** Withdrawing a request asks for confirmation. */
export function FollowButton({ person, block, size = 'sm', describedBy, requestedIcon }: Props) {
  const me = useSignedInMember()
  const { inFlight, toggle } = useFollowToggle(person)
  const [Question, setQuestion] = useState<ComponentType<WithdrawFollowRequestDialogProps>>()
  const [confirming, setConfirming] = useState(false)
  // The lists already show the new state, but the button keeps its label until the server answers.
  const began = person.following || person.requested
  const label = inFlight
    ? began
      ? en('Follow', 'Seguir')
      : en('Unfollow', 'Dejar de seguir')
    : person.requested
      ? en('Requested', 'Solicitado')
      : person.following
        ? en('Unfollow', 'Dejar de seguir')
        : en('Follow', 'Seguir')

  async function askToWithdraw() {
    try {
      const { WithdrawFollowRequestDialog } = await import(
        '#web/features/people/follow-requests/withdraw-follow-request-dialog.tsx'
      )
      setQuestion(() => WithdrawFollowRequestDialog)
      setConfirming(true)
    } catch {
      toast({
        title: en('Error', 'Error'),
        text: genericErrorMessage,
        kind: 'destructive',
      })
    }
  }

  return (
    <>
      <Button
        kind={began ? 'outline' : person.isPrivate && size === 'md' ? 'primary' : 'soft'}
        size={size}
        block={block}
        busy={inFlight}
        busyLabel="..."
        disabled={person.$id === me.$id}
        aria-label={label}
        className="group/follow"
        aria-describedby={describedBy}
        onClick={() => (person.requested ? void askToWithdraw() : toggle())}
      >
        {label === en('Requested', 'Solicitado') && requestedIcon ? (
          <span className="flex items-center gap-2">
            {requestedIcon}
            {label}
          </span>
        ) : person.following && !inFlight ? (
          <FollowingLabel />
        ) : (
          label
        )}
      </Button>
      {Question && <Question person={person} open={confirming} onClose={() => setConfirming(false)} />}
    </>
  )
}

/** Shows the action on hover and focus. Screen readers always read the action. Reserves the width of both texts. */
function FollowingLabel() {
  return (
    <span className="grid place-items-center">
      <span
        data-state={en('Following', 'Siguiendo')}
        className="col-start-1 row-start-1 before:content-[attr(data-state)] group-hover/follow:invisible group-focus-visible/follow:invisible"
      />
      <span className="col-start-1 row-start-1 opacity-0 group-hover/follow:opacity-100 group-focus-visible/follow:opacity-100">
        {en('Unfollow', 'Dejar de seguir')}
      </span>
    </span>
  )
}
