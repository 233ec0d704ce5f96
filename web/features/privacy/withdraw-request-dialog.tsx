import type { Person } from '#contract/people.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useWithdrawFollowRequest } from './mutations.ts'

export type WithdrawRequestDialogProps = {
  person: Pick<Person, '$id' | 'name'>
  open: boolean
  onClose: () => void
}

/** Asks before a request to follow somebody is withdrawn. */
export function WithdrawRequestDialog({ person, open, onClose }: WithdrawRequestDialogProps) {
  const withdraw = useWithdrawFollowRequest(person, onClose)
  return (
    <ConfirmDialog
      open={open}
      title="Withdraw your request?"
      text={`You can ask to follow ${person.name} again whenever you like.`}
      confirm="Withdraw"
      cancel="Keep it"
      busy={withdraw.isPending}
      onConfirm={() => withdraw.mutate()}
      onCancel={onClose}
    />
  )
}
