import type { UseMutationOptions, UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import {
  ReauthenticationCancelled,
  useReauthentication,
} from '#web/features/account/settings/use-reauthentication.tsx'

type OperatorMutation<Answer, Input> = Omit<UseMutationResult<Answer, Error, Input>, 'mutateAsync'> & {
  /** Render it outside forms, because its own form's events also reach the parents. */
  dialog: ReactNode
}

/** If the server asks for re-authentication, repeats the call after the dialog. */
export function useOperatorMutation<Answer, Input = void>({
  mutationFn,
  onError,
  ...options
}: Omit<UseMutationOptions<Answer, Error, Input>, 'mutationFn'> & {
  mutationFn: (input: Input) => Promise<Answer>
}): OperatorMutation<Answer, Input> {
  const { dialog, withReauthentication } = useReauthentication('strongest')
  const mutation = useSingleFlightMutation<Answer, Input>({
    ...options,
    mutationFn: (input) => withReauthentication(() => mutationFn(input)),
    onError: (error, ...rest) =>
      error instanceof ReauthenticationCancelled ? undefined : onError?.(error, ...rest),
  })
  const wasCancelled = mutation.error instanceof ReauthenticationCancelled
  return { ...mutation, ...(wasCancelled ? { error: null } : {}), dialog } as OperatorMutation<Answer, Input>
}
