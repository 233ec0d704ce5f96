import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Application, VouchRequest } from '#contract/community/applications.ts'
import {
  answerVouchRequestEndpoint,
  approveApplicationEndpoint,
  declineApplicationEndpoint,
} from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { callApiOperation } from '#web/api/client.ts'
import { getErrorMessage } from '#web/api/error-message.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { useOperatorMutation } from '#web/features/admin/use-operator-mutation.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { applicationsQuery, communityQuery, vouchRequestsQuery } from './queries.ts'

const reload = (client: QueryClient, { queryKey }: { queryKey: readonly unknown[] }) =>
  client.invalidateQueries({ queryKey })

export type ApplicationDecision = { approves: boolean; sentence: string }

/** True until the community is loaded. */
export const useSendsEmail = (): boolean => useQuery(communityQuery).data?.mail ?? true

/** @param onDecided called before the row disappears, also if another person decided first */
export function useDecideApplication({ $id, name }: Application, onDecided: () => void) {
  const client = useQueryClient()
  const sendsEmail = useSendsEmail()
  return useOperatorMutation({
    mutationFn: ({ approves, sentence }: ApplicationDecision) =>
      callApiOperation(approves ? approveApplicationEndpoint : declineApplicationEndpoint, {
        applicationId: $id,
        sentence,
      }),
    onSuccess: (_answer, { approves }) => {
      toast(
        approves
          ? {
              title: en('Approved', 'Aceptada'),
              text: en(`${name} can sign in now.`, `${name} ya puede entrar.`),
            }
          : {
              title: en('Declined', 'Rechazada'),
              text: sendsEmail
                ? en('She will get an email.', 'Recibirá un correo.')
                : en('She will see it when she signs in.', 'Lo verá cuando entre.'),
            },
      )
      onDecided()
      return reload(client, applicationsQuery)
    },
    onError: (error) => {
      toast({ title: getErrorMessage(error).text, kind: 'destructive' })
      return reload(client, applicationsQuery)
    },
  })
}

/** @param onAnswered called before the row disappears */
export function useAnswerVouchRequest({ $id }: VouchRequest, onAnswered: () => void) {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: (vouched: boolean) =>
      callApiOperation(answerVouchRequestEndpoint, { applicationId: $id, vouched }),
    onSuccess: () => {
      toast({ text: en('Your answer was sent.', 'Tu respuesta se envió.') })
      onAnswered()
      return reload(client, vouchRequestsQuery)
    },
    onError: (error) => {
      toast({ title: getErrorMessage(error).text, kind: 'destructive' })
      return reload(client, vouchRequestsQuery)
    },
  })
}
