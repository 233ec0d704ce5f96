import { type UseMutationOptions, type UseMutationResult, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { ApiError } from '#web/api/client.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { accountSettingsQuery } from '#web/features/account/settings/account-security-queries.ts'
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
  const client = useQueryClient()
  const [byCode, setByCode] = useState(false)
  const { dialog, withReauthentication } = useReauthentication({ byCode })

  async function call(input: Input): Promise<Answer> {
    try {
      return await mutationFn(input)
    } catch (error) {
      if (error instanceof ApiError && error.type === 'user_challenge_required')
        setByCode((await client.fetchQuery(accountSettingsQuery)).twoSteps.on)
      throw error
    }
  }

  const mutation = useSingleFlightMutation<Answer, Input>({
    ...options,
    mutationFn: (input) => withReauthentication(() => call(input)),
    onError: (error, ...rest) =>
      error instanceof ReauthenticationCancelled ? undefined : onError?.(error, ...rest),
  })
  const wasCancelled = mutation.error instanceof ReauthenticationCancelled
  return { ...mutation, ...(wasCancelled ? { error: null } : {}), dialog } as OperatorMutation<Answer, Input>
}
