import { useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { appealDecisionEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { maxAppealLength } from '#contract/limits.ts'
import { callApiOperation } from '#web/api/client.ts'
import { postQueryKeys } from '#web/api/query-keys.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { TextArea } from '#web/forms/text-area.tsx'
import { Button } from '#web/ui/button.tsx'
import { Modal } from '#web/ui/modal.tsx'
import { toast } from '#web/ui/toast/toast-store.ts'
import { moderationNoticesQuery } from './moderation-notices-query.ts'
import { RefusalAlert } from './refusal-alert.tsx'

type Props = { open: boolean; caseId: string; onClose: () => void }

/** A decision can be appealed once. */
export function AppealDialog({ open, caseId, onClose }: Props) {
  const id = useId()
  const client = useQueryClient()
  const area = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  const confirming = useSingleFlightMutation({
    mutationFn: () => callApiOperation(appealDecisionEndpoint, { caseId, text }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: postQueryKeys.all })
      void client.invalidateQueries({ queryKey: moderationNoticesQuery.queryKey })
      toast({
        title: en('Sent', 'Enviado'),
        text: en('We’ll look at it again and let you know.', 'Lo volveremos a mirar y te avisaremos.'),
      })
      onClose()
    },
  })
  if (!open) return null
  return (
    <Modal
      open
      role="dialog"
      labelledBy={`${id}-title`}
      describedBy={`${id}-text`}
      firstFocus={area}
      onClose={onClose}
    >
      <div className="p-7">
        <h2 id={`${id}-title`} className="heading text-[1.375rem] leading-[1.75rem]">
          {en('Ask for a review', 'Pedir una revisión')}
        </h2>
        <p id={`${id}-text`} className="mt-2 mb-6 text-pretty text-text-2">
          {en('We’ll look at it again. You can ask once.', 'Lo volveremos a mirar. Puedes pedirlo una vez.')}
        </p>
        <label htmlFor={`${id}-area`} className="text-label font-[620]">
          {en('What should they know?', '¿Qué deberían saber?')}
        </label>
        <TextArea
          ref={area}
          id={`${id}-area`}
          rows={4}
          maxLength={maxAppealLength}
          value={text}
          onChange={({ target }) => setText(target.value)}
          className="mt-1.5"
        />
        <RefusalAlert error={confirming.error} />
        <div className="mt-6 flex justify-end gap-2.5 max-md:flex-col-reverse">
          <Button kind="ghost" onClick={onClose}>
            {en('Cancel', 'Cancelar')}
          </Button>
          <Button
            disabled={text.trim() === ''}
            busy={confirming.isPending}
            onClick={() => confirming.mutate()}
          >
            {en('Send', 'Enviar')}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
