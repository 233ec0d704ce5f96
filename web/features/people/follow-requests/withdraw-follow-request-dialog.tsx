import { en } from '#contract/language.ts'
import type { Person } from '#contract/people/people.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useWithdrawFollowRequest } from './mutations.ts'

export type WithdrawFollowRequestDialogProps = {
  person: Pick<Person, '$id' | 'name'>
  open: boolean
  onClose: () => void
}

export function WithdrawFollowRequestDialog({ person, open, onClose }: WithdrawFollowRequestDialogProps) {
  const withdraw = useWithdrawFollowRequest(person, onClose)
  return (
    <ConfirmDialog
      open={open}
      title={en('Withdraw your request?', '¿Retirar tu solicitud?')}
      text={en(
        `You can ask to follow ${person.name} again whenever you like.`,
        `Puedes volver a pedir seguir a ${person.name} cuando quieras.`,
      )}
      confirm={en('Withdraw', 'Retirar')}
      cancel={en('Keep it', 'Conservarla')}
      busy={withdraw.isPending}
      onConfirm={() => withdraw.mutate()}
      onCancel={onClose}
    />
  )
}
