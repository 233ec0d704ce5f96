import type { Passkey } from '#contract/account/passkeys.ts'
import {
  addPasskeyEndpoint,
  beginPasskeyEndpoint,
  removePasskeyEndpoint,
  removePasswordEndpoint,
  renamePasskeyEndpoint,
} from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import {
  toastUnlessCancelled,
  useSettingsRefresh,
  type WithReauthentication,
} from '#web/features/account/settings/account-security-mutations.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { isPasskeyThereAlready, isPromptGivenUp, makePasskey } from './passkey-prompts.ts'

const toastText = (text: string) => toast({ title: en('Error', 'Error'), text, kind: 'destructive' })

function toastAddFailure(error: Error) {
  if (isPromptGivenUp(error)) return
  if (isPasskeyThereAlready(error))
    return toastText(
      en(
        'This device already has a passkey for your account.',
        'Este dispositivo ya tiene una llave para tu cuenta.',
      ),
    )
  if (error instanceof ApiError && error.type === 'passkey_limit') return toastText(error.message)
  toastUnlessCancelled(error)
}

/** Shows the server's refusal to remove the last way to sign in. */
function toastRemoveFailure(error: Error) {
  if (error instanceof ApiError && error.type === 'user_last_way_in') toastText(error.message)
  else toastUnlessCancelled(error)
}

/** Stores the passkey before the member can rename it, because the authenticator already has it. */
export function useAddPasskey(
  withReauthentication: WithReauthentication,
  onAdded: (passkey: Passkey) => void,
) {
  const refresh = useSettingsRefresh()
  return useSingleFlightMutation({
    mutationFn: async (name: string) => {
      const options = await withReauthentication(() => callApiOperation(beginPasskeyEndpoint, {}))
      return callApiOperation(addPasskeyEndpoint, { attestation: await makePasskey(options), name })
    },
    onSuccess: (passkey) => {
      onAdded(passkey)
      return refresh()
    },
    onError: toastAddFailure,
  })
}

export function useRenamePasskey(onRenamed: () => void) {
  const refresh = useSettingsRefresh()
  return useSingleFlightMutation({
    mutationFn: (given: { passkeyId: string; name: string }) =>
      callApiOperation(renamePasskeyEndpoint, given),
    onSuccess: async () => {
      await refresh()
      onRenamed()
    },
    onError: toastUnlessCancelled,
  })
}

export function useRemovePasskey(withReauthentication: WithReauthentication, onRemoved: () => void) {
  const refresh = useSettingsRefresh()
  return useSingleFlightMutation({
    mutationFn: (passkeyId: string) =>
      withReauthentication(() => callApiOperation(removePasskeyEndpoint, { passkeyId })),
    onSuccess: async () => {
      onRemoved()
      toast({ text: en('Passkey removed.', 'Llave quitada.') })
      await refresh()
    },
    onError: toastRemoveFailure,
  })
}

export function useRemovePassword(withReauthentication: WithReauthentication) {
  const refresh = useSettingsRefresh()
  return useSingleFlightMutation({
    mutationFn: () => withReauthentication(() => callApiOperation(removePasswordEndpoint, {})),
    onSuccess: () => {
      toast({
        text: en(
          'Your password was removed. Other devices were logged out.',
          'Quitaste tu contraseña. Los demás dispositivos tienen que volver a entrar.',
        ),
      })
      return refresh()
    },
    onError: toastRemoveFailure,
  })
}
