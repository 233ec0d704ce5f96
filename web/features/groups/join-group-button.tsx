import { X } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Group } from '#contract/groups/groups.ts'
import { en } from '#contract/language.ts'
import { screenPaths } from '#web/paths.ts'
import { Button, ButtonLink, IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { isGroupMember } from './is-group-member.ts'
import { useRequestToJoinGroup, useWithdrawJoinRequest } from './mutations.ts'

type Props = {
  group: Group
  /** The element with the group's name, which the button's label lacks. */
  describedBy: string
}

export function JoinGroupButton({ group, describedBy }: Props) {
  const join = useRequestToJoinGroup(group)
  const control = useRef<HTMLButtonElement>(null)
  const [pressed, setPressed] = useState(false)
  // The pressed button is disabled or replaced, and the browser then moves the focus to the body.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these changes replace the button
  useEffect(() => {
    if (pressed && document.activeElement === document.body) control.current?.focus()
  }, [pressed, group.membership, join.isPending])
  if (isGroupMember(group.membership)) {
    return (
      <ButtonLink to={screenPaths.group(group.$id)} kind="outline" block aria-describedby={describedBy}>
        {en('View Group', 'Ver grupo')}
      </ButtonLink>
    )
  }
  if (group.membership === 'pending') {
    return (
      <PendingRequest
        group={group}
        describedBy={describedBy}
        control={control}
        onWithdraw={() => setPressed(true)}
      />
    )
  }
  if (group.membership === 'rejected') {
    return (
      <Button block disabled aria-describedby={describedBy}>
        {en('Request Rejected', 'Solicitud rechazada')}
      </Button>
    )
  }
  return (
    <Button
      ref={control}
      block
      disabled={join.isPending}
      busy={join.isPending}
      busyLabel={en('Sending...', 'Enviando...')}
      aria-describedby={describedBy}
      onClick={() => {
        setPressed(true)
        join.mutate()
      }}
    >
      {en('Join Group', 'Unirme al grupo')}
    </Button>
  )
}

type PendingRequestProps = Props & { control: RefObject<HTMLButtonElement | null>; onWithdraw: () => void }

function PendingRequest({ group, describedBy, control, onWithdraw }: PendingRequestProps) {
  const withdraw = useWithdrawJoinRequest(group)
  const [confirming, setConfirming] = useState(false)
  return (
    <div className="flex gap-2">
      <Button block disabled aria-describedby={describedBy}>
        {en('Pending', 'Pendiente')}
      </Button>
      <IconButton
        ref={control}
        label={en('Withdraw request', 'Retirar la solicitud')}
        aria-describedby={describedBy}
        aria-busy={withdraw.isPending || undefined}
        onClick={() => withdraw.isPending || setConfirming(true)}
      >
        <X aria-hidden size={20} strokeWidth={2} />
      </IconButton>
      <ConfirmDialog
        open={confirming}
        title={en('Withdraw your request?', '¿Retirar tu solicitud?')}
        text={en(
          'The admin will no longer see it. You can ask to join again whenever you like.',
          'La administradora dejará de verla. Puedes volver a pedirlo cuando quieras.',
        )}
        confirm={en('Withdraw', 'Retirar')}
        cancel={en('Keep request', 'Mantener la solicitud')}
        onConfirm={() => {
          setConfirming(false)
          onWithdraw()
          withdraw.mutate()
        }}
        onCancel={() => setConfirming(false)}
      />
    </div>
  )
}

/** Reserves space until the membership is known. */
export function JoinGroupButtonPlaceholder() {
  return (
    <Button block disabled>
      {en('Loading...', 'Cargando...')}
    </Button>
  )
}
