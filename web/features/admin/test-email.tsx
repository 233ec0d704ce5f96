import type { sendTestEmailOperation } from '#contract/admin/instance.ts'
import { sendTestEmailEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { callApiOperation } from '#web/api/client.ts'
import { RefusalAlert } from '#web/features/moderation/refusal-alert.tsx'
import { cx } from '#web/ui/cx.ts'
import { useOperatorMutation } from './use-operator-mutation.ts'

export const useTestEmail = () =>
  useOperatorMutation<OperationOutput<typeof sendTestEmailOperation>>({
    mutationFn: () => callApiOperation(sendTestEmailEndpoint, {}),
  })

export function TestEmailResult({ sending }: { sending: ReturnType<typeof useTestEmail> }) {
  return (
    <>
      <div role="status">
        {sending.data && (
          <div className="mt-3.5">
            <p className={cx('font-[620]', sending.data.accepted ? 'text-success' : 'text-danger')}>
              {sending.data.accepted
                ? en(`Accepted for ${sending.data.to}`, `Aceptado para ${sending.data.to}`)
                : en(`Refused for ${sending.data.to}`, `Rechazado para ${sending.data.to}`)}
            </p>
            <pre
              lang="en"
              className="mt-1.5 rounded-input bg-sunken px-3.5 py-2.5 text-meta whitespace-pre-wrap wrap-anywhere"
            >
              {sending.data.answer}
            </pre>
          </div>
        )}
      </div>
      <RefusalAlert error={sending.error} />
      {sending.dialog}
    </>
  )
}
