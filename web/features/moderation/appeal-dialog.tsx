import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { appealDecisionEndpoint } from '#contract/generated-endpoints.ts'
import { maxAppealLength } from '#contract/limits.ts'
import { callApiOperation } from '#web/api/client.ts'
import { postQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { TextArea } from '#web/forms/text-area.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { moderationNoticesQuery } from './notice-query.ts'
import { RefusalAlert } from './refusal.tsx'

type Props = { caseId: string; onClose: () => void }

/** Asks the moderators to look at a decision again, once. */
export function AppealDialog({ caseId, onClose }: Props) {
  const id = useId()
  const client = useQueryClient()
  const [text, setText] = useState('')
  const asking = useSingleFlightMutation({
    mutationFn: () => callApiOperation(appealDecisionEndpoint, { caseId, text }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: postQueryKeys.all })
      void client.invalidateQueries({ queryKey: moderationNoticesQuery.queryKey })
      toast({ title: 'Sent', text: 'Another moderator looks at it. You will be told.' })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      title="Ask for a review"
      text="Another moderator looks at it, where there is one. You can ask once."
      confirm="Send"
      cancel="Cancel"
      busy={asking.isPending}
      onConfirm={() => text.trim() !== '' && asking.mutate()}
      onCancel={onClose}
    >
      <div className="mb-6">
        <label htmlFor={id} className="text-label font-[620]">
          What should they know?
        </label>
        <TextArea
          id={id}
          rows={4}
          maxLength={maxAppealLength}
          value={text}
          onChange={({ target }) => setText(target.value)}
          className="mt-1.5"
        />
        <RefusalAlert error={asking.error} />
      </div>
    </ConfirmDialog>
  )
}
